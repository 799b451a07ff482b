import type { CollectingScope } from '../accounts/api-keys.ts'
import {
  type Destination,
  findDestinations,
  forgetDestinations,
  isKept,
  isOpen,
  stateIn,
} from '../collection/destination.ts'
import { withoutErased } from '../collection/erasures.ts'
import { toDistinct } from '../collection/rows.ts'
import { isPermanent, storeBatch, type Told, type Weighed, withoutIdsElsewhere } from '../collection/storing.ts'
import { Failure } from '../errors.ts'
import { isFenced, requireFences } from '../fences/fence.ts'
import { bindingOf, databaseOf } from '../storage/activity.ts'
import { DATABASE_AWAY, openDatabase } from '../storage/database.ts'
import { dayOf } from '../time/days.ts'
import type { Line } from './line.ts'
import { type ChangedUser, userStatements } from './sql.ts'

export interface Importing {
  readonly applicationId: number
  readonly scope: CollectingScope
  readonly env: Env
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

interface Refused {
  /** From 1 on. */
  readonly line: number
  readonly reason: string
}

/** What became of lines. */
interface Tally {
  stored: number
  known: number
  readonly refused: Refused[]
  readonly told: Told[]
}

/** A line that holds something, and its number from 1 on. */
type Held = Extract<Line, { kind: 'event' | 'user' }> & { readonly line: number; readonly telegramId: number }

type HeldEvent = Extract<Held, { kind: 'event' }>
type HeldUser = Extract<Held, { kind: 'user' }>

/** How often lines are tried that meet a fence: of an application that is being moved, or from which somebody is erased. */
const TRIES = 5

/**
 * Stores what these lines hold where their users are, events before users. Throws `unavailable`: what was stored until then
 * stays, and the same lines may be sent again.
 */
export async function storeLines(lines: readonly Line[], importing: Importing): Promise<Tally> {
  const tally: Tally = { stored: 0, known: 0, refused: lines.flatMap(refusalOf), told: [] }
  let waiting: readonly Held[] = lines.flatMap(heldOf)
  for (let tries = TRIES; waiting.length > 0; tries -= 1) {
    if (tries === 0) throw new Failure('unavailable', DATABASE_AWAY)
    waiting = await storeOnce(waiting, importing, tally)
  }
  tally.refused.sort((a, b) => a.line - b.line)
  return tally
}

function refusalOf(line: Line, place: number): Refused[] {
  return line.kind === 'refused' ? [{ line: place + 1, reason: line.reason }] : []
}

function heldOf(line: Line, place: number): Held[] {
  if (line.kind === 'event') return [{ ...line, line: place + 1, telegramId: line.event.telegramId }]
  return line.kind === 'user' ? [{ ...line, line: place + 1, telegramId: line.user.telegramId }] : []
}

/** Returns the lines that met a fence. */
async function storeOnce(lines: readonly Held[], importing: Importing, tally: Tally): Promise<readonly Held[]> {
  const destination = await findDestination(importing)
  const storing = { destination, importing, tally }
  const wanted = withoutOld(await withoutUnwanted(lines, storing), storing)
  const unknown = await withoutKnown(wanted, storing)
  const groups = Map.groupBy(unknown, ({ telegramId }) => databaseOf(destination.databases, telegramId))
  const fenced = await Promise.all([...groups].map(([number, group]) => storeInOne(group, { ...storing, number })))
  return fenced.flat()
}

/** Throws `unavailable` where one of its databases does not answer, or takes nothing just now. */
async function findDestination({ applicationId, env, now }: Importing): Promise<Destination> {
  const destination = (await findDestinations([applicationId], { env, now })).get(applicationId)
  if (!destination) throw new Failure('not-found', 'The application is gone.')
  if (isOpen(destination)) return destination
  forgetDestinations([applicationId])
  const isMoving = destination.databases.some((number) => stateIn(destination, number) === 'closed')
  throw isMoving
    ? new Failure('unavailable', MOVING, { retryAfterSeconds: MOVING_RETRY_SECONDS })
    : new Failure('unavailable', DATABASE_AWAY)
}

const MOVING = 'The application is being moved to another database. Send the request again when that is done.'
const MOVING_RETRY_SECONDS = 30

interface Storing {
  readonly destination: Destination
  readonly importing: Importing
  readonly tally: Tally
}

async function withoutUnwanted(lines: readonly Held[], { destination, importing, tally }: Storing) {
  if (!destination.hasErasures) return lines
  const { applicationId, env, now: enqueuedAt } = importing
  const directory = openDatabase(env.DB, 'lookUp')
  const kept = await withoutErased(lines, ({ telegramId }) => ({ applicationId, telegramId, enqueuedAt }), directory)
  const wanted = new Set(kept)
  for (const held of lines) if (!wanted.has(held)) tally.refused.push({ line: held.line, reason: ERASED })
  return kept
}

const ERASED = 'telegram_id: This user was erased, and nothing of them is stored'
const TOO_OLD = 'time: Events of this day are not kept any more'
const NOT_TAKEN = 'The database does not take this line'

function withoutOld(lines: readonly Held[], { destination, tally }: Storing): readonly Held[] {
  const isOld = (held: Held) => held.kind === 'event' && !isKept(dayOf(held.event.time), destination)
  for (const held of lines) if (isOld(held)) tally.refused.push({ line: held.line, reason: TOO_OLD })
  return lines.filter((held) => !isOld(held))
}

/** An event may come twice, and its id may be known of another user, in another database. */
async function withoutKnown(lines: readonly Held[], { destination, importing, tally }: Storing) {
  const events = lines.filter((held): held is HeldEvent => held.kind === 'event')
  const items = toDistinct(events.map((held) => ({ ...toItem(held, importing), held })))
  const unknown = await withoutIdsElsewhere(items, new Map([[importing.applicationId, destination]]), importing)
  const kept = new Set<Held>(unknown.map(({ held }) => held))
  tally.known += events.length - kept.size
  return lines.filter((held) => held.kind === 'user' || kept.has(held))
}

interface StoringIn extends Storing {
  /** Of the database. */
  readonly number: number
}

async function storeInOne(lines: readonly Held[], storing: StoringIn): Promise<readonly Held[]> {
  const events = lines.filter((held): held is HeldEvent => held.kind === 'event')
  const users = lines.filter((held): held is HeldUser => held.kind === 'user')
  const fenced = await halving(events, storing, storeEvents)
  return fenced.length > 0 ? [...fenced, ...users] : halving(users, storing, storeUsers)
}

/** To find what the database refuses, halves are tried. Returns the lines that met a fence. */
async function halving<H extends Held>(
  lines: readonly H[],
  storing: StoringIn,
  store: (lines: readonly H[], storing: StoringIn) => Promise<void>,
): Promise<readonly H[]> {
  const [held] = lines
  if (!held) return []
  try {
    await store(lines, storing)
    return []
  } catch (error) {
    if (isFenced(error)) {
      forgetDestinations([storing.importing.applicationId])
      return lines
    }
    if (!isPermanent(error)) throw error
    if (lines.length === 1) {
      storing.tally.refused.push({ line: held.line, reason: NOT_TAKEN })
      return []
    }
    const middle = lines.length >> 1
    const first = await halving(lines.slice(0, middle), storing, store)
    return [...first, ...(await halving(lines.slice(middle), storing, store))]
  }
}

async function storeEvents(lines: readonly HeldEvent[], { number, destination, importing, tally }: StoringIn) {
  const items = lines.map((held) => toItem(held, importing))
  const place = { number, destinations: new Map([[importing.applicationId, destination]]) }
  const { told, stored } = await storeBatch(place, items, { ...importing, timeout: 'question' })
  tally.told.push(...told)
  tally.stored += stored
  tally.known += lines.length - stored
}

/** Of what is not parameters, generously. */
const WEIGHT = 600

function toItem({ event }: HeldEvent, { applicationId, scope }: Importing): Weighed {
  return { applicationId, scope, event, weight: WEIGHT + (event.params?.length ?? 0) }
}

const USER_BYTES = 300

async function storeUsers(lines: readonly HeldUser[], { number, destination, importing, tally }: StoringIn) {
  const { applicationId, scope, env } = importing
  const db = openDatabase(bindingOf(env, number), 'question')
  const fence = requireFences(db, [[applicationId, destination.fences.get(number) ?? 0]])
  const users = lines.map(({ user }) => {
    return { ...user, sessions: user.sessions.filter(({ day }) => isKept(day, destination)) }
  })
  const results = await db.$client.batch<ChangedUser>([fence, ...userStatements(db, applicationId, users)])
  const rows = results.flatMap((result) => result.results)
  const count = rows.filter(({ isNew }) => isNew === 1).length
  tally.told.push({ applicationId, scope, quota: 'newUsers', count, bytes: count * USER_BYTES })
  const changed = new Set(rows.map(({ telegramId }) => telegramId))
  const stored = lines.filter(({ telegramId }) => changed.has(telegramId)).length
  tally.stored += stored
  tally.known += lines.length - stored
}
