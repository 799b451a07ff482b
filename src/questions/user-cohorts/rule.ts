import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'

/** The days that a condition looks at: so many up to and including today, fixed ones, or all where it names none. */
export type Within = { readonly days: number } | { readonly start: number; readonly end: number } | undefined

export const TIMES_OPERATORS = ['at_least', 'at_most', 'exactly'] as const

export const AMOUNT_OPERATORS = ['is', 'greater', 'greater or equal', 'less', 'less or equal'] as const

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
      readonly type: 'revenue'
      readonly op: (typeof AMOUNT_OPERATORS)[number]
      /** In major units. */
      readonly amount: number
      readonly currency: string
      readonly within: Days
    }
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
  | { readonly type: 'users'; readonly telegramIds: Float64Array }

/** Which users belong to a cohort. */
export interface Rule<Days> {
  readonly match: 'all' | 'any'
  readonly conditions: readonly CohortCondition<Days>[]
}

/** Null for all days. */
export interface CohortRule extends Rule<Period | null> {
  /** What counts as revenue. */
  readonly revenueRules: readonly RevenueRule[]
}

/** What a rule depends on besides events. */
export interface RuleContext {
  readonly today: number
  readonly revenueRules: readonly RevenueRule[]
}

/** The rule as it is today. */
export function ruleOf({ match, conditions }: Rule<Within>, { today, revenueRules }: RuleContext): CohortRule {
  return {
    match,
    revenueRules: conditions.some(({ type }) => type === 'revenue') ? revenueRules : [],
    conditions: conditions.map((condition) =>
      'within' in condition ? { ...condition, within: periodOf(condition.within, today) } : condition,
    ),
  }
}

function periodOf(within: Within, today: number): Period | null {
  if (!within) return null
  return 'days' in within ? { from: today - within.days + 1, to: today } : { from: within.start, to: within.end }
}

/** How many messenger ids a rule lists. */
export function listedIn({ conditions }: Pick<CohortRule, 'conditions'>): number {
  return conditions.reduce((sum, condition) => sum + (condition.type === 'users' ? condition.telegramIds.length : 0), 0)
}

/** The rule for one object of several, which needs no list of others' users. */
export function ruleOfPart(
  rule: CohortRule,
  { part, count }: { readonly part: number; readonly count: number },
): CohortRule {
  if (count === 1 || listedIn(rule) === 0) return rule
  const conditions = rule.conditions.map((condition) =>
    condition.type === 'users'
      ? { ...condition, telegramIds: condition.telegramIds.filter((id) => id % count === part) }
      : condition,
  )
  return { ...rule, conditions }
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
