import fc from 'fast-check'
import { askForList } from '../../../src/questions/engine/lists.ts'
import { AGGREGATION_PARAMS } from '../../../src/questions/user-properties/contract.ts'
import { PROPERTIES, userPropertiesReport } from '../../../src/questions/user-properties/user-properties.ts'
import { inOrder } from '../../support/columns.ts'
import { DAY_MS, type MadeHistory, madeHistory, type SentEvent } from '../../support/event-history.ts'
import { compareTexts, groupOf } from '../../support/filter-oracle.ts'
import { type Asked, askedHistories } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { isIn, type Period, precedingPeriod } from '../../support/series-oracle.ts'

interface Question extends Period {
  readonly param: (typeof AGGREGATION_PARAMS)[number]
  readonly limit: number
}

function questionOf({ events }: MadeHistory): fc.Arbitrary<Asked<Question>> {
  const day = fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
  return fc
    .tuple(fc.constantFrom(...AGGREGATION_PARAMS), fc.integer({ min: 1, max: 4 }), day, fc.integer({ min: 1, max: 9 }))
    .map(([param, limit, to, days]) => ({ question: { param, limit, from: to - days + 1, to }, path: '' }))
}

answersAsOracle({
  cases: askedHistories(madeHistory, questionOf, 8),
  answer: (objects, { question: { param, limit, from, to } }) => {
    const before = { from: from - (to - from + 1), to: from - 1 }
    return askForList(userPropertiesReport, { property: PROPERTIES[param], limit, from, to, before }, objects)
  },
  expected: expectedOf,
})

function expectedOf(events: readonly SentEvent[], { param, limit, ...period }: Question) {
  const latest = latestOf(events, period)
  const groups = Map.groupBy(latest, (event) => groupOf(event, [param])[0] as string)
  const values = [...groups]
    .map(([value, { length: users }]) => ({ value, users }))
    .sort((a, b) => b.users - a.users || compareTexts(a.value, b.value))
  return {
    values: values.slice(0, limit),
    allValues: values.length,
    allUsers: latest.length,
    usersBefore: latestOf(events, precedingPeriod(period)).length,
  }
}

/** The latest event of each user in a period. */
function latestOf(events: readonly SentEvent[], period: Period): SentEvent[] {
  const within = inOrder(events).filter(({ datetime }) => isIn(datetime, period))
  return [...new Map(within.map((event) => [event.telegram_id, event])).values()]
}
