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
})

it.each([1, 2])(
  '20 targets have names, ties by code points; the others are one, and the end is beside them (%i objects)',
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
