import type { Event } from '../base/event.ts'
import { databaseOf } from '../storage/activity.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import {
  type EventDestinations,
  forgetDestinations,
  isKept,
  type StoringTarget,
  stateIn,
} from './destinations/destination.ts'
import { findDeleted, findErased, type SentOf } from './erased-users/erased-users.ts'
import { isTakenId } from './event-batch.ts'
import { isFenced } from './fences/fence.ts'
import { withoutErasedReferrers } from './referrers.ts'
import { toDistinct } from './rows.ts'

// The one way into the databases, for deliveries of the queue and for imports: each item goes where its user is, in one batch for each
// database, so no database waits for another. A batch names the fences that it was decided under (`fences/fence.ts`), and fails as a
// whole where something was erased, deleted or moved meanwhile: its items then begin anew.

/** Something to store in its user's database. */
export interface Storable extends SentOf {
  /** Null for what an import says of a user besides their events. */
  readonly event: Event | null
}

/**
 * Why an item is not stored: it was sent before its application was deleted, or although that was gone; its user was erased, its day is
 * not kept, or it comes twice.
 */
export type LeftOutReason = 'deleted' | 'late' | 'erased' | 'old' | 'repeated'

/** How items are stored, and what becomes of those that are not. */
export interface Storing<Item extends Storable> {
  readonly env: Env
  /** Where the events of these applications go; those that are gone are missing. */
  findDestinations(applicationIds: readonly number[]): Promise<EventDestinations>
  /** Stores items in one database, all or nothing. */
  storeBatch(items: readonly Item[], target: StoringTarget): Promise<void>
  /** An item with its start parameters changed: the same one if none of them is. */
  mapStartParameters(item: Item, change: (startParameter: string) => string): Item
  leaveOut(items: readonly Item[], reason: LeftOutReason): void
  /** The database will never take this item. */
  refuse(item: Item): Promise<void> | void
  /** Leaves items for later, because of `IS_MOVING` or an error. May throw, which ends the delivery. */
  postpone(items: readonly Item[], reason: unknown): void
}

export const IS_MOVING = 'the application is being moved'

/** How often a batch is tried that meets a fence. */
const TRIES = 5

/** Stores each item in the database of its user, or hands it to `storing`. */
export async function storeAll<Item extends Storable>(
  items: readonly Item[],
  storing: Storing<Item>,
  tries = TRIES,
): Promise<void> {
  if (items.length === 0) return
  try {
    const destinations = await storing.findDestinations([...applicationsOf(items)])
    const wanted = await withoutUnwanted(items, destinations, storing)
    const groups = Map.groupBy(wanted, ({ applicationId, telegramId }) =>
      databaseOf(destinations.get(applicationId)?.databases ?? [], telegramId),
    )
    await Promise.all([...groups].map(([number, own]) => storeIn({ number, destinations, tries }, own, storing)))
  } catch (error) {
    storing.postpone(items, error)
  }
}

interface TargetOnce extends StoringTarget {
  /** How often a fence may be met, this time included. */
  readonly tries: number
}

function applicationsOf(items: readonly Storable[]): Set<number> {
  return new Set(items.map(({ applicationId }) => applicationId))
}

/** Leaves out what came for applications that are gone, of users who were erased, and of days that are not kept. */
async function withoutUnwanted<Item extends Storable>(
  items: readonly Item[],
  destinations: EventDestinations,
  storing: Storing<Item>,
): Promise<readonly Item[]> {
  const directory = openDatabase(storing.env.DB, 'lookUp')
  const there = await withoutGone(items, { directory, destinations, storing })
  const isErased = await findErased(there, { directory, keys: destinations })
  const allowed = leaveOut({ items: there, reason: 'erased', isLeftOut: isErased }, storing)
  const isOld = ({ applicationId, event }: Item) => {
    const destination = destinations.get(applicationId)
    return event !== null && destination !== undefined && !isKept(event.time, destination)
  }
  const kept = leaveOut({ items: allowed, reason: 'old', isLeftOut: isOld }, storing)
  return withoutErasedReferrers(kept, { directory, destinations, ...storing })
}

interface Looking<Item extends Storable> {
  readonly directory: Database
  readonly destinations: EventDestinations
  readonly storing: Storing<Item>
}

async function withoutGone<Item extends Storable>(
  items: readonly Item[],
  { directory, destinations, storing }: Looking<Item>,
): Promise<readonly Item[]> {
  const isGone = ({ applicationId }: Item) => !destinations.has(applicationId)
  if (!items.some(isGone)) return items
  const isDeleted = await findDeleted(applicationsOf(items.filter(isGone)), directory)
  const rest = leaveOut({ items, reason: 'deleted', isLeftOut: (item) => isGone(item) && isDeleted(item) }, storing)
  return leaveOut({ items: rest, reason: 'late', isLeftOut: isGone }, storing)
}

interface Choice<Item> {
  readonly items: readonly Item[]
  readonly reason: LeftOutReason
  readonly isLeftOut: (item: Item) => boolean
}

/** Reports the chosen items as left out. Returns all others. */
function leaveOut<Item extends Storable>(
  { items, reason, isLeftOut }: Choice<Item>,
  storing: Storing<Item>,
): readonly Item[] {
  const left = items.filter(isLeftOut)
  if (left.length === 0) return items
  storing.leaveOut(left, reason)
  return items.filter((item) => !isLeftOut(item))
}

/** Stores what goes into one database, except for applications that it is closed for. */
async function storeIn<Item extends Storable>(
  target: TargetOnce,
  items: readonly Item[],
  storing: Storing<Item>,
): Promise<void> {
  const { number, destinations } = target
  const first = new Set(toDistinct(items))
  const distinct = leaveOut({ items, reason: 'repeated', isLeftOut: (item) => !first.has(item) }, storing)
  const stateOf = ({ applicationId }: Item) => stateIn(destinations.get(applicationId), number)
  const { silent, closed, open = [] } = Object.groupBy(distinct, stateOf)
  if (silent) storing.postpone(silent as Item[], 'its database did not answer')
  if (closed) storing.postpone(closed as Item[], IS_MOVING)
  await store(target, open as Item[], storing)
}

/** One batch, all or nothing. To find what the database refuses, halves are tried. */
async function store<Item extends Storable>(
  target: TargetOnce,
  items: readonly Item[],
  storing: Storing<Item>,
): Promise<void> {
  const [item] = items
  if (!item) return
  try {
    await storing.storeBatch(items, target)
  } catch (error) {
    if (isFenced(error)) return storeAnew(target, items, error, storing)
    if (!isPermanent(error)) return storing.postpone(items, error)
    if (items.length === 1) return storing.refuse(item)
    const middle = items.length >> 1
    await store(target, items.slice(0, middle), storing)
    await store(target, items.slice(middle), storing)
  }
}

/** Something was erased, deleted or moved since it was looked up. */
async function storeAnew<Item extends Storable>(
  { tries }: TargetOnce,
  items: readonly Item[],
  error: unknown,
  storing: Storing<Item>,
): Promise<void> {
  forgetDestinations(applicationsOf(items))
  if (tries === 1) storing.postpone(items, error)
  else await storeAll(items, storing, tries - 1)
}

/** Errors that the same data meets however often it is tried. */
const PERMANENT_ERRORS = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'malformed JSON']

function isPermanent(error: unknown): boolean {
  return !isTakenId(error) && PERMANENT_ERRORS.some((words) => String(error).includes(words))
}
