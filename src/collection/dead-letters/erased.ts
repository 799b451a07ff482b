import type { Database } from '../../storage/database.ts'
import { readErasureKeys, withoutErased } from '../erased-users/erased-users.ts'
import { parseMessage, userOf, withoutUsers } from '../message.ts'
import type { NewDeadLetter } from './sql.ts'

/** How long a message may have been tried before it became a dead letter. */
const LONGEST_WAY_MS = 4 * 86_400_000

/**
 * Leaves out events of users who were erased while these were on their way, and dead letters of which nothing is left: an erasure
 * looks only at the dead letters that lie in the database, some time later. Those of an application whose private key no secret opens
 * stay whole: nothing of them is stored either until a secret does.
 */
export async function withoutErasedEvents(
  deadLetters: readonly NewDeadLetter[],
  { directory, secrets }: { readonly directory: Database; readonly secrets: string },
): Promise<NewDeadLetter[]> {
  const known = deadLetters.flatMap(toSent).filter(({ telegramId }) => Number.isSafeInteger(telegramId))
  if (known.length === 0) return [...deadLetters]
  const applications = known.map(({ applicationId }) => applicationId)
  const keys = await readErasureKeys(applications, { directory, secrets })
  const kept = new Set(await withoutErased(known, { directory, keys }))
  const erased = Map.groupBy(
    known.filter((event) => !kept.has(event)),
    ({ deadLetter }) => deadLetter,
  )
  return deadLetters.flatMap((deadLetter) => {
    const users = (erased.get(deadLetter) ?? []).map(({ telegramId }) => telegramId)
    const body = withoutUsers(deadLetter.body, new Set(users))
    return body === null ? [] : [{ ...deadLetter, body }]
  })
}

function toSent(deadLetter: NewDeadLetter) {
  const message = parseMessage(deadLetter.body)
  if (!message) return []
  const { applicationId, events } = message
  const enqueuedAt = deadLetter.putAsideAt - LONGEST_WAY_MS
  return events.map((event) => ({ deadLetter, applicationId, telegramId: userOf(event), enqueuedAt }))
}
