import fc from 'fast-check'
import { toDate } from './asking.ts'
import type { AskedCohort, AskedCondition } from './cohort-oracle.ts'
import type { MadeHistory } from './event-history.ts'
import type { Filter } from './filter-oracle.ts'
import { filtersOf, nameOf, periodOf } from './made-up-questions.ts'
import type { Period } from './series-oracle.ts'

export function cohortOf(history: MadeHistory): fc.Arbitrary<AskedCohort> {
  return fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    conditions: fc.array(conditionOf(history), { minLength: 1, maxLength: 3 }),
  })
}

function conditionOf(history: MadeHistory): fc.Arbitrary<AskedCondition> {
  const within = fc.oneof(fc.constant(null), periodOf(history, [1, 2, 7, 40]))
  const event = fc.oneof(nameOf(history), fc.constant('_active'))
  const ids = [...new Set(history.events.map(({ telegram_id }) => telegram_id)), 4_711]
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('did' as const),
        event,
        filters: filtersOf(history),
        times: fc.record({ op: fc.constantFrom('at_least', 'at_most', 'exactly'), n: fc.nat(3) }),
        within,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('first_seen' as const), within }) },
    {
      weight: 2,
      arbitrary: filtersOf(history)
        .filter((filters) => filters.some(isWhole))
        .map((filters) => ({ type: 'property' as const, ...(filters.find(isWhole) as Filter) })),
    },
    {
      weight: 2,
      arbitrary: fc.array(nameOf(history), { minLength: 2, maxLength: 4 }).chain((events) =>
        fc.record({
          type: fc.constant('funnel' as const),
          events: fc.constant(events),
          window_seconds: fc.constantFrom(60, 86_400, 2_592_000),
          order: fc.constantFrom('ordered', 'strict', 'any'),
          reached: fc.integer({ min: 1, max: events.length }),
          and_stopped: fc.boolean(),
          within,
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('revenue' as const),
        op: fc.constantFrom('is', 'greater', 'greater or equal', 'less', 'less or equal'),
        amount: fc.constantFrom(0, 1, 2.5, 5, 100, -1),
        currency: fc.constantFrom('XTR', 'TON', 'USD'),
        within,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('users' as const),
        telegram_ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 4 }),
      }),
    },
  )
}

/** Whether it is about a context or a user, not about a parameter. */
function isWhole({ prop }: Filter): boolean {
  return !prop.startsWith('params.')
}

/** The definition as it is sent. */
export function definitionOf({ match, conditions }: AskedCohort): object {
  return {
    match,
    conditions: conditions.map((condition) =>
      'within' in condition ? { ...condition, within: writtenDays(condition.within) } : condition,
    ),
  }
}

function writtenDays(within: Period | null): object | undefined {
  return within === null ? undefined : { start: toDate(within.from), end: toDate(within.to) }
}
