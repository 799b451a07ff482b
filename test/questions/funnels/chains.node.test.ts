import fc from 'fast-check'
import { expect, it } from 'vitest'
import { precedingPeriod } from '../../../src/base/time/period.ts'
import { collectCandidates, funnelCandidatesReport } from '../../../src/questions/funnels/candidates.ts'
import { followUsers, funnelReport, toFigures, toSteps } from '../../../src/questions/funnels/funnels.ts'
import { BOUNDS, type FunnelBounds, type FunnelQuery } from '../../../src/questions/funnels/query.ts'
import { findLargestGroups } from '../../../src/questions/group-users.ts'
import { toNumberSeries } from '../../../src/questions/series.ts'
import { MAX_ANSWER_CHARACTERS } from '../../../src/questions/shares.ts'
import { holds } from '../../support/cases.ts'
import { withCloseTimes } from '../../support/close-times.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { answerFunnel, type FunnelQuestion } from '../../support/funnel-oracle.ts'
import { askedFunnels } from '../../support/made-up-questions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { tell } from '../../support/telling.ts'

interface Room {
  readonly bounds: FunnelBounds
  readonly maxCharacters: number
}

const WIDE: Room = { bounds: BOUNDS, maxCharacters: MAX_ANSWER_CHARACTERS }
/** So little that nearly every question takes several passes. */
const NARROW: Room = { bounds: { dictionary: { groups: 2, characters: 20 }, entries: 1 }, maxCharacters: 100 }

const OBJECTS: [string, number, Room][] = [
  ['one object', 1, WIDE],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, WIDE],
  ['four objects with little room', 4, NARROW],
]

it.each(OBJECTS)('%s answers as trying every chain of every user does', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(askedFunnels({ questions: 10 }), async ({ history: { events }, asked }) => {
      for (const { question } of asked) await expectSame(events, question, { objects, room })
    }),
    { atLeast: 10, atMost: 1000, endOnFailure: true },
  )
})

const DAY = 20_000
const NAMES = ['A', 'B', 'C']
/** No steps. */
const OTHERS = ['X', 'Y']

/** Few users, few instants, the same names over and over: nearly everything is a tie. */
const crowded = fc
  .record({
    names: fc.constantFrom(NAMES.slice(0, 1), NAMES.slice(0, 2), NAMES),
    instants: fc.integer({ min: 1, max: 6 }),
    longest: fc.integer({ min: 1, max: 16 }),
  })
  .chain(({ names, instants, longest }) =>
    fc.record({
      happenings: fc.array(
        fc.record({
          event_type: fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...names) },
            { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
          ),
          telegram_id: fc.constantFrom(1, 2),
          datetime: fc
            .tuple(fc.nat(instants), fc.constantFrom(0, 0, 0, 0, -1, 1))
            .map(([second, days]) => (DAY + days) * DAY_MS + second * 1000),
          city: fc.constantFrom('a', 'b', '～', '😀', undefined),
        }),
        { minLength: 1, maxLength: longest, size: 'max' },
      ),
      events: fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 6, size: 'max' }),
      order: fc.constantFrom('ordered' as const, 'strict' as const, 'any' as const),
      exclude: fc.constantFrom([], OTHERS.slice(0, 1), OTHERS),
      windowSeconds: fc.constantFrom(1, 2, 86_400, 31_622_400),
      groupBy: fc.constantFrom([], ['city']),
      filters: fc.constantFrom([], [{ prop: 'city', op: 'is not' as const, values: ['a'] }]),
    }),
  )

it.each(OBJECTS)('%s does so where many events share few instants', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(crowded, async ({ happenings, ...asked }) => {
      const history = happenings.map((happening, place) => ({ event_id: `event ${place}`, ...happening }))
      await expectSame(history, { ...asked, from: DAY, to: DAY }, { objects, room })
    }),
    { atLeast: 300, atMost: 100_000 },
  )
})

/** A user's events, as `name@second`, and the seconds that each step of the chain that stands for them took. */
const EXAMPLES: [title: string, happened: string, steps: string, seconds: readonly number[]][] = [
  ['the latest entry that arrives with the first to arrive', 'A@1 A@2 B@5 A@6 B@7', 'A B', [3]],
  ['an older entry, where the later one has used the only event of the instant', 'A@1 A@2', 'A A', [1]],
  ['the later one, where the instant has a second event', 'A@1 A@2 A@2', 'A A', [0]],
  ['both go on within an instant: which one is to stand shows a step later', 'A@1 A@2 B@2', 'A B A', [1, 0]],
  ['two of three steps of one name at an instant', 'A@1 A@2 A@2', 'A A A', [1, 0]],
  ['an event that came between steps of its name', 'A@1 B@2 A@3 B@4 A@4', 'A B A B A', [1, 1, 1, 0]],
  ['all at one instant, whatever their order', 'C@1 B@1 A@1 A@1', 'A B A C', [0, 0, 0]],
]

it.each(EXAMPLES)('%s: %s through %s', async (_, happened, steps, seconds) => {
  const history = happened.split(' ').map((event, place) => {
    const [name = '', second] = event.split('@')
    const datetime = DAY * DAY_MS + Number(second) * 1000
    return { event_id: String(place), event_type: name, telegram_id: 1, datetime }
  })
  const asked = { events: steps.split(' '), windowSeconds: 60, filters: [], groupBy: [], from: DAY, to: DAY }
  const answer = await answerOf(history, asked, { objects: 1, room: WIDE })
  const further = answer.steps.slice(1).filter(({ users }) => users > 0)
  expect(further.map(({ median_seconds }) => median_seconds)).toEqual(seconds)
})

async function expectSame(
  history: readonly SentEvent[],
  question: FunnelQuestion,
  by: { objects: number; room: Room },
): Promise<void> {
  const { yValues, steps } = answerFunnel(history, question)
  const answer = await answerOf(history, question, by)
  expect(withCloseTimes(answer, { steps }), tell(history, question, '')).toEqual({ yValues, steps })
}

async function answerOf(
  history: readonly SentEvent[],
  question: FunnelQuestion,
  { objects, room }: { objects: number; room: Room },
) {
  const parts = partsOf(history, objects)
  const query = queryOf(question, objects)
  const isSpread = objects > 1 && query.groupBy.length > 0
  const groups = isSpread
    ? await findLargestGroups(async (share) => {
        const asked = { ...query, share }
        const told = askParts(parts, (columns) => collectCandidates(columns, asked, room))
        return funnelCandidatesReport.result(told, asked)
      })
    : null
  const figures = askParts(parts, (columns) => followUsers(columns, { ...query, groups }, room.bounds))
  const funnels = funnelReport.result(figures, query)
  return { yValues: funnels.map((funnel) => toNumberSeries(toFigures(funnel))), steps: funnels.flatMap(toSteps) }
}

function queryOf(question: FunnelQuestion, objects: number): FunnelQuery {
  const { events, order = 'ordered', exclude = [], windowSeconds, from, to, ...asked } = question
  return {
    steps: events as [string, string, ...string[]],
    order,
    excluded: exclude,
    windowMilliseconds: windowSeconds * 1000,
    period: { from, to },
    before: precedingPeriod({ from, to }),
    ...meantBy(asked),
    groups: null,
    objects,
  }
}
