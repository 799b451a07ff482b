import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'

/** The days that a condition looks at: so many up to and including today, fixed ones, or all where it names none. */
export type Within = { readonly days: number } | { readonly start: number; readonly end: number } | undefined

export const TIMES_OPERATORS = ['at_least', 'at_most', 'exactly'] as const

/** How often something happened. */
export interface Times {
  readonly op: (typeof TIMES_OPERATORS)[number]
  readonly n: number
}

/** A condition about a user. `Days` are days as a definition has them, or as they are when a question is asked. */
export type CohortCondition<Days> =
  | {
      readonly type: 'did'
      /** Null for any event. */
      readonly event: string | null
      readonly filters: readonly Filter[]
      readonly times: Times
      readonly within: Days
    }
  | { readonly type: 'first_seen'; readonly within: Days }
  | { readonly type: 'property'; readonly filter: Filter }
  | {
      readonly type: 'funnel'
      readonly events: readonly [string, string, ...string[]]
      readonly windowSeconds: number
      readonly order: 'ordered' | 'strict' | 'any'
      /** From 1. */
      readonly reached: number
      readonly andStopped: boolean
      readonly within: Days
    }
  | { readonly type: 'users'; readonly telegramIds: readonly number[] }

/** Which users belong to a cohort. */
export interface Rule<Days> {
  readonly match: 'all' | 'any'
  readonly conditions: readonly CohortCondition<Days>[]
}

/** Null for all days. */
export type CohortRule = Rule<Period | null>

/** The rule as it is today. */
export function ruleOf({ match, conditions }: Rule<Within>, today: number): CohortRule {
  return {
    match,
    conditions: conditions.map((condition) =>
      'within' in condition ? { ...condition, within: periodOf(condition.within, today) } : condition,
    ),
  }
}

function periodOf(within: Within, today: number): Period | null {
  if (!within) return null
  return 'days' in within ? { from: today - within.days + 1, to: today } : { from: within.start, to: within.end }
}

/** All days with events, in a calendar. */
export function allDays(
  { dayOf }: Calendar,
  spans: Iterable<{ readonly first: number; readonly last: number }>,
): Period {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { first, last } of spans) {
    from = Math.min(from, dayOf(first))
    to = Math.max(to, dayOf(last))
  }
  return from <= to ? { from, to } : { from: 0, to: -1 }
}
