import type { NewEntries } from '../accounts/quotas/new-entries.ts'
import { shareOf } from '../accounts/quotas/quota.ts'
import type { Event, EventProperties } from '../base/event.ts'
import { bindingOf } from '../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { nameOfObject, type ObjectKey } from '../storage/object-name.ts'
import { areBindable, toTexts } from './cells.ts'
import { fenceIn, type StoringTarget } from './destinations/destination.ts'
import { requireFences } from './fences/fence.ts'
import { withoutNew } from './folding.ts'
import { findKnown } from './known/known.ts'
import { type Collected, fingerprintOf, toRows } from './rows.ts'
import { storeStatements } from './sql.ts'

export interface StoringMoment {
  readonly env: Env
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** How long a batch may take where somebody waits for an answer; as long as the database allows by default. */
  readonly timeout?: 'question'
}

/** A row that a batch returns: what is new, or an object that has something to read. */
export type StoredEffect = NewEntries | ObjectKey

/** What was changed. */
export interface Stored {
  /** The objects that have something to read, each once. */
  readonly objects: readonly ObjectKey[]
  readonly growth: readonly NewEntries[]
}

export function toStored(changes: readonly StoredEffect[]): Stored {
  const objects = changes.filter((change) => 'objects' in change)
  return {
    objects: [...new Map(objects.map((key) => [nameOfObject(key), key])).values()],
    growth: changes.filter((change) => 'quota' in change),
  }
}

export interface StoredBatch {
  readonly changes: readonly StoredEffect[]
  /** How many of its events were not there before. */
  readonly stored: number
}

/** The statements that add contexts to an application that does not have them yet. */
export function contextStatements(
  db: BatchDatabase,
  contexts: readonly EventProperties[],
  { applicationId, number, now }: { readonly applicationId: number; readonly number: number; readonly now: number },
): D1PreparedStatement[] {
  const distinct = new Map(contexts.map((context) => [fingerprintOf(context), context]))
  const rows = [...distinct].map(([fingerprint, context]) => {
    return { ...context, applicationId, fingerprint, share: shareOf('full', false) }
  })
  return storeStatements(db, toTexts({ ...toRows([], now), contexts: rows }), { now, number })
}

/** How often a batch is tried that meets an id which another one stored meanwhile. */
const TRIES = 5

/** Stores distinct events in one database, all or nothing. */
export async function storeEvents(
  items: readonly Collected[],
  target: StoringTarget,
  moment: StoringMoment,
  tries = TRIES,
): Promise<StoredBatch> {
  const { number } = target
  const db = openDatabase(bindingOf(moment.env, number), moment.timeout)
  const unknown = await withoutNew(await withoutKnownIds(items, db), db)
  if (unknown.length === 0) return { changes: [], stored: 0 }
  const groups = statementGroups(db, unknown, { number, now: moment.now })
  const fences = [...new Set(unknown.map(({ applicationId }) => applicationId))].map((id) => fenceIn(target, id))
  try {
    const results = await db.$client.batch<StoredEffect>([requireFences(db, fences), ...groups.flat()])
    const [, ...storing] = results
    return {
      changes: results.flatMap((result) => result.results),
      stored: groups.map((group) => storing.splice(0, group.length)).reduce((sum, own) => sum + storedBy(own), 0),
    }
  } catch (error) {
    if (tries === 1 || !isTakenId(error)) throw error
    return storeEvents(items, target, moment, tries - 1)
  }
}

/** In as few groups as possible: each group reads the pages of the database that it changes once more. */
function statementGroups(
  db: BatchDatabase,
  items: readonly Collected[],
  storingIn: { readonly number: number; readonly now: number },
): D1PreparedStatement[][] {
  const texts = toTexts(toRows(items, storingIn.now))
  if (items.length === 1 || areBindable(texts)) return [storeStatements(db, texts, storingIn)]
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)].flatMap((half) => statementGroups(db, half, storingIn))
}

/** The last statement of a group stores the events themselves. */
function storedBy(group: readonly D1Result[]): number {
  return group.at(-1)?.meta.changes ?? 0
}

/**
 * Leaves out the events that are known by their id: a resend may say something else, another time above all, and nothing of
 * it counts. An id that is stored between this look and the batch makes the batch fail as a whole.
 */
async function withoutKnownIds(items: readonly Collected[], db: BatchDatabase): Promise<readonly Collected[]> {
  const isKnown = await findKnown(db, 'id', items.flatMap(idsOf))
  return items.filter((item) => !idsOf(item).some((key) => isKnown(...key)))
}

/** The ids under which an event may be stored. */
function idsOf({ applicationId, event: { id, formerId } }: Collected) {
  return [id, formerId].flatMap((some) => (typeof some === 'string' ? [[applicationId, some] as const] : []))
}

export function isTakenId(error: unknown): boolean {
  return String(error).includes('NOT NULL constraint failed: event_ids.members')
}

/** An event's row without its parameters, and its share of other rows. */
const EVENT_BYTES = 80

/** About how many bytes these events take in the database. New names, contexts and users are counted when they are stored. */
export function bytesOf(events: readonly Event[]): number {
  return events.length * EVENT_BYTES + Buffer.byteLength(events.map(({ params }) => params ?? '').join(''))
}
