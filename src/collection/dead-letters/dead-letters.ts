import { createHash } from 'node:crypto'
import { parseEvent } from '../../base/event.ts'
import { logError } from '../../base/log.ts'
import { MS_PER_HOUR } from '../../base/time/days.ts'
import { type BatchDatabase, type Database, openDatabase } from '../../storage/database.ts'
import { erasedReferrers, textsGiven } from '../erased-users/erased-referrers.ts'
import { findDeleted, findErased, readErasureKeys } from '../erased-users/erased-users.ts'
import { mapStartParameters, parseMessage, sendMessages, userOf, withoutUsers } from '../message.ts'
import { isObject } from '../params.ts'
import {
  countDeadLetters,
  deleteDeadLetters,
  deleteOfGone,
  insertDeadLetter,
  type NewDeadLetter,
  selectToResend,
} from './sql.ts'

export { deleteOfDeleted } from './sql.ts'

/** With the 100 tries of wrangler.toml this makes fourteen days, as long as that queue keeps a message. */
const LONGEST_PAUSE_SECONDS = 4 * 3_600

/** Puts a delivery of dead letters into the database, where an operator sees them. If that fails, they come again. */
export async function keepDeadLetters(
  batch: MessageBatch<unknown>,
  env: Pick<Env, 'DB' | 'KEY_SEALING_SECRET'>,
): Promise<{ kept: number }> {
  try {
    const db = openDatabase(env.DB)
    const erasures = { directory: db, secrets: env.KEY_SEALING_SECRET }
    const deadLetters = await withoutErasedEvents(batch.messages.map(toDeadLetter), erasures)
    const [first, ...others] = deadLetters.map((deadLetter) => insertDeadLetter(db, deadLetter))
    if (first) await db.batch([first, ...others])
    batch.ackAll()
    return { kept: deadLetters.length }
  } catch (error) {
    logError('dead letters not kept yet', error, { messages: batch.messages.length })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, LONGEST_PAUSE_SECONDS) })
    }
    return { kept: 0 }
  }
}

/** How long dead letters of a deleted application stay: nobody can erase a person from it, so they do not wait for an operator forever. */
const GONE_KEPT_MS = 14 * 24 * MS_PER_HOUR

/** Deletes old dead letters of applications that are gone. */
export async function forgetDeadLetters(directory: Database, now: number): Promise<number> {
  return (await deleteOfGone(directory, now - GONE_KEPT_MS)).length
}

/** Counts those that nobody has asked to have sent again. */
export async function countWaiting(directory: D1Database): Promise<number> {
  const [found] = await countDeadLetters(openDatabase(directory))
  return found?.waiting ?? 0
}

function toDeadLetter({ id, timestamp, body }: Message<unknown>): NewDeadLetter {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { id: idOf(id, timestamp.getTime(), text), body: text, putAsideAt: timestamp.getTime() }
}

const ID_BITS = 53n

/** Makes an id that is equal for all deliveries of a message, so that its dead letter is stored once. */
function idOf(message: string, putAsideAt: number, body: string): number {
  const digest = createHash('sha256').update(`${message} ${putAsideAt} ${body}`).digest()
  return Number(digest.readBigUInt64BE() >> (64n - ID_BITS))
}

/** Each has at most 100,000 bytes, so an answer of the database can hold these. */
const DEAD_LETTERS_AT_ONCE = 50
/** A Worker may make 1,000 calls an invocation; these dead letters take up to 20 rounds of 27 calls. */
const MOST_DEAD_LETTERS = 1_000

/**
 * Sends the dead letters that an operator marked back to the queue. A row is deleted once the queue has taken its message; sending one
 * twice changes nothing, as events are stored once. In the queue it is as new as any other message, so events of erased users are
 * left out here. Logs an error while unmarked dead letters remain.
 */
export async function resendDeadLetters(
  db: BatchDatabase,
  { EVENTS: queue, KEY_SEALING_SECRET: secrets }: Pick<Env, 'EVENTS' | 'KEY_SEALING_SECRET'>,
): Promise<{ resent: number }> {
  let resent = 0
  while (resent < MOST_DEAD_LETTERS) {
    const deadLetters = await selectToResend(db, DEAD_LETTERS_AT_ONCE)
    if (deadLetters.length === 0) break
    const kept = await withoutErasedEvents(deadLetters, { directory: db, secrets })
    const bodies = kept.map(({ body }) => body)
    const ids = deadLetters.map(({ id }) => id)
    await sendMessages(queue, bodies)
    await deleteDeadLetters(db, ids)
    resent += deadLetters.length
  }
  const [counted] = await countDeadLetters(db)
  if (counted && counted.waiting > 0) logError('dead letters', WHAT_TO_DO, { letters: counted.waiting })
  return { resent }
}

const WHAT_TO_DO = 'events that could not be stored: npm run dead-letters -- list'

/** How long a message may have been tried before it became a dead letter. */
const LONGEST_WAY_MS = 4 * 24 * MS_PER_HOUR

/**
 * Leaves out events of users who were erased, and of applications that were deleted, while these were on their way, and dead letters of
 * which nothing is left: erasures and deletions look only at the dead letters that lie in the database, some time later. Those of an application whose private key no secret opens
 * stay whole: nothing of them is stored either until a secret does.
 */
async function withoutErasedEvents(
  deadLetters: readonly NewDeadLetter[],
  { directory, secrets }: { readonly directory: Database; readonly secrets: string },
): Promise<NewDeadLetter[]> {
  const letters = deadLetters.map((deadLetter) => ({ deadLetter, sent: toSent(deadLetter) }))
  const sent = letters.flatMap((letter) => letter.sent)
  const applicationIds = sent.map(({ applicationId }) => applicationId)
  const keys = await readErasureKeys(applicationIds, { directory, secrets })
  const isErased = await findErased(sent, { directory, keys })
  const isDeleted = await findDeleted(new Set(applicationIds), directory)
  const startParameters = letters.flatMap(({ deadLetter, sent }) => {
    const { applicationId = 0 } = sent[0] ?? {}
    const texts = textsGiven((change) => mapStartParameters(deadLetter.body, change))
    return texts.map((text) => ({ applicationId, text }))
  })
  const withoutErased = await erasedReferrers(startParameters, { directory, keys })
  return letters.flatMap(({ deadLetter, sent }) => {
    const users = sent.filter(isErased).map(({ telegramId }) => telegramId)
    const body = withoutUsers(deadLetter.body, new Set(users))
    const { applicationId = 0 } = sent[0] ?? {}
    if (body === null || isDeleted({ applicationId, enqueuedAt: deadLetter.putAsideAt })) return []
    return [{ ...deadLetter, body: mapStartParameters(body, (text) => withoutErased({ applicationId, text })) }]
  })
}

function toSent({ body, putAsideAt }: NewDeadLetter) {
  const { applicationId = 0, events = [] } = parseMessage(body) ?? {}
  const enqueuedAt = putAsideAt - LONGEST_WAY_MS
  return events.map((event) => ({ applicationId, telegramId: userOf(event), enqueuedAt }))
}

/** What an operator sees of a dead letter: nothing that a person said. */
interface DeadLetterSummary {
  /** Null if it is no message. */
  readonly applicationId: number | null
  readonly events: number
  readonly users: number
  /** Names of its events, each once. */
  readonly names: readonly string[]
  readonly why: string
}

export function readDeadLetter(body: string): DeadLetterSummary {
  const message = parseMessage(body)
  if (!message) return { applicationId: null, events: 0, users: 0, names: [], why: 'no message of the queue' }
  const events = message.events.filter(isObject)
  return {
    applicationId: message.applicationId,
    events: message.events.length,
    users: new Set(events.map(({ telegramId }) => telegramId)).size,
    names: [...new Set(events.map(({ name }) => String(name)))],
    why: message.events.every((event) => parseEvent(event) !== null) ? 'refused or tried too often' : 'no event',
  }
}
