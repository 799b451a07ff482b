import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Columns } from '../../../src/columns/columns.ts'
import { countPaths, pathsReport } from '../../../src/questions/paths/paths.ts'
import type { PathsQuery } from '../../../src/questions/paths/query.ts'
import { collectTargets, findTargets, pathTargetsReport } from '../../../src/questions/paths/targets.ts'
import { holds } from '../../support/cases.ts'
import { askedVisits, pathsQuestion } from '../../support/made-up-sessions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { answerPaths } from '../../support/paths-oracle.ts'
import { tell } from '../../support/telling.ts'

const cases = askedVisits(pathsQuestion, { questions: 8, withTies: true })

interface Room {
  readonly maxEvents?: number
  readonly maxCharacters?: number
}

it.each([
  ['one object', 1, {}],
  ['one object that holds few events at once', 1, { maxEvents: 7 }],
  ['two objects', 2, {}],
  ['four objects with little room for answers', 4, { maxEvents: 7, maxCharacters: 100 }],
])('paths of %s are those that looking at every event finds', async (_, objects, room) => {
  await holds(
    fc.asyncProperty(cases, async ({ history: { events }, asked }) => {
      const parts = partsOf(events, objects)
      for (const { question } of asked) {
        const { filters } = meantBy({ ...question, groupBy: [] })
        const answer = await answerOf(parts, { ...question, filters, targets: null }, room)
        expect(answer, tell(events, question, '')).toEqual(answerPaths(events, question).data)
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
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
    const query = { event: 'start', direction: 'after', steps: 2, filters: [], from: 0, to: 0, targets: null } as const
    const answer = await answerOf(partsOf(events, objects), query, {})
    const shown = (step: number) =>
      answer.filter((transition) => transition.step === step).map(({ from, to }) => from + to)
    expect(shown(1)).toEqual(['(end)', '(other)', ...names.slice(0, 20).sort()].map((to) => `start${to}`))
    expect(shown(2)).toEqual(['(other)', ...names.slice(0, 20).sort()].map((from) => `${from}last`))
  },
)

async function answerOf(parts: readonly Columns[], query: PathsQuery, room: Room) {
  const targets =
    parts.length === 1
      ? null
      : await findTargets(query, async (part) =>
          pathTargetsReport.result(
            askParts(parts, (columns) => collectTargets(columns, part, room)),
            part,
          ),
        )
  const asked = { ...query, targets }
  return pathsReport.result(
    askParts(parts, (columns) => countPaths(columns, asked, room.maxEvents)),
    asked,
  )
}
