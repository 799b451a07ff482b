import type { Scope } from '../accounts/api-keys.ts'
import { dayOf } from '../time/days.ts'
import type { Event, EventContext } from './event.ts'
import type { Collector } from './message.ts'

/** An event, and whose it is. */
export interface Collected extends Collector {
  readonly event: Event
}

/** What events tell of their user, as columns of `users`; the cells of a user's row stand in this order. */
export const USER_PROPERTIES = [
  'language',
  'isPremium',
  'country',
  'city',
  'provider',
  'currBalance',
  'username',
  'firstname',
  'lastname',
  'device',
  'brand',
  'model',
] as const

/** What a context consists of, as columns of `contexts`; its fingerprint is the JSON array of these. */
export const CONTEXT_PROPERTIES = [
  'language',
  'isPremium',
  'referrerType',
  'os',
  'device',
  'brand',
  'model',
  'country',
  'city',
  'writeAccess',
  'startParameter',
] as const satisfies (keyof EventContext)[]

type Value = string | number | boolean | null

/** Rows as the statements of `sql.ts` read them from JSON. An event points at its name and context by their place here. */
export interface Rows {
  readonly names: readonly [applicationId: number, name: string, scope: Scope][]
  readonly contexts: readonly [applicationId: number, fingerprint: string, scope: Scope][]
  /** Each user once. What is new is counted for the key that brought it first, so names, contexts and users bear its scope. */
  readonly userIds: readonly [applicationId: number, telegramId: number, scope: Scope][]
  readonly events: readonly EventRow[]
  readonly users: readonly UserRow[]
  readonly userDays: readonly UserDayRow[]
  readonly sessions: readonly [applicationId: number, telegramId: number, session: string, day: number][]
  readonly eventIds: readonly [applicationId: number, id: string][]
  /** Parameters, by the event's place: only one statement reads them, and they are long. */
  readonly params: readonly [event: number, params: string][]
  /** The days on which something happened. */
  readonly days: readonly [applicationId: number, day: number][]
}

type EventRow = readonly [
  name: number,
  time: number,
  telegramId: number,
  key: number,
  user: number,
  volume: number,
  userDay: number,
  context: number,
]

/** The place is the one that the events name; null in a user's further rows, which carry no totals. */
type UserRow = readonly [
  applicationId: number,
  telegramId: number,
  firstActiveAt: number,
  lastActiveAt: number,
  sessions: readonly string[],
  place: number | null,
  utm: Value,
  utmTime: number | null,
  utmTie: number | null,
  time: number,
  tie: number,
  ...said: Value[],
]

type UserDayRow = readonly [
  applicationId: number,
  day: number,
  telegramId: number,
  lastTime: number,
  lastTie: number,
  lastContext: number,
  sessions: readonly string[],
]

const TIE_BELOW = 2 ** 20

/** Everything that these events say, row by row; they must be distinct. */
export function toRows(collected: readonly Collected[]): Rows {
  const names = new Places<[number, string], [Scope]>()
  const contexts = new Places<[number, string], [Scope]>()
  const users = new Places<[number, number], [Scope]>()
  const userDays = new Places<[number, number, number]>()
  const placed = collected.map(({ applicationId, scope, event }) => ({
    applicationId,
    scope,
    event,
    name: names.of([applicationId, event.name], scope),
    context: contexts.of([applicationId, fingerprint(event.context)], scope),
    user: users.of([applicationId, event.telegramId], scope),
    userDay: userDays.of([applicationId, dayOf(event.time), event.telegramId]),
  }))
  return {
    names: names.values,
    contexts: contexts.values,
    userIds: users.values,
    events: placed.map(toEventRow),
    eventIds: placed.flatMap(({ applicationId, event: { id, claimsId } }) =>
      id && claimsId ? [[applicationId, id]] : [],
    ),
    params: placed.flatMap(({ event }, place) => (event.params === null ? [] : [[place, event.params]])),
    users: groupBy(placed, ({ user }) => user).flatMap(toUserRows),
    userDays: groupBy(placed, ({ userDay }) => userDay).map(toUserDayRow),
    sessions: toSessions(placed),
    days: toDays(placed),
  }
}

/** An event, and the places of what it points at. */
interface Placed extends Collected {
  readonly name: number
  readonly context: number
  readonly user: number
  readonly userDay: number
}

/** Without the events that come again: the first of them stays. */
export function toDistinct<T extends Collected>(collected: readonly T[]): T[] {
  return groupBy(collected, identityOf).map(([item]) => item)
}

function identityOf({ applicationId, event }: Collected): string {
  const { id, name, time, telegramId, key } = event
  return id === null ? `${applicationId} ${telegramId} ${time} ${key} ${name}` : `${applicationId} ${id}`
}

function fingerprint(context: EventContext): string {
  return JSON.stringify(CONTEXT_PROPERTIES.map((property) => context[property]))
}

function toEventRow({ event, name, context, user, userDay }: Placed): EventRow {
  const { time, telegramId, key, wallet } = event
  return [name, time, telegramId, key, user, wallet?.volume ?? 0, userDay, context]
}

/** A row for each event that said one of the user's latest values; the first of them also carries the user's totals. */
function toUserRows(group: Group<Placed>): UserRow[] {
  const [{ applicationId, user }] = group
  const events = group.map(({ event }) => event).sort(byTime)
  const [earliest, latest] = [events[0] as Event, events.at(-1) as Event]
  const [utm, ...utmMoment] = firstStartParameter(events)
  const sayings = Map.groupBy(
    USER_PROPERTIES,
    (property) => events.findLast((event) => READ[property](event) !== null) ?? latest,
  )
  return [...sayings].map(([event, properties], index) => [
    applicationId,
    event.telegramId,
    earliest.time,
    latest.time,
    index === 0 ? sessionsOf(events) : [],
    index === 0 ? user : null,
    utm,
    ...utmMoment,
    event.time,
    tieOf(event),
    ...USER_PROPERTIES.map((property) => (properties.includes(property) ? READ[property](event) : null)),
  ])
}

function firstStartParameter(events: readonly Event[]): [Value, number | null, number | null] {
  const event = events.find((candidate) => candidate.context.startParameter !== null)
  return event ? [event.context.startParameter, event.time, tieOf(event)] : [null, null, null]
}

const READ: Readonly<Record<(typeof USER_PROPERTIES)[number], (event: Event) => Value>> = {
  language: (event) => event.context.language,
  isPremium: (event) => event.context.isPremium,
  country: (event) => event.context.country,
  city: (event) => event.context.city,
  provider: (event) => event.wallet?.provider ?? null,
  currBalance: (event) => event.wallet?.balance ?? null,
  username: (event) => event.username,
  firstname: (event) => event.firstname,
  lastname: (event) => event.lastname,
  device: (event) => event.context.device,
  brand: (event) => event.context.brand,
  model: (event) => event.context.model,
}

function toUserDayRow(group: Group<Placed>): UserDayRow {
  const [{ applicationId, event }] = group
  const last = group.reduce((latest, item) => (byTime(latest.event, item.event) < 0 ? item : latest))
  const sessions = sessionsOf(group.map((item) => item.event))
  return [
    applicationId,
    dayOf(event.time),
    event.telegramId,
    last.event.time,
    tieOf(last.event),
    last.context,
    sessions,
  ]
}

function toSessions(collected: readonly Collected[]): Rows['sessions'] {
  const places = new Places<[number, number, string, number]>()
  for (const { applicationId, event } of collected) {
    if (event.session !== null) places.of([applicationId, event.telegramId, event.session, dayOf(event.time)])
  }
  return places.values
}

function toDays(collected: readonly Collected[]): Rows['days'] {
  const places = new Places<[number, number]>()
  for (const { applicationId, event } of collected) places.of([applicationId, dayOf(event.time)])
  return places.values
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

/** Distinct rows, each with its place among them, and what was said beside it first. */
class Places<Row extends readonly (string | number)[], Beside extends readonly string[] = []> {
  readonly values: [...Row, ...Beside][] = []
  readonly #places = new Map<string, number>()

  of(row: Row, ...beside: Beside): number {
    const key = row.join(' ')
    const place = this.#places.get(key) ?? this.values.push([...row, ...beside]) - 1
    this.#places.set(key, place)
    return place
  }
}
