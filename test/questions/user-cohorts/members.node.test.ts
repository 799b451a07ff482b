import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WHOLE } from '../../../src/columns/selection/share.ts'
import { parseDefinition } from '../../../src/questions/user-cohorts/definition/contract.ts'
import { cohortMembersReport, cohortSizeReport } from '../../../src/questions/user-cohorts/membership.ts'
import { ruleOf } from '../../../src/questions/user-cohorts/rule.ts'
import { holds } from '../../support/cases.ts'
import { membersOf } from '../../support/cohort-oracle.ts'
import { madeHistory } from '../../support/event-history.ts'
import { cohortOf, definitionOf } from '../../support/made-up-cohorts.ts'
import { OBJECTS, objectsOf } from '../../support/parts.ts'
import { madeVisits } from '../../support/visits.ts'
import { ZONES } from '../../support/zones.ts'

const cases = fc.oneof(madeHistory, madeVisits).chain((history) =>
  fc.record({
    history: fc.constant(history),
    cohorts: fc.array(cohortOf(history), { minLength: 6, maxLength: 6 }),
    timeZone: fc.constantFrom(...ZONES),
  }),
)

it.each(OBJECTS)('%s have the members that looking at every user finds', async (_, count, bounds) => {
  await holds(
    fc.asyncProperty(cases, async ({ history: { events }, cohorts, timeZone }) => {
      const { ask } = objectsOf(events, count, bounds, timeZone)
      for (const cohort of cohorts) {
        const rule = ruleOf(parseDefinition(JSON.stringify(definitionOf(cohort))), 20_000)
        const ids = await ask(cohortMembersReport, { rule, share: WHOLE })
        const members = membersOf(events, cohort, timeZone)
        expect(
          [...(ids ?? [])].sort((a, b) => a - b),
          JSON.stringify({ timeZone, cohort, events }),
        ).toEqual(members)
        expect(await ask(cohortSizeReport, { rule })).toEqual({ users: members.length })
      }
    }),
    { atLeast: 20, atMost: 300, endOnFailure: true },
  )
})

it('days move with today', () => {
  const rule = parseDefinition('{"match": "all", "conditions": [{"type": "first_seen", "within": {"days": 7}}]}')
  expect(ruleOf(rule, 20_000).conditions).toEqual([{ type: 'first_seen', within: { from: 19_994, to: 20_000 } }])
  expect(ruleOf(rule, 20_001).conditions).toEqual([{ type: 'first_seen', within: { from: 19_995, to: 20_001 } }])
})
