import { env, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Activity, type RangeContents, TIME_ZONE } from '../../src/columns/activity.ts'
import { type Chunk, type EventCursor, endOf, FIRST, LAST } from '../../src/columns/chunk.ts'
import type { Timeline } from '../../src/columns/columns.ts'
import { toParamColumns } from '../../src/columns/param-columns.ts'
import { Store } from '../../src/columns/store.ts'
import { holds } from '../support/cases.ts'
import { dayIn, localMidnight, moved, SPECIAL_DATES } from '../support/zones.ts'

const DAY_MS = 86_400_000

interface Event {
  readonly nameId: number
  readonly time: number
  readonly user: number
  readonly key: number
  readonly context: number
  readonly params: string | null
}

/** The context with a start parameter. */
const START_CONTEXT = 4

const params = fc.option(
  fc.dictionary(fc.constantFrom('a', '', '__proto__', 'with keys'), fc.constantFrom<unknown>(1, 'x', null, [1], true), {
    minKeys: 1,
  }),
)

const event: fc.Arbitrary<Event> = fc.record({
  nameId: fc.integer({ min: 1, max: 3 }),
  time: fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 3 }).map((day) => day * DAY_MS),
    fc.integer({ min: 1, max: 3 }).map((day) => day * DAY_MS - 1),
  ),
  user: fc.integer({ min: 1, max: 5 }),
  key: fc.integer({ min: 0, max: 3 }),
  context: fc.integer({ min: 1, max: 4 }),
  params: params.map((value) => (value === null ? null : JSON.stringify(value))),
})

/** From some day on events are kept; it may end after this many steps, and goes on then. */
const keeping = fc.record({ from: fc.integer({ min: 1, max: 4 }), endsAfter: fc.option(fc.nat(4), { freq: 2 }) })

/** Events come, and now and then one goes; each time some ranges are read again. Now and then all of some days go. */
const steps = fc.array(
  fc.record({
    come: fc.array(event, { maxLength: 30 }),
    gone: fc.array(fc.nat(), { maxLength: 2 }),
    isForced: fc.boolean(),
    isWhole: fc.boolean(),
    /** Otherwise nothing is asked before the next events come. */
    isAsked: fc.boolean(),
    keeps: fc.option(keeping, { freq: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
)

/** The time zone that days are counted in, and the first day. */
interface Place {
  readonly zone: string
  readonly first: number
}

/** The second of the days is one on which clocks change, a date that was skipped, or the end of a month or year. */
const places: readonly Place[] = [
  ...Array.from({ length: 4 }, () => ({ zone: 'UTC', first: 0 })),
  ...Object.entries(SPECIAL_DATES).flatMap(([zone, dates]) =>
    dates.map((date) => ({ zone, first: Date.parse(date) / DAY_MS - 1 })),
  ),
]

function stepsAt<Step extends { come: Event[]; keeps: { from: number; endsAfter: number | null } | null }>(
  all: readonly Step[],
  { zone, first }: Place,
): Step[] {
  return all.map((step) => ({
    ...step,
    come: step.come.map((one) => ({ ...one, time: moved(one.time, { zone, days: first }) })),
    keeps: step.keeps && { ...step.keeps, from: step.keeps.from + first },
  }))
}

/** So small that a day has several pages, is sorted in several parts, and is or is not stored. */
const timelineLimits = fc.record({
  pageEvents: fc.integer({ min: 1, max: 6 }),
  eventsAtOnce: fc.constantFrom(1, 20),
  eventsSorted: fc.integer({ min: 1, max: 20 }),
  storedEvents: fc.integer({ min: 1, max: 20 }),
})

it('has exactly the events of the database after any ranges were read again', async () => {
  let cases = 0
  await holds(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(2, 1_000),
      timelineLimits,
      fc.constantFrom(...places),
      async (all, segmentEvents, manyNames, limitsOfTimelines, place) => {
        cases += 1
        await runInDurableObject(env.APPLICATIONS.getByName(`activity ${cases}`), (_, { storage }) => {
          const store = new Store(storage)
          store.clear()
          store.setNote(TIME_ZONE, place.zone)
          const limits = { segmentEvents, manyNames, ...limitsOfTimelines }
          let activity = new Activity(store, limits)
          activity.learn(
            [1, 2, 3].map((id) => ({ id, name: `name ${id}` })),
            [1, 2, 3, 4].map((id) => ({
              id,
              language: id % 2 ? 'de' : null,
              isPremium: id > 2,
              startParameter: id === START_CONTEXT ? 'spring' : null,
            })),
          )
          let events: Event[] = []
          const everCame: Event[] = []
          for (const { come, gone, isForced, isWhole, isAsked, keeps } of stepsAt(all, place)) {
            const before = events
            const leaving = gone.map((place) => before[place % Math.max(1, before.length)])
            everCame.push(...come)
            events = keptOf(inOrder([...before, ...come]), activity).filter((some) => !leaving.includes(some))
            const touched = [...come, ...leaving.filter((some) => some !== undefined)]
            activity.replace(isWhole ? everything(events, activity) : rangesOf(touched, events, activity), {
              isForced,
              known: new Map(come.map(({ user }) => [user, wasThere(user, everCame, activity)])),
            })
            if (isForced) activity = new Activity(store, limits)
            if (keeps && keeps.from > (activity.keptFrom ?? 0)) {
              const marks = Array.from(activity.telegramIds(), (user) =>
                wasThere(user, everCame, { calendar: activity.calendar, keptFrom: keeps.from }),
              )
              activity.keepFrom(keeps.from, Uint8Array.from(marks))
              events = keptOf(events, activity)
              if (keeps.endsAfter !== null) {
                for (let step = 0; step < keeps.endsAfter; step += 1) activity.dropOlder(1)
                activity = new Activity(store, limits)
                const isKept = ({ time }: { time?: number | undefined }) =>
                  (time ?? 0) >= localMidnight(keeps.from, place.zone)
                expect(readEvents(activity).filter(isKept)).toEqual(events.map(toRead))
                expect(readPairs(activity, place)).toEqual(pairsOf(events, place))
                expect(readFirstDays(activity)).toEqual(firstDaysOf(events, everCame, activity))
              }
              // As a question that is answered meanwhile does.
              readTimelines(activity, place)
              while (activity.dropOlder(1));
            }
            if (!isAsked) continue
            expect(readEvents(activity)).toEqual(events.map(toRead))
            expect(readSlices(activity)).toEqual(events.map(toRead))
            const some = events.filter(({ nameId }) => nameId > 1)
            expect(readSlices(activity, ['name 2', 'never', 'name 3'])).toEqual(some.map(toRead))
            expect(readPairs(activity, place)).toEqual(pairsOf(events, place))
            expect(readTimelines(activity, place)).toEqual(timelinesOf(events, place))
            expect(readFirstDays(activity)).toEqual(firstDaysOf(events, everCame, activity))
            expect([...activity.names()]).toEqual(namesOf(events))
            // What dropped days said is remembered.
            if (activity.keptFrom === null) expectFirstTouches(activity, events)
          }
        })
      },
    ),
    { atLeast: 20, atMost: 2_000, endOnFailure: true },
  )
})

it('an event of the day after the first one that arrives late acquires its user', async () => {
  await runInDurableObject(env.APPLICATIONS.getByName('late'), (_, { storage }) => {
    const store = new Store(storage)
    store.clear()
    const activity = new Activity(store)
    activity.learn([{ id: 1, name: 'name 1' }], [{ id: 1 }, { id: START_CONTEXT, startParameter: 'spring' }])
    const first: Event = { nameId: 1, time: DAY_MS - 1, user: 1, key: 0, context: 1, params: null }
    const late = { ...first, time: DAY_MS, context: START_CONTEXT }
    for (const [come, events] of [
      [first, [first]],
      [late, [first, late]],
    ] as const) {
      activity.replace(rangesOf([come], events, activity), { isForced: false, known: new Map() })
      expectFirstTouches(activity, events)
    }
  })
})

function keptOf(events: readonly Event[], { keptFrom, calendar }: Activity): Event[] {
  return events.filter(({ time }) => keptFrom === null || time >= localMidnight(keptFrom, calendar.timeZone))
}

/** A mark for whoever came before the first day that is kept. */
function wasThere(
  user: number,
  everCame: readonly Event[],
  { keptFrom, calendar }: Pick<Activity, 'keptFrom' | 'calendar'>,
): number {
  if (keptFrom === null) return 0
  const midnight = localMidnight(keptFrom, calendar.timeZone)
  return Number(everCame.some((event) => event.user === user && event.time < midnight))
}

/** Sorts events as the database does, each once. */
function inOrder(events: readonly Event[]): Event[] {
  const distinct = new Map(
    events.map((some) => [`${some.nameId} ${some.time} ${some.user} ${some.key}`, some] as const).reverse(),
  )
  return [...distinct.values()].sort(
    (a, b) => a.nameId - b.nameId || a.time - b.time || a.user - b.user || a.key - b.key,
  )
}

function everything(events: readonly Event[], activity: Activity): RangeContents[] {
  const middle = events[events.length >> 1]
  const cut: EventCursor = middle ? cursorOf(middle) : { nameId: 2, ...FIRST }
  const isBefore = (some: Event) => compareCursors(cursorOf(some), cut) <= 0
  const [first, second] = [events.filter(isBefore), events.filter((some) => !isBefore(some))]
  return [
    { after: { nameId: 0, ...FIRST }, upTo: cut, chunks: chunksOf(first, activity) },
    { after: cut, upTo: { nameId: 99, ...LAST }, chunks: chunksOf(second, activity) },
  ]
}

/** The instants of these events, name by name. */
function rangesOf(touched: readonly Event[], events: readonly Event[], activity: Activity): RangeContents[] {
  const instants = new Map(touched.map(({ nameId, time }) => [`${nameId} ${time}`, { nameId, time }]))
  const sorted = [...instants.values()].sort((a, b) => a.nameId - b.nameId || a.time - b.time)
  return sorted.map(({ nameId, time }) => ({
    after: { nameId, ...endOf(time - 1) },
    upTo: { nameId, ...endOf(time) },
    chunks: chunksOf(
      events.filter((some) => some.nameId === nameId && some.time === time),
      activity,
    ),
  }))
}

function chunksOf(events: readonly Event[], activity: Activity): RangeContents['chunks'] {
  const byName = Map.groupBy(events, ({ nameId }) => nameId)
  return new Map([...byName].map(([nameId, own]) => [nameId, chunkOf(own, activity)]))
}

function chunkOf(events: readonly Event[], activity: Activity): Chunk {
  return {
    times: Float64Array.from(events, ({ time }) => time),
    users: Uint32Array.from(events, ({ user }) => activity.userOrdinal(user)),
    contexts: Uint32Array.from(events, ({ context }) => activity.contexts.ordinalOf(context)),
    keys: Float64Array.from(events, ({ key }) => key),
    params: toParamColumns(events.map(({ params: text }) => text)),
  }
}

function cursorOf({ nameId, time, user, key }: Event): EventCursor {
  return { nameId, time, telegramId: user, key }
}

function compareCursors(a: EventCursor, b: EventCursor): number {
  return a.nameId - b.nameId || a.time - b.time || a.telegramId - b.telegramId || a.key - b.key
}

const NAMES = ['', 'a', '__proto__', 'with keys']

/** Ordinals differ with the order in which users were seen, so users are told by their ids. */
function readEvents(activity: Activity) {
  return [1, 2, 3].flatMap((nameId) => readSlices(activity, `name ${nameId}`))
}

function readSlices(activity: Activity, asked: string | readonly string[] | null = null) {
  return [...activity.slicesOf(asked, { from: 0, to: 100_000 * DAY_MS })].flatMap(({ name, segment, from, to }) =>
    Array.from({ length: to - from }, (_, index) => ({
      nameId: Number(name.slice('name '.length)),
      time: segment.times[from + index],
      user: activity.telegramIdOf(segment.users[from + index] as number),
      key: segment.keys()[from + index],
      context: (segment.contexts[from + index] as number) + 1,
      params: NAMES.map((name) => {
        const param = segment.param(name)
        const code = param?.codes[from + index] ?? 0
        return code === 0 ? null : param?.values[code - 1]
      }),
      allParams: segment.paramsAt([from + index])[0],
      countedParams: segment.countParams(from + index, from + index + 1),
    })),
  )
}

function toRead({ nameId, time, user, key, context, params: text }: Event) {
  const own = new Map(Object.entries(JSON.parse(text ?? '{}')))
  const jsonOf = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))
  const params = NAMES.map((name) => jsonOf(own.get(name)))
  const allParams = NAMES.map((name, place) => [name, params[place]]).filter(([, json]) => json !== null)
  const inNameOrder = allParams.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))
  const countedParams = new Map(allParams.map(([name]) => [name, 1]))
  return { nameId, time, user, key, context, params, allParams: inNameOrder, countedParams }
}

/** What happened to each user, day by day, and where it stands in the slices of the day. */
function readTimelines(activity: Activity, place: Place) {
  return daysOf(place).flatMap((day) => {
    const [midnight, next] = [localMidnight(day, place.zone), localMidnight(day + 1, place.zone)]
    const timelines = [...activity.timelinesOf(day)]
    expectRanges(activity, day, timelines)
    const users = timelines.flatMap((timeline) => [...timeline.users])
    expect(users).toEqual(users.toSorted((a, b) => a - b))
    const usersOfEach = timelines.flatMap((timeline) => [...new Set(timeline.users)])
    expect(usersOfEach).toEqual([...new Set(usersOfEach)])
    const rows = [...activity.slicesOf(null, { from: midnight, to: next })].flatMap(({ name, segment, from, to }) =>
      Array.from({ length: to - from }, (_, index) => ({ name, key: segment.keys()[from + index] as number })),
    )
    const entries = timelines.flatMap(({ length, users, times, codes, names, indexes }) =>
      Array.from({ length }, (_, event) => ({
        user: activity.telegramIdOf(users[event] as number),
        time: midnight + (times[event] as number),
        name: names[codes[event] as number] as string,
        row: rows[indexes()[event] as number],
      })),
    )
    return entries
      .map(({ row, ...entry }) => ({ ...entry, key: row?.key, rowName: row?.name }))
      .sort(byUserAndDay(place))
  })
}

/** Expects the same events of a range of users as of all users, whether it cuts pages or not. */
function expectRanges(activity: Activity, day: number, timelines: readonly Timeline[]) {
  const rowsOf = (some: Iterable<Timeline>) =>
    [...some].flatMap(({ users, times, codes, names, ...timeline }) =>
      Array.from(timeline.indexes(), (index, at) => [users[at], times[at], names[codes[at] as number], index] as const),
    )
  const all = rowsOf(timelines)
  for (const [from, to] of [
    [0, 2],
    [1, 3],
    [2, 9],
  ] as const) {
    const wanted = all.filter(([user = -1]) => user >= from && user < to)
    expect(rowsOf(activity.timelinesOf(day, { from, to }))).toEqual(wanted)
  }
}

function byUserAndDay({ zone }: Place) {
  return (a: { user: number; time: number }, b: { user: number; time: number }) =>
    dayIn(a.time, zone) - dayIn(b.time, zone) || a.user - b.user
}

/** All days on which anything happens, and one after them. If the first is a date that was skipped, some of it is on the day before. */
function daysOf({ first }: Place): number[] {
  return [-1, 0, 1, 2, 3, 4].map((day) => day + first)
}

/** Timelines made event by event. If events have the same time and key, any may come first. */
function timelinesOf(events: readonly Event[], place: Place) {
  const byDay = byUserAndDay(place)
  return events
    .map(({ nameId, user, time, key }) => ({ user, time, name: `name ${nameId}`, key, rowName: `name ${nameId}` }))
    .sort((a, b) => byDay(a, b) || a.time - b.time || a.key - b.key)
}

function readFirstDays(activity: Activity) {
  const steps = activity.firstDays()
  let step = steps.next()
  while (!step.done) step = steps.next()
  const days = [...step.value.subarray(0, activity.userCount)].map((day, user): [number, number] => [
    activity.telegramIdOf(user),
    day,
  ])
  return days
    .filter(([, day]) => day < 1_000_000)
    .map(([user, day]) => [user, day < 0 ? 'before' : day])
    .sort(byUser)
}

/** The first days of users whose events are here. */
function firstDaysOf(events: readonly Event[], everCame: readonly Event[], activity: Activity) {
  return [...Map.groupBy(events, ({ user }) => user)]
    .map(([user, own]) => {
      const isKnown = wasThere(user, everCame, activity) === 1
      return [user, isKnown ? 'before' : dayIn(Math.min(...own.map(({ time }) => time)), activity.calendar.timeZone)]
    })
    .sort(byUser)
}

/** What the first event of each user said, and what acquired them. */
function expectFirstTouches(activity: Activity, events: readonly Event[]): void {
  for (const step of activity.readFirstTouches()) void step
  const { times, contexts, acquiredTimes } = activity.firstTouches
  for (const [telegramId, own] of Map.groupBy(events, ({ user }) => user)) {
    const user = activity.userOf(telegramId) as number
    const [first] = own.toSorted((a, b) => a.time - b.time || a.key - b.key)
    const { time, key } = first as Event
    // Events of two names may have one key here.
    const firsts = own.filter((some) => some.time === time && some.key === key)
    const acquired = Math.min(...own.filter(({ context }) => context === START_CONTEXT).map(({ time }) => time))
    expect([times[user], acquiredTimes[user]]).toEqual([
      time,
      acquired <= time + DAY_MS ? acquired : Number.POSITIVE_INFINITY,
    ])
    expect(firsts.map(({ context }) => activity.contexts.ordinalOf(context) + 1)).toContain(contexts[user])
  }
}

function byUser([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b)
}

function namesOf(events: readonly Event[]) {
  return [...Map.groupBy(events, ({ nameId }) => nameId)].map(([nameId, own]) => ({
    name: `name ${nameId}`,
    first: own[0]?.time,
    last: own.at(-1)?.time,
  }))
}

function readPairs(activity: Activity, place: Place) {
  return daysOf(place).flatMap((day) => {
    const { length, users, contexts, counts, lasts } = activity.pairsOf(day)
    const pairs = Array.from({ length }, (_, pair) => ({
      day,
      user: activity.telegramIdOf(users[pair] as number),
      context: (contexts[pair] as number) + 1,
      events: counts[pair] as number,
      isLast: lasts[pair] === 1,
    }))
    return pairs.sort((a, b) => a.user - b.user || a.context - b.context)
  })
}

function pairsOf(events: readonly Event[], { zone }: Place) {
  const byPair = Map.groupBy(events, ({ time, user, context }) => `${dayIn(time, zone)} ${user} ${context}`)
  const lastOf = (day: number, user: number) =>
    events
      .filter((event) => event.user === user && dayIn(event.time, zone) === day)
      .toSorted((a, b) => a.time - b.time || a.key - b.key || b.context - a.context)
      .at(-1) as Event
  const pairs = [...byPair].map(([key, own]) => {
    const [day, user, context] = key.split(' ').map(Number) as [number, number, number]
    return { day, user, context, events: own.length, isLast: own.includes(lastOf(day, user)) }
  })
  return pairs.sort((a, b) => a.day - b.day || a.user - b.user || a.context - b.context)
}
