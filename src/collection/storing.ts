import { isFenced, requireFences } from '../fences/fence.ts'
import { logError, logInfo } from '../log.ts'
import { nameOfObject, type ObjectKey } from '../objects/object-name.ts'
import type { Growth } from '../quotas/growth.ts'
import { bindingOf, databaseOf } from '../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { dayOf } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { type Destination, findDestinations, forgetDestinations, isKept, stateIn } from './destination.ts'
import { withoutErased } from './erasures.ts'
import { type Collector, QUEUE_TIMEOUT_MS, toMessage } from './message.ts'
import { type Collected, toDistinct, toRows } from './rows.ts'
import { selectKnownIds, storeStatements } from './sql.ts'

export interface Consuming {
  readonly env: Env
  /** When the delivery came: milliseconds since 1970 UTC. */
  readonly now: number
  /** How long a batch may take where somebody waits for an answer; as long as the database allows by default. */
  readonly timeout?: 'question'
}

export type QueueMessage = Message<unknown>

/** One event on its way. */
export interface Weighed extends Collected {
  /** Rough length of its JSON, in characters. */
  readonly weight: number
}

/** And the queue message that brought it. */
export interface Parcel extends Weighed {
  readonly message: QueueMessage
}

export interface Storing {
  readonly consuming: Consuming
  /** Messages of which something is not stored yet, and the longest pause (seconds) until they come again. */
  readonly unstored: Map<QueueMessage, number>
  readonly told: Told[]
}

/** A row of a batch: what is new, or an object that has something to read. */
export type Told = Growth | ObjectKey

/** What was changed. */
export interface Stored {
  /** The objects that have something to read, each once. */
  readonly objects: readonly ObjectKey[]
  readonly growth: readonly Growth[]
}

export function toStored(told: readonly Told[]): Stored {
  const objects = new Map(told.filter(isObjectKey).map((key) => [nameOfObject(key), key]))
  return { objects: [...objects.values()], growth: told.filter(isGrowth) }
}

function isObjectKey(row: Told): row is ObjectKey {
  return 'objects' in row
}

function isGrowth(row: Told): row is Growth {
  return 'quota' in row
}

/** With the 100 tries of wrangler.toml this makes four days, as long as the queue keeps a message. */
export const LONGEST_PAUSE_SECONDS = 3_600
/** While an application is being moved: it goes on soon after. */
const MOVE_PAUSE_SECONDS = 300

/** How often a delivery is tried that meets a fence, or an id which another one stored meanwhile. */
const TRIES = 5

/** Stores events where their users are. What each database is to store is a batch of its own, so none waits for another one. */
export async function storeAll(parcels: readonly Parcel[], storing: Storing, tries = TRIES): Promise<void> {
  if (parcels.length === 0) return
  const { consuming } = storing
  try {
    const destinations = await findDestinations([...applicationsOf(parcels)], consuming)
    const wanted = withoutOld(await withoutUnwanted(parcels, destinations, consuming), destinations)
    const unknown = await withoutIdsElsewhere(toDistinct(wanted), destinations, consuming)
    const groups = Map.groupBy(unknown, (parcel) => numberOf(parcel, destinations))
    await Promise.all(
      [...groups].map(([number, own]) => storeIn({ number, destinations, tries }, own as Parcel[], storing)),
    )
  } catch (error) {
    retryLater(parcels, error, storing)
  }
}

type Destinations = ReadonlyMap<number, Destination>

/** A database, and what the delivery knows of its applications. */
export interface Place {
  readonly number: number
  readonly destinations: Destinations
}

interface PlaceOnce extends Place {
  readonly tries: number
}

function applicationsOf(parcels: readonly Collected[]): Set<number> {
  return new Set(parcels.map(({ applicationId }) => applicationId))
}

function numberOf({ applicationId, event }: Parcel, destinations: Destinations): number {
  return databaseOf(destinations.get(applicationId)?.databases ?? [], event.telegramId)
}

/** Leaves out what came for applications that are gone, and of users who were erased. */
async function withoutUnwanted(
  parcels: readonly Parcel[],
  destinations: Destinations,
  { env }: Consuming,
): Promise<readonly Parcel[]> {
  const there = parcels.filter(({ applicationId }) => destinations.has(applicationId))
  if (there.length < parcels.length) {
    logInfo('events of applications that are gone', { events: parcels.length - there.length })
  }
  const hasErasures = ({ applicationId }: Parcel) => destinations.get(applicationId)?.hasErasures === true
  if (!there.some(hasErasures)) return there
  const kept = new Set(await withoutErased(there.filter(hasErasures), toSent, openDatabase(env.DB, 'lookUp')))
  return there.filter((parcel) => kept.has(parcel) || !hasErasures(parcel))
}

/** Leaves out what is older than its application keeps. */
function withoutOld(parcels: readonly Parcel[], destinations: Destinations): readonly Parcel[] {
  const kept = parcels.filter(({ applicationId, event }) => {
    const destination = destinations.get(applicationId)
    return !destination || isKept(dayOf(event.time), destination)
  })
  if (kept.length < parcels.length)
    logInfo('events of days that are not kept', { events: parcels.length - kept.length })
  return kept
}

function toSent({ applicationId, event, message }: Parcel) {
  return { applicationId, telegramId: event.telegramId, enqueuedAt: message.timestamp.getTime() }
}

/** Stores what is for one database, but for applications that it is closed for. */
async function storeIn(place: PlaceOnce, parcels: readonly Parcel[], storing: Storing): Promise<void> {
  const { number, destinations } = place
  const stateOf = ({ applicationId }: Parcel) => stateIn(destinations.get(applicationId), number)
  const { silent, closed = [], open = [] } = Object.groupBy(parcels, stateOf)
  if (silent) retryLater(silent, 'its database did not answer', storing)
  for (const { message } of closed) retry(message, MOVE_PAUSE_SECONDS, storing)
  await store(place, open, storing)
}

/** One batch, all or nothing. To find what the database refuses, halves are tried. */
async function store(place: PlaceOnce, parcels: readonly Parcel[], storing: Storing): Promise<void> {
  const [parcel] = parcels
  if (!parcel) return
  try {
    storing.told.push(...(await storeBatch(place, parcels, storing.consuming)).told)
  } catch (error) {
    if (isFenced(error)) return storeAnew(place, parcels, error, storing)
    if (!isPermanent(error)) return retryLater(parcels, error, storing)
    if (parcels.length === 1) return sendToDeadLetters(toDeadLetter(parcel, parcel.event), parcel.message, storing)
    const middle = parcels.length >> 1
    await store(place, parcels.slice(0, middle), storing)
    await store(place, parcels.slice(middle), storing)
  }
}

/** Something was erased, deleted or moved since it was looked up. */
async function storeAnew(
  { tries }: PlaceOnce,
  parcels: readonly Parcel[],
  error: unknown,
  storing: Storing,
): Promise<void> {
  forgetDestinations(applicationsOf(parcels))
  if (tries === 1) return retryLater(parcels, error, storing)
  await storeAll(parcels, storing, tries - 1)
}

/** What a batch brought. */
export interface Batch {
  readonly told: readonly Told[]
  /** How many of its events were not there before. */
  readonly stored: number
}

/** Stores distinct events in one database, all or nothing. */
export async function storeBatch(
  place: Place,
  items: readonly Weighed[],
  consuming: Consuming,
  tries = TRIES,
): Promise<Batch> {
  const { number, destinations } = place
  const db = openDatabase(bindingOf(consuming.env, number), consuming.timeout)
  const unknown = await withoutKnownIds(items, db)
  if (unknown.length === 0) return { told: [], stored: 0 }
  const storingIn = { number, now: consuming.now }
  const groups = portions(unknown).map((portion) => storeStatements(db, toRows(portion, consuming.now), storingIn))
  const fences = [...applicationsOf(unknown)].map((id) => [id, destinations.get(id)?.fences.get(number) ?? 0] as const)
  try {
    const results = await db.$client.batch<Told>([requireFences(db, fences), ...groups.flat()])
    const stored = lastOfEach(groups).reduce((sum, place) => sum + (results[place]?.meta.changes ?? 0), 0)
    return { told: results.flatMap((result) => result.results), stored }
  } catch (error) {
    if (tries === 1 || !isTakenId(error)) throw error
    return storeBatch(place, items, consuming, tries - 1)
  }
}

/** Where the statements stand that store the events themselves, behind that of the fences. */
function lastOfEach(groups: readonly (readonly unknown[])[]): number[] {
  let place = 0
  return groups.map(({ length }) => {
    place += length
    return place
  })
}

/**
 * Leaves out the events that are known by their id: a resend may say something else, another time above all, and nothing of
 * it counts. An id that is stored between this look and the batch makes the batch fail as a whole.
 */
async function withoutKnownIds(parcels: readonly Weighed[], db: BatchDatabase): Promise<readonly Weighed[]> {
  const ids = parcels.flatMap(({ applicationId, event }) => (event.id ? [{ applicationId, id: event.id }] : []))
  if (ids.length === 0) return parcels
  const known = new Set((await selectKnownIds(db, ids)).map(({ applicationId, id }) => `${applicationId} ${id}`))
  return parcels.filter(({ applicationId, event }) => !known.has(`${applicationId} ${event.id}`))
}

/**
 * The same in all databases of applications that are in several: a resend may name another user. Of one that does not answer
 * nobody knows, and it holds up nobody else.
 */
export async function withoutIdsElsewhere<W extends Weighed>(
  parcels: readonly W[],
  destinations: Destinations,
  { env }: Pick<Consuming, 'env'>,
): Promise<readonly W[]> {
  const numbers = new Set<number>()
  const isSpread = ({ applicationId, event }: W) =>
    event.id !== null && new Set(destinations.get(applicationId)?.databases).size > 1
  const spread = parcels.filter(isSpread)
  for (const { applicationId } of spread) {
    for (const number of destinations.get(applicationId)?.databases ?? []) numbers.add(number)
  }
  const kept = await Promise.all(
    [...numbers].map((number) =>
      withoutKnownIds(spread, openDatabase(bindingOf(env, number), 'lookUp')).catch((error) => {
        logError('ids not looked up', error, { database: number })
        return spread
      }),
    ),
  )
  const unknown = kept.map((some) => new Set<Weighed>(some))
  return parcels.filter((parcel) => !isSpread(parcel) || unknown.every((some) => some.has(parcel)))
}

function isTakenId(error: unknown): boolean {
  return String(error).includes('UNIQUE constraint failed: event_ids')
}

/** A bound value may be 2 MB long; a character may take 3 bytes. */
const PORTION_CHARACTERS = 400_000

function portions(parcels: readonly Weighed[]): Weighed[][] {
  const result: Weighed[][] = []
  let room = 0
  for (const parcel of parcels) {
    if (parcel.weight > room || result.length === 0) {
      result.push([])
      room = PORTION_CHARACTERS
    }
    result.at(-1)?.push(parcel)
    room -= parcel.weight
  }
  return result
}

/** Errors that the same data would meet again however often it is tried. */
const PERMANENT_ERRORS = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'malformed JSON']

export function isPermanent(error: unknown): boolean {
  return !isTakenId(error) && PERMANENT_ERRORS.some((words) => String(error).includes(words))
}

function retryLater(parcels: readonly Parcel[], error: unknown, storing: Storing): void {
  logError('events not stored yet', error, { events: parcels.length })
  for (const { message } of parcels) retry(message, LONGEST_PAUSE_SECONDS, storing)
}

/** A message comes again as soon as anything of it may be stored. */
export function retry(message: QueueMessage, longestPauseSeconds: number, { unstored }: Storing): void {
  unstored.set(message, Math.min(unstored.get(message) ?? LONGEST_PAUSE_SECONDS, longestPauseSeconds))
}

export function toDeadLetter(collector: Collector, event: unknown): string {
  return toMessage(collector, [JSON.stringify(event)])
}

/** Puts a message aside, alone. One that is not taken comes again. */
export async function sendToDeadLetters(body: unknown, message: QueueMessage, storing: Storing): Promise<void> {
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { DEAD_LETTERS } = storing.consuming.env
    await withTimeout(DEAD_LETTERS.send(text, { contentType: 'text' }), QUEUE_TIMEOUT_MS)
    logError('event cannot be stored', 'moved to the dead-letter queue', { message: message.id })
  } catch (error) {
    logError('dead letter not kept yet', error, { message: message.id })
    retry(message, LONGEST_PAUSE_SECONDS, storing)
  }
}
