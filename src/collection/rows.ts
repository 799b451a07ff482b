import { dayOf } from '../time/days.ts'
import type { Event, EventContext } from './event.ts'

/** An event and the application it belongs to. */
export interface Collected {
  readonly applicationId: number
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

/** A value that an event said, and the moment: milliseconds, then a number below 2^20 that orders events of one instant. */
type Saying = readonly [value: Value, time: number, tie: number]

/** Rows as the statements of `sql.ts` read them from JSON. An event points at its name and context by their place here. */
export interface Rows {
  readonly names: readonly [applicationId: number, name: string][]
  readonly contexts: readonly [applicationId: number, fingerprint: string][]
  readonly events: readonly EventRow[]
  readonly users: readonly UserRow[]
  readonly userDays: readonly UserDayRow[]
  readonly sessions: readonly [applicationId: number, telegramId: number, session: string, day: number][]
  /** The days on which something happened. */
  readonly days: readonly [applicationId: number, day: number][]
}

type EventRow = readonly [
  applicationId: number,
  name: number,
  time: number,
  telegramId: number,
  key: number,
  context: number,
  params: string | null,
  id: string | null,
  volume: number,
]

type UserRow = readonly [
  applicationId: number,
  telegramId: number,
  firstActiveAt: number,
  lastActiveAt: number,
  sessions: readonly string[],
  utm: Saying | null,
  ...latest: (Saying | null)[],
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

/** Everything that these events say, row by row. An event that comes twice counts once. */
export function toRows(collected: readonly Collected[]): Rows {
  const distinct = [...groupBy(collected, identityOf).values()].map(first)
  const names = new Places<[number, string]>()
  const contexts = new Places<[number, string]>()
  const events = distinct.map(({ applicationId, event }) =>
    toEventRow(event, {
      applicationId,
      name: names.of([applicationId, event.name]),
      context: contexts.of([applicationId, fingerprint(event.context)]),
    }),
  )
  const placed = distinct.map((item, index) => ({ ...item, context: (events[index] as EventRow)[5] }))
  return {
    names: names.values,
    contexts: contexts.values,
    events,
    users: [...groupBy(placed, userOf).values()].map(toUserRow),
    userDays: [...groupBy(placed, userDayOf).values()].map(toUserDayRow),
    sessions: toSessions(distinct),
    days: toDays(distinct),
  }
}

type Placed = Collected & { readonly context: number }

/** Never empty. */
type Group<T> = readonly [T, ...T[]]

function identityOf({ applicationId, event }: Collected): string {
  const { id, name, time, telegramId, key } = event
  return id === null ? `${applicationId} ${telegramId} ${time} ${key} ${name}` : `${applicationId} ${id}`
}

function userOf({ applicationId, event }: Collected): string {
  return `${applicationId} ${event.telegramId}`
}

function userDayOf(item: Collected): string {
  return `${userOf(item)} ${dayOf(item.event.time)}`
}

function fingerprint(context: EventContext): string {
  return JSON.stringify(CONTEXT_PROPERTIES.map((property) => context[property]))
}

function toEventRow(event: Event, at: { applicationId: number; name: number; context: number }): EventRow {
  const { time, telegramId, key, params, id, wallet } = event
  return [at.applicationId, at.name, time, telegramId, key, at.context, params, id, wallet?.volume ?? 0]
}

function toUserRow(group: Group<Collected>): UserRow {
  const [{ applicationId }] = group
  const events = group.map(({ event }) => event).sort(byTime)
  const [earliest, latest] = [events[0] as Event, events.at(-1) as Event]
  return [
    applicationId,
    earliest.telegramId,
    earliest.time,
    latest.time,
    sessionsOf(events),
    firstSaying(events, (event) => event.context.startParameter),
    ...latestSayings(events.reverse()),
  ]
}

function latestSayings(newestFirst: readonly Event[]): (Saying | null)[] {
  return USER_PROPERTIES.map((property) => firstSaying(newestFirst, READ[property]))
}

function firstSaying(events: readonly Event[], read: (event: Event) => Value): Saying | null {
  const event = events.find((candidate) => read(candidate) !== null)
  return event ? [read(event), event.time, tieOf(event)] : null
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

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, Group<T>> {
  return Map.groupBy(items, keyOf) as Map<string, never> as Map<string, Group<T>>
}

function first<T>([item]: Group<T>): T {
  return item
}

/** Distinct rows, each with its place among them. */
class Places<Row extends readonly (string | number)[]> {
  readonly values: Row[] = []
  readonly #places = new Map<string, number>()

  of(row: Row): number {
    const key = row.join(' ')
    const place = this.#places.get(key) ?? this.values.push(row) - 1
    this.#places.set(key, place)
    return place
  }
}
