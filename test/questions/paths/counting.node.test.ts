import { expect, it } from 'vitest'
import { askForPaths } from '../../../src/questions/paths/paths.ts'
import { getEventPathsRoute } from '../../../src/questions/paths/routes.ts'
import { askedVisits, pathsQuestion } from '../../support/made-up-sessions.ts'
import { answersAsOracle, objectsOf } from '../../support/parts.ts'
import { answerPaths } from '../../support/paths-oracle.ts'

answersAsOracle({
  cases: askedVisits(pathsQuestion, { questions: 8, withTies: true }),
  answer: (objects, { path }) => objects.askAt(getEventPathsRoute, path),
  expected: answerPaths,
  states: ['a session across midnight', 'several events of a user at one instant'],
})

it.each([1, 2])(
  'names 20 targets, ties by code points, and adds up the others beside the end (%i objects)',
  async (objects) => {
    const names = [...Array.from({ length: 19 }, (_, place) => `a ${place}`), '～', '😀']
    const events = [...names, null].flatMap((name, user) =>
      ['start', name, name && 'last']
        .filter((event_type) => event_type !== null)
        .map((event_type, datetime) => ({ event_id: `${user} ${datetime}`, event_type, telegram_id: user, datetime })),
    )
    const query = {
      event: 'start',
      direction: 'after',
      steps: 2,
      excludesPageviews: false,
      filters: [],
      from: 0,
      to: 0,
      targets: null,
    } as const
    const answer = await askForPaths(query, objectsOf(events, objects))
    const shown = (step: number) =>
      answer.filter((transition) => transition.step === step).map(({ from, to }) => from + to)
    expect(shown(1)).toEqual(['(end)', '(other)', ...names.slice(0, 20).sort()].map((to) => `start${to}`))
    expect(shown(2)).toEqual(['(other)', ...names.slice(0, 20).sort()].map((from) => `${from}last`))
  },
)

it('a session continues across a day that a time zone skips', async () => {
  // 30 December 2011 did not happen there: the next midnight was at 10 o'clock in UTC.
  const [first, last] = ['2011-12-30T09:45:00Z', '2011-12-30T10:10:00Z'].map((text) => Date.parse(text)) as [
    number,
    number,
  ]
  const events = [first, last].map((datetime) => ({
    event_id: `${datetime}`,
    event_type: 'a',
    telegram_id: 1,
    datetime,
  }))
  const objects = objectsOf(events, 1, {}, 'Pacific/Apia')
  const pathsOf = (start: number, end: number) =>
    objects.askAt(getEventPathsRoute, `/events/paths?event=_session&direction=before&steps=1&start=${start}&end=${end}`)
  expect((await pathsOf(20111229, 20111229)) as object).toMatchObject({ data: [] })
  expect((await pathsOf(20111231, 20111231)) as object).toMatchObject({
    data: [{ from: '_session', to: 'a', count: 1 }],
  })
})
