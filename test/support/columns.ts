import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../src/base/event.ts'
import { calendarOf } from '../../src/base/time/calendar.ts'
import type {
  Columns,
  FirstTouches,
  Pairs,
  Param,
  Segment,
  SegmentSlice,
  Timeline,
  Values,
} from '../../src/columns/columns.ts'
import { newOwner } from '../../src/columns/segment-cache.ts'
import { DAY_MS, type SentEvent } from './event-history.ts'
import { compareTexts, readProperty, saidOf, textOf } from './filter-oracle.ts'
import { dayIn, localMidnight } from './zones.ts'

interface ColumnsOptions {
  readonly eventsPerSegment: number
  readonly keys: EventKeys
  readonly timeZone: string
}

/** The columns of a few events, kept nowhere: for questions about what they hold. Segments are small, so that there are many. */
export function columnsOf(
  events: readonly SentEvent[],
  { eventsPerSegment = 3, keys = keysOf(events), timeZone = 'UTC' }: Partial<ColumnsOptions> = {},
): Columns {
  const sorted = inOrder(events)
  const users = ordinalsOf(sorted, ({ telegram_id }) => telegram_id)
  const contexts = ordinalsOf(sorted, contextOf)
  const names = [...new Set(sorted.map(({ event_type }) => event_type))]
  const facts = { users, contexts, names, keys }
  const segments = [...Map.groupBy(sorted, ({ event_type }) => event_type)].flatMap(([name, own]) =>
    chunksOf(own, eventsPerSegment).map((chunk) => ({ name, segment: segmentOf(chunk, facts) })),
  )
  const on = (day: number) => sorted.filter(({ datetime }) => dayIn(datetime, timeZone) === day)
  const properties = new Map(CONTEXT_PROPERTIES.map((name) => [name, codedProperty(contexts.firsts, name)]))
  return {
    calendar: calendarOf(timeZone),
    userCount: users.firsts.length,
    contextCount: contexts.firsts.length,
    telegramIdOf: (user) => (users.firsts[user] as SentEvent).telegram_id,
    userOf: (telegramId) => {
      const user = users.firsts.findIndex(({ telegram_id }) => telegram_id === telegramId)
      return user === -1 ? null : user
    },
    names: () =>
      [...Map.groupBy(sorted, ({ event_type }) => event_type)].map(([name, own]) => ({
        name,
        first: own[0]?.datetime as number,
        last: own.at(-1)?.datetime as number,
      })),
    *slicesOf(asked, { from, to }) {
      const some = typeof asked === 'string' ? [asked] : (asked ?? names)
      for (const { name, segment } of some.flatMap((wanted) => segments.filter(({ name }) => name === wanted))) {
        const slice: SegmentSlice = { name, segment, from: firstFrom(segment, from), to: firstFrom(segment, to) }
        if (slice.from < slice.to) yield slice
      }
    },
    pairsOf: (day) => pairsOf(on(day), facts),
    eventsOn: (day) => on(day).length,
    *timelinesOf(day, { from, to } = { from: 0, to: Number.POSITIVE_INFINITY }) {
      for (let user = from; user < Math.min(to, users.firsts.length); user += USERS_A_TIMELINE) {
        const behind = Math.min(to, user + USERS_A_TIMELINE)
        yield timelineOf(on(day), localMidnight(day, timeZone), {
          ...facts,
          isWanted: (own) => own >= user && own < behind,
        })
      }
    },
    *firstDays() {
      yield
      return Int32Array.from(users.firsts, ({ datetime }) => dayIn(datetime, timeZone))
    },
    *readFirstTouches() {
      yield
    },
    firstTouches: touchesOf(events, facts),
    contextCodes: (name) => properties.get(name)?.codes as Uint32Array,
    contextValues: (name) => properties.get(name)?.values as Values,
  }
}

/** Each user's earliest event, and their earliest with a start parameter if it is within a day of that. */
function touchesOf(events: readonly SentEvent[], { users, contexts, keys }: Facts): FirstTouches {
  const inTime = events.toSorted(
    (a, b) => a.datetime - b.datetime || (keys.get(a.event_id) as number) - (keys.get(b.event_id) as number),
  )
  const byUser = Map.groupBy(inTime, users.of)
  const found = users.firsts.map((_, user) => {
    const own = byUser.get(user) as SentEvent[]
    const first = own[0] as SentEvent
    const start = own.find((event) => textIn(event, 'startParameter') !== null)
    return { first, start: start && start.datetime - first.datetime <= DAY_MS ? start : null }
  })
  return {
    times: Float64Array.from(found, ({ first }) => first.datetime),
    contexts: Uint32Array.from(found, ({ first }) => contexts.of(first) + 1),
    acquired: Uint32Array.from(found, ({ start }) => (start ? contexts.of(start) + 1 : 0)),
    acquiredTimes: Float64Array.from(found, ({ start }) => start?.datetime ?? Number.POSITIVE_INFINITY),
    goneReader: () => () => null,
    key: newOwner(),
    version: 1,
  }
}

const USERS_A_TIMELINE = 2

/** Sorts events by time, then by user, then by id. */
export function inOrder(events: readonly SentEvent[]): SentEvent[] {
  return events.toSorted(
    (a, b) => a.datetime - b.datetime || a.telegram_id - b.telegram_id || (a.event_id < b.event_id ? -1 : 1),
  )
}

interface Ordinals<K> {
  readonly of: (event: SentEvent) => number
  /** An event of each. */
  readonly firsts: readonly SentEvent[]
  readonly keyOf: (event: SentEvent) => K
}

function ordinalsOf<K>(events: readonly SentEvent[], keyOf: (event: SentEvent) => K): Ordinals<K> {
  const groups = [...Map.groupBy(events, keyOf)]
  const ordinals = new Map(groups.map(([key], ordinal) => [key, ordinal]))
  return {
    of: (event) => ordinals.get(keyOf(event)) as number,
    firsts: groups.map(([, [first]]) => first as SentEvent),
    keyOf,
  }
}

function contextOf(event: SentEvent): string {
  return JSON.stringify(CONTEXT_PROPERTIES.map((name) => textIn(event, name)))
}

function textIn(event: SentEvent, name: PropertyName): string | null {
  return textOf(saidOf(event, propertyOf(name).askedAs?.[0] ?? name))
}

function codedProperty(events: readonly SentEvent[], name: PropertyName): { codes: Uint32Array; values: Values } {
  const { codes, values } = encode(events.map((event) => textIn(event, name)))
  return {
    codes: Uint32Array.from(codes),
    values: {
      count: values.length,
      textOf: (code) => values[code - 1] as string,
      codeOf: (text) => values.indexOf(text) + 1,
      entries: (after = 0, most = values.length) =>
        values.map((text, place) => [place + 1, text] as const).slice(after, after + most),
    },
  }
}

function encode(texts: readonly (string | null)[]): { codes: number[]; values: string[] } {
  const values = [...new Set(texts)].filter((text) => text !== null)
  const codes = new Map(values.map((text, index) => [text, index + 1]))
  return { codes: texts.map((text) => (text === null ? 0 : (codes.get(text) as number))), values }
}

interface Facts {
  readonly users: Ordinals<unknown>
  readonly contexts: Ordinals<unknown>
  /** In the order in which slices have them. */
  readonly names: readonly string[]
  readonly keys: EventKeys
}

/** Event keys by event id, in the same order as the ids. */
export type EventKeys = ReadonlyMap<string, number>

export function keysOf(events: readonly SentEvent[]): EventKeys {
  return new Map(
    events
      .map(({ event_id }) => event_id)
      .sort()
      .map((id, key) => [id, key]),
  )
}

function segmentOf(events: readonly SentEvent[], { users, contexts, keys }: Facts): Segment {
  return {
    key: crypto.randomUUID(),
    times: Float64Array.from(events, ({ datetime }) => datetime),
    users: Uint32Array.from(events, users.of),
    contexts: Uint32Array.from(events, contexts.of),
    keys: () => Float64Array.from(events, ({ event_id }) => keys.get(event_id) as number),
    param: (name) => paramOf(events, name),
    derived(name, { make }) {
      const param = paramOf(events, name)
      return param && make(param)
    },
    paramNames: () => [...new Set(events.flatMap((event) => paramsOf(event).map(([name]) => name)))],
    paramsAt: (indexes) => indexes.map((index) => paramsOf(events[index] as SentEvent)),
    countParams(from, to) {
      const names = events.slice(from, to).flatMap((event) => paramsOf(event).map(([name]) => name))
      return new Map([...new Set(names)].map((name) => [name, names.filter((other) => other === name).length]))
    },
  }
}

function paramsOf({ params }: SentEvent): [name: string, json: string][] {
  return Object.entries(params ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, JSON.stringify(value)])
    .sort(([a], [b]) => compareTexts(a, b))
}

/** Events come in order of time, then of keys. */
function timelineOf(
  events: readonly SentEvent[],
  midnight: number,
  { users, names: all, isWanted }: Facts & { isWanted: (user: number) => boolean },
): Timeline {
  const names = all.filter((name) => events.some(({ event_type }) => event_type === name))
  const byName = names.flatMap((name) => events.filter(({ event_type }) => event_type === name))
  const indexes = new Map(byName.map((event, index) => [event, index]))
  const own = events.filter((event) => isWanted(users.of(event))).sort((a, b) => users.of(a) - users.of(b))
  return {
    length: own.length,
    users: Uint32Array.from(own, users.of),
    times: Uint32Array.from(own, ({ datetime }) => datetime - midnight),
    codes: Uint16Array.from(own, ({ event_type }) => names.indexOf(event_type)),
    names,
    indexes: () => Uint32Array.from(own, (event) => indexes.get(event) as number),
  }
}

function paramOf(events: readonly SentEvent[], name: string): Param | null {
  const { codes, values } = encode(
    events.map((event) => {
      const value = readProperty(event, `params.${name}`)
      return value === null ? null : JSON.stringify(value)
    }),
  )
  return values.length === 0 ? null : { codes: Uint16Array.from(codes), values }
}

function firstFrom({ times }: Segment, time: number): number {
  return times.filter((other) => other < time).length
}

function pairsOf(events: readonly SentEvent[], { users, contexts }: Facts): Pairs {
  const groups = Map.groupBy(events, (event) => `${users.of(event)} ${contexts.of(event)}`)
  const pairs = [...groups.values()]
    .map((own) => ({ first: own[0] as SentEvent, count: own.length, last: own.at(-1) as SentEvent }))
    .sort((a, b) => users.of(a.first) - users.of(b.first))
  return {
    length: pairs.length,
    users: Uint32Array.from(pairs, ({ first }) => users.of(first)),
    contexts: Uint32Array.from(pairs, ({ first }) => contexts.of(first)),
    counts: Uint32Array.from(pairs, ({ count }) => count),
    lasts: Uint8Array.from(pairs, ({ last }) => Number(last === lastOf(last, events))),
  }
}

/** The last event of the same user; at one instant, the later one in the list counts as the later. */
function lastOf({ telegram_id }: SentEvent, events: readonly SentEvent[]): SentEvent | undefined {
  return events
    .filter((event) => event.telegram_id === telegram_id)
    .toSorted((a, b) => a.datetime - b.datetime)
    .at(-1)
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  )
}
