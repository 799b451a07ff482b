import { type QuotaShare, shareOf } from '../accounts/quotas/quota.ts'
import {
  CONTEXT_PROPERTIES,
  type Event,
  type EventProperties,
  FIRST_CONTEXT_PROPERTIES,
  type PropertyName,
  USER_PROPERTIES,
} from '../base/event.ts'
import { hourOf, MS_PER_HOUR, utcDayOf } from '../base/time/days.ts'
import { MAX_OBJECTS } from '../storage/object-name.ts'
import { memberOf } from './identity.ts'
import type { Collector } from './message.ts'

/** An event with its application. */
export interface Collected extends Collector {
  readonly event: Event
  /** The properties of its context, if they are fewer than those of the event. */
  readonly context?: EventProperties | undefined
}

const TIE_BELOW = 2 ** 20

/** The rows that the statements of `sql.ts` read as JSON. */
export type ActivityRows = ReturnType<typeof toRows>

/** Turns distinct events into rows, at a moment (milliseconds since 1970 UTC). New names, contexts and users count for `share`. */
export function toRows(collected: readonly Collected[], now: number) {
  const names = new DistinctRows<OfShare & { readonly name: string }>()
  const contexts = new DistinctRows<OfShare & EventProperties & { readonly fingerprint: string }>()
  const users = new DistinctRows<OfShare & { readonly telegramId: number }>()
  // Events of one message share these, and making them takes longer than all else here.
  const fingerprints = new Map<EventProperties, string>()
  const indexed = collected.map(({ applicationId, scope, event, context = event.properties }): IndexedEvent => {
    const { name, telegramId } = event
    const share = shareOf(scope, event.properties.verified === true)
    const fingerprint = fingerprints.get(context) ?? fingerprintOf(context)
    fingerprints.set(context, fingerprint)
    return {
      applicationId,
      event,
      name: names.of(applicationId, name, () => ({ applicationId, share, name })),
      context: contexts.of(applicationId, fingerprint, () => ({
        ...context,
        applicationId,
        share,
        fingerprint,
      })),
      user: users.of(applicationId, telegramId, () => ({ applicationId, share, telegramId })),
    }
  })
  const byUser = indexed.toSorted((a, b) => a.event.telegramId - b.event.telegramId)
  return {
    names: names.rows,
    contexts: contexts.rows,
    userIds: users.rows,
    // These roughly in the order of their tables: so a page of the database is written once, not as often as it has rows.
    events: indexed.toSorted(byPosition).map(toEventRow),
    /** What identifies the events of each user. */
    keys: indexed.map(toKeyRow),
    users: groupBy(byUser, ({ user }) => user).flatMap(toUserRows),
    sessions: toSessions(byUser),
    eventIds: toIdRows(indexed),
    changes: toChangeRows(indexed, now),
  }
}

interface OfShare {
  readonly applicationId: number
  readonly share: QuotaShare
}

/** An event, and the indexes of the rows that it points at. */
interface IndexedEvent {
  readonly applicationId: number
  readonly event: Event
  readonly name: number
  readonly context: number
  readonly user: number
}

/** Drops repeated events; the first of each stays, and so does what is no event. */
export function toDistinct<T extends { readonly applicationId: number; readonly event: Event | null }>(
  items: readonly T[],
): readonly T[] {
  const keys = new Set(items.map(({ event }) => event?.key))
  // Equal events have equal keys, so mostly there is nothing to compare.
  if (keys.size === items.length) return items
  const identities = (item: T) => (item.event ? identityOf(item.applicationId, item.event) : item)
  return [...Map.groupBy(items, identities).values()].flatMap(([first]) => first ?? [])
}

function identityOf(applicationId: number, event: Event): string {
  const { id, name, time, telegramId, key } = event
  return id === null ? `${applicationId} ${telegramId} ${time} ${key} ${name}` : `${applicationId} ${id}`
}

/**
 * The JSON array of a context's properties, which identifies it. Properties without a value are left out at its end, so a new
 * property does not store every known context again.
 */
export function fingerprintOf(properties: EventProperties): string {
  const values = CONTEXT_PROPERTIES.map((property) => properties[property])
  const length = values.findLastIndex((value) => value !== null) + 1
  return JSON.stringify(values.slice(0, Math.max(length, FIRST_CONTEXT_PROPERTIES.length)))
}

function byPosition(a: IndexedEvent, b: IndexedEvent): number {
  return a.name - b.name || a.event.time - b.event.time
}

function toKeyRow({ event: { time, telegramId, key }, name, user }: IndexedEvent) {
  return { user, name, time, telegramId, key }
}

function toEventRow({ event, name, context }: IndexedEvent) {
  const { time, telegramId, key, params } = event
  return { name, context, time, telegramId, key, params }
}

/** A row for each event that has one of the user's latest values. Only the first has an index, events and sessions, so totals count once. */
function toUserRows(group: Group<IndexedEvent>) {
  const [{ applicationId, user }] = group
  const events = group.map(({ event }) => event).sort(byTime)
  const [earliest, latest] = [events[0] as Event, events.at(-1) as Event]
  const lastWords = Map.groupBy(
    USER_PROPERTIES,
    (property) => events.findLast(({ properties }) => properties[property] !== null) ?? latest,
  )
  const start = firstStartParameter(events)
  const totals = { index: user, events: events.length, volumes: toVolumes(group), sessions: sessionsOf(events) }
  return [...lastWords].map(([event, names], index) => ({
    applicationId,
    telegramId: event.telegramId,
    ...(index === 0 ? totals : NO_TOTALS),
    firstActiveAt: earliest.time,
    lastActiveAt: latest.time,
    ...start,
    time: event.time,
    tie: tieOf(event),
    ...valuesOf(event.properties, names),
  }))
}

const NO_TOTALS = { index: null, events: 0, volumes: [], sessions: [] }

type Volume = readonly [name: number, time: number, key: number, volume: number]

function toVolumes(group: Group<IndexedEvent>): Volume[] {
  return group
    .filter(({ event }) => event.volume !== 0)
    .map(({ name, event: { time, key, volume } }) => [name, time, key, volume])
}

/** To SQL, what is missing is null. */
function valuesOf(properties: EventProperties, names: readonly PropertyName[]): Partial<EventProperties> {
  const given = names.filter((name) => properties[name] !== null)
  return Object.fromEntries(given.map((name) => [name, properties[name]]))
}

function firstStartParameter(events: readonly Event[]) {
  const event = events.find(({ properties }) => properties.startParameter !== null)
  if (!event) return { utm: null, utmTime: null, utmTie: null }
  return { utm: event.properties.startParameter, utmTime: event.time, utmTie: tieOf(event) }
}

function toSessions(indexed: readonly IndexedEvent[]) {
  const rows = new DistinctRows<{ applicationId: number; telegramId: number; session: string; day: number }>()
  for (const { applicationId, event, user } of indexed) {
    const { telegramId, session, time } = event
    if (session === null) continue
    const day = utcDayOf(time)
    rows.of(user, `${day} ${session}`, () => ({ applicationId, telegramId, session, day }))
  }
  return rows.rows
}

function toChangeRows(indexed: readonly IndexedEvent[], now: number) {
  const bucket = ({ event }: IndexedEvent) => bucketOf(event.time, now)
  return groupBy(indexed, (item) => `${item.name} ${bucket(item)}`).map((group) => {
    return toChangeRow(group, { bucket: bucket(group[0]), isLive: isLive(group[0].event.time, now) })
  })
}

const MS_PER_MINUTE = 60_000
/** Events that are stored within this time are live. */
const LIVE_MS = 15_000
const MS_PER_LIVE_BUCKET = 5_000

/**
 * The time bucket within which changes are one row. For live events of any name, it is the five seconds in which they are stored. For other
 * events of one name, it is the minute if they happened within the last hour, else the hour, as whole units since 1970 UTC. An object reads
 * a row's time span again if the row grew while it read it. Live rows stop growing after five seconds, so under load it reads what is new
 * and little else. An event that is some minutes late does not make it read everything between that and the newest ones, and a year of
 * imported events does not make half a million rows of each name. The numbers of shorter buckets are greater than those of longer ones that
 * an event may have.
 */
function bucketOf(time: number, now: number): number {
  if (isLive(time, now)) return Math.floor(now / MS_PER_LIVE_BUCKET)
  return now - time < MS_PER_HOUR ? Math.floor(time / MS_PER_MINUTE) : hourOf(time)
}

function isLive(time: number, now: number): boolean {
  return Math.abs(now - time) < LIVE_MS
}

/**
 * The first and last event of a name within a bucket, and the users' ids modulo the greatest number of objects: from these their
 * partition follows for any number of objects.
 */
function toChangeRow(
  group: Group<IndexedEvent>,
  { bucket, isLive }: { readonly bucket: number; readonly isLive: boolean },
) {
  const [{ name, event }] = group
  let { time: from, time: to } = event
  const slots = new Set<number>()
  for (const { event } of group) {
    from = Math.min(from, event.time)
    to = Math.max(to, event.time)
    slots.add(event.telegramId % MAX_OBJECTS)
  }
  return { name, bucket, isLive, from, to, slots: [...slots] }
}

/** A bit for each id that a row is to hold. */
function toIdRows(indexed: readonly IndexedEvent[]) {
  const rows = new Map<string, { readonly applicationId: number; readonly row: string; members: number }>()
  for (const { applicationId, event } of indexed) {
    if (event.id === null || !event.claimsId) continue
    const { row, member } = memberOf(event.id)
    const known = rows.get(`${applicationId} ${row}`) ?? { applicationId, row, members: 0 }
    // Unsigned: bit 31 is a member, too.
    known.members = (known.members | (1 << member)) >>> 0
    rows.set(`${applicationId} ${row}`, known)
  }
  return [...rows.values()]
}

function sessionsOf(events: readonly Event[]): string[] {
  return [...new Set(events.flatMap(({ session }) => (session === null ? [] : [session])))]
}

function byTime(a: Event, b: Event): number {
  return a.time - b.time || tieOf(a) - tieOf(b)
}

function tieOf(event: Event): number {
  return event.key % TIE_BELOW
}

/** Never empty. */
type Group<T> = readonly [T, ...T[]]

/** In the order of each group's first item. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | number): Group<T>[] {
  return [...Map.groupBy(items, keyOf).values()] as unknown as Group<T>[]
}

/** Distinct rows of applications, or of users, each with its index. */
class DistinctRows<Row> {
  readonly rows: Row[] = []
  readonly #indexes = new Map<number, Map<string | number, number>>()

  of(owner: number, key: string | number, make: () => Row): number {
    const indexes = this.#indexes.get(owner) ?? new Map<string | number, number>()
    const known = indexes.get(key)
    if (known !== undefined) return known
    const index = this.rows.push(make()) - 1
    this.#indexes.set(owner, indexes.set(key, index))
    return index
  }
}
