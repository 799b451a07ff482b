import fc from 'fast-check'
import { toPath } from './asking.ts'
import { DAY_MS, type MadeHistory, madeHistory, type SentEvent } from './event-history.ts'
import { type Asked, type AskedHistory, askCommon, commonOf } from './made-up-questions.ts'
import type { PathsQuestion } from './paths-oracle.ts'
import type { SessionsQuestion } from './sessions-oracle.ts'

const GAP_MS = 1_800_000
const FIRST_DAY = Math.floor(Date.now() / DAY_MS) - 40

/** How long people do nothing: the borders of sessions and of their lengths, to the millisecond, above all. */
const PAUSES_MS = [1, 999, 2_500, 4_999, 5_000, 9_999, 10_000, 59_999, 60_000, 299_999, 300_000]
const PAUSES_AT_THE_GAP_MS = [GAP_MS - 1, GAP_MS, GAP_MS, GAP_MS + 1, GAP_MS + 1, 3_600_000, DAY_MS]

/** When they come, by the day: around midnight, so that sessions go on past it and begin exactly at it. */
const COMES_MS = [-GAP_MS - 1, -GAP_MS, -GAP_MS + 1, -1_000, -1, 0, 1, 43_200_000]

interface Times {
  /** Whether events of a user may share an instant. */
  readonly withTies: boolean
}

interface Manner {
  readonly day: number
  readonly comes: number
  readonly pauses: readonly number[]
  /** How often the user does the first thing over and over, every half an hour. */
  readonly repeats: number
}

function mannerOf({ withTies }: Times): fc.Arbitrary<Manner> {
  const pause = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PAUSES_MS) },
    { weight: 3, arbitrary: fc.constantFrom(...PAUSES_AT_THE_GAP_MS) },
    { weight: withTies ? 2 : 0, arbitrary: fc.constant(0) },
  )
  return fc.record({
    day: fc.integer({ min: 0, max: 4 }),
    comes: fc.constantFrom(...COMES_MS),
    pauses: fc.array(pause, { minLength: 4, maxLength: 8 }),
    repeats: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 120 }) },
    ),
  })
}

/** What people do in a made-up history, at times at which sessions begin and end. */
function visitsOf(history: MadeHistory, times: Times): fc.Arbitrary<MadeHistory> {
  const users = Map.groupBy(history.events, ({ telegram_id }) => telegram_id)
  const manners = fc.array(mannerOf(times), { minLength: users.size, maxLength: users.size })
  return manners.map((all) => {
    const events = [...users.values()].flatMap((own, place) => timed(own, all[place] as Manner))
    // What comes first need not be the oldest.
    return { ...history, events: events.toReversed() }
  })
}

function timed(own: readonly SentEvent[], { day, comes, pauses, repeats }: Manner): SentEvent[] {
  const [first] = own as [SentEvent, ...SentEvent[]]
  const repeated = Array.from({ length: repeats }, (_, place) => ({ ...first, event_id: `${first.event_id} ${place}` }))
  let datetime = (FIRST_DAY + day) * DAY_MS + comes
  return [...repeated, ...own].map((event, place) => {
    const pause = place < repeats ? GAP_MS : (pauses[place % pauses.length] as number)
    datetime += place === 0 ? 0 : pause
    return { ...event, datetime }
  })
}

/** Histories with this many questions about each. */
export function askedVisits<Question>(
  askedOf: (history: MadeHistory) => fc.Arbitrary<Asked<Question>>,
  { questions, ...times }: Times & { readonly questions: number },
): fc.Arbitrary<AskedHistory<Question>> {
  return madeHistory
    .chain(withManyNames)
    .chain((history) => visitsOf(history, times))
    .chain((history) =>
      fc.record({
        history: fc.constant(history),
        asked: fc.array(askedOf(history), { minLength: questions, maxLength: questions }),
      }),
    )
}

/** More names than a step shows, whose order is another one by UTF-16. */
const MANY_NAMES = [...'ab😀～Ａ'].flatMap((letter) => Array.from({ length: 8 }, (_, place) => `${letter} ${place}`))

/** Page views, what only reads like one, and in place of nothing any other event. */
const VIEWS = ['Pageview', 'Pageview /a', 'Pageview /b', 'Pageviews', 'pageview /a', '', '']

/** In some histories every other event has one of many names. */
function withManyNames(history: MadeHistory): fc.Arbitrary<MadeHistory> {
  const some = fc.array(fc.constantFrom(...MANY_NAMES), { minLength: 50, maxLength: 70 }).map((names) => ({
    ...history,
    events: history.events.map((event, place) =>
      place % 2 === 0 ? event : { ...event, event_type: names[place % names.length] as string },
    ),
  }))
  const viewed = fc.array(fc.constantFrom(...VIEWS), { minLength: 7, maxLength: 7 }).map((names) => ({
    ...history,
    events: history.events.map((event, place) => ({
      ...event,
      event_type: names[place % names.length] || event.event_type,
    })),
  }))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(history) },
    { weight: 1, arbitrary: some },
    { weight: 1, arbitrary: viewed },
  )
}

export function pathsQuestion(history: MadeHistory): fc.Arbitrary<Asked<PathsQuestion>> {
  const own = fc.record({
    event: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...history.events.map(({ event_type }) => event_type)) },
      { weight: 1, arbitrary: fc.constant('never') },
      { weight: 4, arbitrary: fc.constant(null) },
    ),
    excludesPageviews: fc.boolean(),
    direction: fc.constantFrom('after' as const, 'before' as const),
    steps: fc.integer({ min: 1, max: 5 }),
  })
  return fc
    .tuple(commonOf(history), own)
    .chain(([{ filters, from, to }, { event, direction, steps, excludesPageviews }]) =>
      askCommon({ filters, from, to, groupBy: [] }).map((common) => ({
        question: { event, direction, steps, excludesPageviews, filters, from, to },
        path: toPath('/events/paths', [
          ['event', event ?? '_session'],
          ...(excludesPageviews ? [['exclude_pageviews', 'true'] as const] : []),
          ['direction', direction],
          ['steps', String(steps)],
          ...common,
        ]),
      })),
    )
}

/** A day on which the last 30 days begin or end with somebody's visit, about. */
export function lastDayOf(_: MadeHistory): fc.Arbitrary<Asked<number>> {
  const days = fc.oneof(fc.integer({ min: -2, max: 7 }), fc.integer({ min: 27, max: 36 }))
  return days.map((days) => ({ question: FIRST_DAY + days, path: '' }))
}

export function sessionsQuestion(path: string) {
  return (history: MadeHistory): fc.Arbitrary<Asked<SessionsQuestion>> =>
    commonOf(history).chain(({ filters, from, to }) => {
      const question = { filters, from, to }
      return askCommon({ ...question, groupBy: [] }).map((common) => ({ question, path: toPath(path, common) }))
    })
}
