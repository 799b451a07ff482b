import type { z } from '@hono/zod-openapi'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calendarOf } from '../../../src/base/time/calendar.ts'
import { WHOLE } from '../../../src/columns/selection/share.ts'
import { FIGURES } from '../../../src/questions/catalogue.ts'
import { parseDefinition } from '../../../src/questions/user-cohorts/definition/contract.ts'
import { CELL_FIELDS, FIGURE_PATHS } from '../../../src/questions/user-cohorts/figures/contract.ts'
import { cohortMembersReport } from '../../../src/questions/user-cohorts/membership.ts'
import { ruleOf } from '../../../src/questions/user-cohorts/rule-today.ts'
import { holds } from '../../support/cases.ts'
import { chosenCells, FIGURE_QUESTIONS } from '../../support/figure-cells.ts'
import { toQueryRules } from '../../support/made-up-payments.ts'
import { inSomeZone } from '../../support/moved-history.ts'
import { OBJECTS, type Objects, objectsOf } from '../../support/parts.ts'
import type { Rule } from '../../support/revenue-oracle.ts'

const CELLS_OF_EACH = 6
const SOME_DAY = 20_000
const LONGEST_ADDRESS = 8_000

const some = fc.array(fc.nat(), { minLength: CELLS_OF_EACH, maxLength: CELLS_OF_EACH })

async function usersAt(
  { ask, timeZone }: Objects,
  at: object,
  question: string,
  asked: { today: number; rules: readonly Rule[] },
) {
  const definition = { match: 'all', conditions: [{ type: 'figure', question, at }] }
  const revenueRules = toQueryRules(asked.rules)
  const context = { calendar: calendarOf(timeZone), today: asked.today, revenueRules }
  const rule = ruleOf(parseDefinition(JSON.stringify(definition)), context)
  return [...((await ask(cohortMembersReport, { rule, share: WHOLE })) ?? [])].sort((a, b) => a - b)
}

it('all questions with figures that count users are tested', () => {
  expect(Object.keys(FIGURE_QUESTIONS).sort()).toEqual(FIGURE_PATHS.toSorted())
})

const QUESTIONS = Object.entries(FIGURE_QUESTIONS)

it.each(QUESTIONS.flatMap(([path, question]) => OBJECTS.map((objects) => [path, ...objects, question] as const)))(
  '%s finds the users of its figures from %s',
  async (_path, _title, count, bounds, { cases, pathOf, cellsOf }) => {
    await holds(
      fc.asyncProperty(cases.chain(inSomeZone), some, async ({ history: { events }, asked, timeZone }, numbers) => {
        const objects = objectsOf(events, count, bounds, timeZone)
        for (const { question, path } of asked) {
          const zoned = { today: SOME_DAY, rules: [], ...question, timeZone }
          const address = pathOf(zoned as never, path)
          if (address.length > LONGEST_ADDRESS) continue
          const cells = cellsOf(events, zoned as never)
          const history = JSON.stringify({ timeZone, address, events })
          for (const { at, users, ids } of chosenCells(cells, numbers)) {
            const told = `${JSON.stringify(at)} of ${history}`
            if (!Number.isNaN(users)) expect(ids.length, told).toBe(users)
            expect(await usersAt(objects, at, address, zoned), told).toEqual(ids.toSorted((a, b) => a - b))
          }
        }
      }),
      { atLeast: 2, atMost: 300, endOnFailure: true },
    )
  },
)

it.each([1, 2])('users of other targets exclude those of named targets and of the end (%i objects)', async (count) => {
  const events = ['a', 'b', 'c', null].flatMap((name, user) =>
    ['start', name]
      .filter((event_type) => event_type !== null)
      .map((event_type, datetime) => ({
        event_id: `${user} ${datetime}`,
        event_type,
        telegram_id: user + 1,
        datetime,
      })),
  )
  const question = '/events/paths?event=start&steps=2&start=19700101&end=19700101'
  const asked = { today: SOME_DAY, rules: [] }
  const objects = objectsOf(events, count)
  expect(await usersAt(objects, { step: 1, from: 'start', to: { not: ['a'] } }, question, asked)).toEqual([2, 3])
  expect(await usersAt(objects, { step: 1, from: 'start', to: '(end)' }, question, asked)).toEqual([4])
  expect(await usersAt(objects, { step: 2, from: { not: ['a'] }, to: '(end)' }, question, asked)).toEqual([2, 3])
})

it('the document describes every field of a cell', () => {
  const fields = [...FIGURES.values()].flatMap(({ cell }) => Object.keys((cell as z.ZodObject).shape))
  expect(Object.keys(CELL_FIELDS).toSorted()).toEqual([...new Set(fields)].toSorted())
})
