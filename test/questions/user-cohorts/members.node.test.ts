import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UTC } from '../../../src/base/time/calendar.ts'
import { WHOLE } from '../../../src/columns/selection/share.ts'
import { parseDefinition } from '../../../src/questions/user-cohorts/definition/contract.ts'
import { cohortMembersReport, cohortSizeReport } from '../../../src/questions/user-cohorts/membership.ts'
import { ruleOf } from '../../../src/questions/user-cohorts/rule-today.ts'
import { holds } from '../../support/cases.ts'
import { membersOf } from '../../support/cohort-oracle.ts'
import { madeHistory } from '../../support/event-history.ts'
import { cohortOf, definitionOf } from '../../support/made-up-cohorts.ts'
import { madePayments, madeRules, toQueryRules } from '../../support/made-up-payments.ts'
import { OBJECTS, objectsOf } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'
import { ZONES } from '../../support/zones.ts'

const cases = fc.oneof(madeHistory, madeVisits, madePayments).chain((history) =>
  fc.record({
    history: fc.constant(history),
    cohorts: fc.array(cohortOf(history), { minLength: 6, maxLength: 6 }),
    timeZone: fc.constantFrom(...ZONES),
    rules: madeRules,
  }),
)

it.each(OBJECTS)('%s have the members that a brute-force search finds', async (_, count, bounds) => {
  await holds(
    fc.asyncProperty(cases, async ({ history: { events }, cohorts, timeZone, rules }) => {
      const { ask } = objectsOf(events, count, bounds, timeZone)
      for (const cohort of cohorts) {
        const revenueRules = toQueryRules(rules)
        const definition = parseDefinition(JSON.stringify(definitionOf(cohort)))
        const rule = ruleOf(definition, { calendar: UTC, today: 20_000, revenueRules })
        const ids = await ask(cohortMembersReport, { rule, share: WHOLE })
        const members = membersOf(events, cohort, { timeZone, rules })
        expect(
          [...(ids ?? [])].sort((a, b) => a - b),
          JSON.stringify({ timeZone, rules, cohort, events }),
        ).toEqual(members)
        expect(await ask(cohortSizeReport, { rule })).toEqual({ users: members.length })
      }
    }),
    { atLeast: 10, atMost: 300, endOnFailure: true },
  )
})

it('relative days move with today', () => {
  const rule = parseDefinition('{"match": "all", "conditions": [{"type": "first_seen", "within": {"days": 7}}]}')
  expect(ruleOf(rule, { calendar: UTC, today: 20_000, revenueRules: [] }).conditions).toEqual([
    { type: 'first_seen', within: { from: 19_994, to: 20_000 } },
  ])
  expect(ruleOf(rule, { calendar: UTC, today: 20_001, revenueRules: [] }).conditions).toEqual([
    { type: 'first_seen', within: { from: 19_995, to: 20_001 } },
  ])
})
