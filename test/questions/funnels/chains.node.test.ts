import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeFunnelRoute } from '../../../src/questions/funnels/routes.ts'
import { funnelPath } from '../../support/asking.ts'
import type { CaseState } from '../../support/case-states.ts'
import { holds, reachesAll } from '../../support/cases.ts'
import { type FunnelAnswer, withCloseTimes } from '../../support/close-times.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { answerFunnel, type FunnelQuestion } from '../../support/funnel-oracle.ts'
import { askedFunnels } from '../../support/made-up-questions.ts'
import { inSomeZone } from '../../support/moved-history.ts'
import { LAST, noteStates, OBJECTS, type Objects, objectsOf } from '../../support/parts.ts'
import { RareStates } from '../../support/rare-states.ts'
import { tell } from '../../support/telling.ts'

const states = new RareStates<CaseState>([
  'two steps of a funnel at one instant',
  'a step exactly at the end of its window',
  'a step a millisecond after its window',
  'two objects, one without users',
  'a day of 23 hours',
])

it.each(OBJECTS)('%s equals trying every chain of every user', async (title, count, bounds) => {
  await holds(
    fc.asyncProperty(
      askedFunnels({ questions: 10 }).chain(inSomeZone),
      async ({ history: { events }, asked, timeZone }) => {
        const objects = objectsOf(events, count, bounds, timeZone)
        noteStates(states, { events, questions: asked.map(({ question }) => question), timeZone })
        for (const { question, path } of asked) await expectSame(events, { ...question, timeZone }, objects, path)
      },
    ),
    { atLeast: 10, atMost: 1000, ...(title === LAST && { states }), endOnFailure: true },
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

it.each(OBJECTS)('%s equals trying every chain if many events share few instants', async (_, count, bounds) => {
  await holds(
    fc.asyncProperty(crowded, async ({ happenings, ...asked }) => {
      const history = happenings.map((happening, place) => ({ event_id: `event ${place}`, ...happening }))
      await expectSame(history, { ...asked, from: DAY, to: DAY }, objectsOf(history, count, bounds))
    }),
    { atLeast: 300, atMost: 100_000 },
  )
})

/** A user's events, as `name@second`, and the seconds of each step of the chain that represents the user. */
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
  const { steps: found = [] } = await answerOf(objectsOf(history, 1), funnelPath(asked))
  const further = found.slice(1).filter(({ users }) => users > 0)
  expect(further.map(({ median_seconds }) => median_seconds)).toEqual(seconds)
})

reachesAll(states)

async function expectSame(
  history: readonly SentEvent[],
  question: FunnelQuestion,
  objects: Objects,
  path = funnelPath(question),
): Promise<void> {
  const expected = answerFunnel(history, question)
  const answer = await answerOf(objects, path)
  expect(withCloseTimes(answer, expected), tell(history, question, path)).toEqual(expected)
}

function answerOf(objects: Objects, path: string): Promise<FunnelAnswer> {
  return objects.askAt(analyzeFunnelRoute, path) as Promise<FunnelAnswer>
}
