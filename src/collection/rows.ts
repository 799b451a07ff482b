import type { CollectingScope } from '../accounts/api-keys.ts'
import { MAX_OBJECTS } from '../objects/object-name.ts'
import { dayOf } from '../time/days.ts'
import { bucketOf } from './bucket.ts'
import {
  CONTEXT_PROPERTIES,
  type Event,
  FIRST_CONTEXT_PROPERTIES,
  type Properties,
  type PropertyName,
  USER_PROPERTIES,
} from './event.ts'
import type { Collector } from './message.ts'

/** An event with its application. */
export interface Collected extends Collector {
  readonly event: Event
}

interface OfApplication {
  readonly applicationId: number
}

interface NameRow extends OfApplication {
  readonly name: string
  readonly scope: CollectingScope
}

interface ContextRow extends OfApplication, Partial<Properties> {
  readonly fingerprint: string
  readonly scope: CollectingScope
}

interface UserId extends OfApplication {
  readonly telegramId: number
  readonly scope: CollectingScope
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

/** What one event said about a user. Only the first of a user's rows has a place and sessions, so that totals count once. */
interface UserRow extends OfApplication, Partial<Properties> {
  readonly telegramId: number
  readonly place: number | null
  readonly sessions: readonly string[]
  readonly firstActiveAt: number
  readonly lastActiveAt: number
  readonly utm: string | null
  readonly utmTime: number | null
  readonly utmTie: number | null
  readonly time: number
  readonly tie: number
}

/** Between which moments of a bucket events of a name lie. `name` is an index. */
interface ChangeRow {
  readonly name: number
  readonly bucket: number
  readonly from: number
  readonly to: number
  /** What the users' ids leave when divided by the greatest number of objects: from this follows their part of any number. */
  readonly slots: readonly number[]
}

/** The rows that the statements of `sql.ts` read as JSON, by these names. New names, contexts and users count for `scope`. */
export interface Rows {
  readonly names: readonly NameRow[]
  readonly contexts: readonly ContextRow[]
  readonly userIds: readonly UserId[]
  readonly events: readonly EventRow[]
  readonly users: readonly UserRow[]
  readonly sessions: readonly { applicationId: number; telegramId: number; session: string; day: number }[]
  readonly eventIds: readonly { applicationId: number; id: string }[]
  /** Parameters, by the event's place: only one statement reads them, and they are long. */
  readonly params: readonly { event: number; params: string }[]
  readonly changes: readonly ChangeRow[]
}

const TIE_BELOW = 2 ** 20

/** Turns distinct events into rows, at a moment (milliseconds since 1970 UTC). */
export function toRows(collected: readonly Collected[], now: number): Rows {
  const names = new Places<NameRow>()
  const contexts = new Places<ContextRow>()
  const users = new Places<UserId>()
  const placed = collected.map(({ applicationId, scope, event }) => {
    const { name, telegramId } = event
    const fingerprint = fingerprintOf(event)
    return {
      applicationId,
      scope,
      event,
      name: names.of(`${applicationId} ${name}`, () => ({ applicationId, name, scope })),
      context: contexts.of(`${applicationId} ${fingerprint}`, () => {
        return { applicationId, fingerprint, scope, ...propertiesOf(event, CONTEXT_PROPERTIES) }
      }),
      user: users.of(`${applicationId} ${telegramId}`, () => ({ applicationId, telegramId, scope })),
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

/** An event, and the places of what it points at. */
interface Placed extends Collected {
  readonly name: number
  readonly context: number
  readonly user: number
}

/** Drops repeated events; the first of each stays. */
export function toDistinct<T extends Collected>(collected: readonly T[]): T[] {
  return groupBy(collected, identityOf).map(([item]) => item)
}

function identityOf({ applicationId, event }: Collected): string {
  const { id, name, time, telegramId, key } = event
  return id === null ? `${applicationId} ${telegramId} ${time} ${key} ${name}` : `${applicationId} ${id}`
}

/**
 * The JSON array of a context's properties: contexts with the same one are the same. Later properties that are not said are
 * left out at its end, so that a new property does not store every known context once more.
 */
function fingerprintOf({ properties }: Event): string {
  const values = CONTEXT_PROPERTIES.map((property) => properties[property])
  const said = values.findLastIndex((value) => value !== null) + 1
  return JSON.stringify(values.slice(0, Math.max(said, FIRST_CONTEXT_PROPERTIES.length)))
}

/** These properties of an event, without those that it does not say: to SQL they are null anyway. */
function propertiesOf({ properties }: Event, names: readonly PropertyName[]): Partial<Properties> {
  const said = names.filter((name) => properties[name] !== null)
  return Object.fromEntries(said.map((name) => [name, properties[name]]))
}

function toEventRow({ event, name, context, user }: Placed): EventRow {
  const { time, telegramId, key, volume } = event
  return { name, context, user, time, telegramId, key, volume }
}

/** A row for each event that said one of the user's latest values. */
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
    place: index === 0 ? user : null,
    sessions: index === 0 ? sessionsOf(events) : [],
    firstActiveAt: earliest.time,
    lastActiveAt: latest.time,
    ...firstStartParameter(events),
    time: event.time,
    tie: tieOf(event),
    ...propertiesOf(event, said),
  }))
}

function firstStartParameter(events: readonly Event[]): Pick<UserRow, 'utm' | 'utmTime' | 'utmTie'> {
  const event = events.find(({ properties }) => properties.startParameter !== null)
  if (!event) return { utm: null, utmTime: null, utmTie: null }
  return { utm: event.properties.startParameter, utmTime: event.time, utmTie: tieOf(event) }
}

function toSessions(collected: readonly Collected[]): Rows['sessions'] {
  const places = new Places<Rows['sessions'][number]>()
  for (const { applicationId, event } of collected) {
    const { telegramId, session } = event
    const day = dayOf(event.time)
    if (session === null) continue
    places.of(`${applicationId} ${telegramId} ${day} ${session}`, () => ({ applicationId, telegramId, session, day }))
  }
  return places.rows
}

function toChangeRows(placed: readonly Placed[], now: number): ChangeRow[] {
  const bucket = ({ event }: Placed) => bucketOf(event.time, now)
  return groupBy(placed, (item) => `${item.name} ${bucket(item)}`).map((group) => toChangeRow(group, bucket(group[0])))
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

/** Distinct rows, each known by its index. */
class Places<Row> {
  readonly rows: Row[] = []
  readonly #places = new Map<string, number>()

  of(key: string, make: () => Row): number {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place = this.rows.push(make()) - 1
    this.#places.set(key, place)
    return place
  }
}
