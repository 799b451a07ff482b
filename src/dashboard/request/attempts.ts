import type { Context } from 'hono'
import { limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from '../../http/api/budgets.ts'
import type { AppEnv } from '../../http/context.ts'

/** A refusal uses up an attempt. A network has as many attempts as questions with unknown API keys. Throws `too-many`. */
export async function countAttempt<T extends { readonly refusal?: string }>(
  c: Context<AppEnv>,
  attempt: () => Promise<T>,
): Promise<T> {
  const network = networkOf(c)
  limitNetwork(c, 'questions', network)
  requireKnownKeys(c, network)
  const outcome = await attempt()
  if (outcome.refusal !== undefined) limitUnknownKeys(c, network)
  return outcome
}
