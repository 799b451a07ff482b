import type { CollectingScope } from '../accounts/api-keys.ts'
import { logError } from '../log.ts'
import { withTimeout } from '../time/with-timeout.ts'
import type { QuotaName, Use } from './quota.ts'

/** What a delivery added to an application's names, contexts or users, by the scope of the key that brought it. */
export interface Growth {
  readonly applicationId: number
  readonly scope: CollectingScope
  readonly quota: QuotaName
  readonly count: number
  /** About how many bytes they take in the database. */
  readonly bytes: number
}

const COUNT_TIMEOUT_MS = 5_000

/** Tells the applications' objects. Growth that an object could not be told of is not counted: quotas bound, they do not bill. */
export async function countGrowth(growth: readonly Growth[], day: number, objects: Env['APPLICATIONS']): Promise<void> {
  const calls = toUses(growth).map(({ applicationId, use }) =>
    withTimeout(objects.getByName(String(applicationId)).countUse({ applicationId, day }, use), COUNT_TIMEOUT_MS),
  )
  const failed = (await Promise.allSettled(calls)).find((outcome) => outcome.status === 'rejected')
  if (failed) logError('growth not counted', failed.reason)
}

/** One use for each application and scope. */
function toUses(growth: readonly Growth[]): { applicationId: number; use: Use }[] {
  const groups = Map.groupBy(growth, ({ applicationId, scope }) => `${applicationId} ${scope}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const counts = Map.groupBy(group, ({ quota }) => quota)
    const used = [...counts].map(([quota, some]) => [quota, some.reduce((sum, { count }) => sum + count, 0)] as const)
    const bytes = group.reduce((sum, growth) => sum + growth.bytes, 0)
    return [{ applicationId: first.applicationId, use: { ...Object.fromEntries(used), bytes, scope: first.scope } }]
  })
}
