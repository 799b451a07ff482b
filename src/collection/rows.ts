import { type QuotaShare, shareOf } from '../accounts/quotas/quota.ts'
import {
  CONTEXT_PROPERTIES,
  type Event,
  type EventProperties,
  FIRST_CONTEXT_PROPERTIES,
  type PropertyName,
  USER_PROPERTIES,
} from '../base/event.ts'
import { dayOf, hourOf, MS_PER_HOUR } from '../base/time/days.ts'
import { MAX_OBJECTS } from '../storage/object-name.ts'
import type { Collector } from './message.ts'

/** An event with its application. */
export interface Collected extends Collector {
  readonly event: Event
  /** The properties of its context, if they are fewer than those of the event. */
  readonly context?: EventProperties | undefined
}

interface OfApplication {
  readonly applicationId: number
}

interface NameRow extends OfApplication {
  readonly name: string
  readonly share: QuotaShare
}

interface ContextRow extends OfApplication, Partial<EventProperties> {
  readonly fingerprint: string
  readonly share: QuotaShare
}

interface UserId extends OfApplication {
  readonly telegramId: number
  readonly share: QuotaShare
}

/** `name`, `context` and `user` are indexes into the other rows. */
interface EventRow {
  readonly name: number
  readonly context: number
  readonly user: number
  readonly time: number
  readonly telegramId: number
  readonly key: number
  readonly volume: number
}

/** What one event said about a user. Only the first row of each user has an index and sessions, so totals count once. */
interface UserRow extends OfApplication, Partial<EventProperties> {
  readonly telegramId: number
  readonly index: number | null
  readonly sessions: readonly string[]
  readonly firstActiveAt: number
  readonly lastActiveAt: number
  readonly utm: string | null
  readonly utmTime: number | null
  readonly utmTie: number | null
  readonly time: number
  readonly tie: number
}

/** The first and last event of a name within a bucket. `name` is an index. */
interface ChangeRow {
  readonly name: number
  readonly bucket: number
  readonly from: number
  readonly to: number
  /** The users' ids modulo the greatest number of objects, from which their partition follows for any number of objects. */
  readonly slots: readonly number[]
}

/** The rows that the statements of `sql.ts` read as JSON. New names, contexts and users count for `share`. */
export interface ActivityRows {
  readonly names: readonly NameRow[]
  readonly contexts: readonly ContextRow[]
  readonly userIds: readonly UserId[]
  readonly events: readonly EventRow[]
  readonly users: readonly UserRow[]
  readonly sessions: readonly { applicationId: number; telegramId: number; session: string; day: number }[]
  readonly eventIds: readonly { applicationId: number; id: string }[]
  /** Parameters, by the event's index: one statement alone reads them, and they are long. */
  readonly params: readonly { event: number; params: string }[]
  readonly changes: readonly ChangeRow[]
}

const TIE_BELOW = 2 ** 20

/** Turns distinct events into rows, at a moment (milliseconds since 1970 UTC). */
export function toRows(collected: readonly Collected[], now: number): ActivityRows {
  const names = new DistinctRows<NameRow>()
  const contexts = new DistinctRows<ContextRow>()
  const users = new DistinctRows<UserId>()
  const placed = collected.map(({ applicationId, scope, event, context = event.properties }) => {
    const { name, telegramId } = event
    const share = shareOf(scope, event.properties.verified === true)
    const fingerprint = fingerprintOf(context)
    return {
      applicationId,
      event,
      name: names.of(`${applicationId} ${name}`, () => ({ applicationId, name, share })),
      context: contexts.of(`${applicationId} ${fingerprint}`, () => {
        return { applicationId, fingerprint, share, ...propertiesOf(context, CONTEXT_PROPERTIES) }
      }),
      user: users.of(`${applicationId} ${telegramId}`, () => ({ applicationId, telegramId, share })),
    }
  })
  return {
    names: names.rows,
    contexts: contexts.rows,
    userIds: users.rows,
    events: placed.map(toEventRow),
    users: groupBy(placed, ({ user }) => user).flatMap(toUserRows),
    sessions: toSessions(placed),
    eventIds: placed.flatMap(({ applicationId, event: { id, claimsId } }) =>
      id && claimsId ? [{ applicationId, id }] : [],
    ),
    params: placed.flatMap(({ event: { params } }, event) => (params === null ? [] : [{ event, params }])),
    changes: toChangeRows(placed, now),
  }
}

/** An event, and the indexes of what it points at. */
interface Placed extends OfApplication {
  readonly event: Event
  readonly name: number
  readonly context: number
  readonly user: number
}

/** Drops repeated events; the first of each stays, and so does what is no event. */
export function toDistinct<T extends OfApplication & { readonly event: Event | null }>(items: readonly T[]): T[] {
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
  const said = values.findLastIndex((value) => value !== null) + 1
  return JSON.stringify(values.slice(0, Math.max(said, FIRST_CONTEXT_PROPERTIES.length)))
}

/** These properties of an event, except those without a value: to SQL they are null anyway. */
function propertiesOf(properties: EventProperties, names: readonly PropertyName[]): Partial<EventProperties> {
  const said = names.filter((name) => properties[name] !== null)
  return Object.fromEntries(said.map((name) => [name, properties[name]]))
}

function toEventRow({ event, name, context, user }: Placed): EventRow {
  const { time, telegramId, key, volume } = event
  return { name, context, user, time, telegramId, key, volume }
}

/** A row for each event that has one of the user's latest values. */
function toUserRows(group: Group<Placed>): UserRow[] {
  const [{ applicationId, user }] = group
  const events = group.map(({ event }) => event).sort(byTime)
  const [earliest, latest] = [events[0] as Event, events.at(-1) as Event]
  const lastWords = Map.groupBy(
    USER_PROPERTIES,
    (property) => events.findLast(({ properties }) => properties[property] !== null) ?? latest,
  )
  return [...lastWords].map(([event, said], index) => ({
    applicationId,
    telegramId: event.telegramId,
    index: index === 0 ? user : null,
    sessions: index === 0 ? sessionsOf(events) : [],
    firstActiveAt: earliest.time,
    lastActiveAt: latest.time,
    ...firstStartParameter(events),
    time: event.time,
    tie: tieOf(event),
    ...propertiesOf(event.properties, said),
  }))
}

function firstStartParameter(events: readonly Event[]): Pick<UserRow, 'utm' | 'utmTime' | 'utmTie'> {
  const event = events.find(({ properties }) => properties.startParameter !== null)
  if (!event) return { utm: null, utmTime: null, utmTie: null }
  return { utm: event.properties.startParameter, utmTime: event.time, utmTie: tieOf(event) }
}

function toSessions(collected: readonly Placed[]): ActivityRows['sessions'] {
  const rows = new DistinctRows<ActivityRows['sessions'][number]>()
  for (const { applicationId, event } of collected) {
    const { telegramId, session } = event
    const day = dayOf(event.time)
    if (session === null) continue
    rows.of(`${applicationId} ${telegramId} ${day} ${session}`, () => ({ applicationId, telegramId, session, day }))
  }
  return rows.rows
}

function toChangeRows(placed: readonly Placed[], now: number): ChangeRow[] {
  const bucket = ({ event }: Placed) => bucketOf(event.time, now)
  return groupBy(placed, (item) => `${item.name} ${bucket(item)}`).map((group) => toChangeRow(group, bucket(group[0])))
}

const MS_PER_MINUTE = 60_000

/**
 * The time bucket within which changes of a name are one row: the minute of what happened within the last hour, else the hour, as
 * whole minutes or hours since 1970 UTC. So an event that is some minutes late does not make an object read everything between it and
 * the newest ones, and a year of imported events does not make half a million rows of each name. A minute's number is greater than
 * any hour's that an event may have.
 */
function bucketOf(time: number, now: number): number {
  return now - time < MS_PER_HOUR ? Math.floor(time / MS_PER_MINUTE) : hourOf(time)
}

function toChangeRow(group: Group<Placed>, bucket: number): ChangeRow {
  const [{ name, event }] = group
  let { time: from, time: to } = event
  const slots = new Set<number>()
  for (const { event } of group) {
    from = Math.min(from, event.time)
    to = Math.max(to, event.time)
    slots.add(event.telegramId % MAX_OBJECTS)
  }
  return { name, bucket, from, to, slots: [...slots] }
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

/** Distinct rows, each with its index. */
class DistinctRows<Row> {
  readonly rows: Row[] = []
  readonly #indexes = new Map<string, number>()

  of(key: string, make: () => Row): number {
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const index = this.rows.push(make()) - 1
    this.#indexes.set(key, index)
    return index
  }
}
