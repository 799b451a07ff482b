import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'

/** The days that a condition looks at: so many up to and including today, fixed ones, or all where it names none. */
export type Within = { readonly days: number } | { readonly start: number; readonly end: number } | undefined

/** A figure that counts users, as it was asked for. */
export interface AskedFigure {
  /** The path of the question. */
  readonly question: string
  readonly params: unknown
  readonly cell: unknown
}

/** The same as objects take it. */
export interface FigureQuery {
  readonly question: string
  readonly query: unknown
}

export const TIMES_OPERATORS = ['at_least', 'at_most', 'exactly'] as const

export const AMOUNT_OPERATORS = ['is', 'greater', 'greater or equal', 'less', 'less or equal'] as const

/** How often something happened. */
export interface Times {
  readonly op: (typeof TIMES_OPERATORS)[number]
  readonly n: number
}

/** A condition about a user. `Days` and `Figure` are as a definition has them, or as they are when a question is asked. */
export type CohortCondition<Days, Figure = FigureQuery> =
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
  | { readonly type: 'figure'; readonly figure: Figure }

/** Which users belong to a cohort. */
interface Rule<Days, Figure> {
  readonly match: 'all' | 'any'
  readonly conditions: readonly CohortCondition<Days, Figure>[]
}

/** Null for all days. */
export interface CohortRule extends Rule<Period | null, FigureQuery> {
  /** What counts as revenue. */
  readonly revenueRules: readonly RevenueRule[]
}

/** A rule as it was defined. */
export type DefinedRule = Rule<Within, AskedFigure>

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
