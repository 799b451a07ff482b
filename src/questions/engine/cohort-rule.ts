import type { Described } from '../../base/described.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'

/** The days that a condition covers: this many up to and including today, fixed days, or all days if undefined. */
export type Within = { readonly days: number } | { readonly start: number; readonly end: number } | undefined

/** A figure that counts users, as a request names it. */
export interface AskedFigure {
  /** The path of the question. */
  readonly question: string
  readonly params: unknown
  readonly cell: unknown
}

/** A figure that counts users, as objects take it: with the resolved query of its question. */
export interface FigureQuery {
  readonly question: string
  readonly query: unknown
}

export const TIMES_OPERATORS = ['at_least', 'at_most', 'exactly'] as const

export const AMOUNT_OPERATORS = ['is', 'greater', 'greater or equal', 'less', 'less or equal'] as const

type DefinedCondition = Described['cohortRule']['conditions'][number]

/** How often an event must have occurred. */
export type Times = Extract<DefinedCondition, { type: 'did' }>['times']

/** A condition about a user. `Days` and `Figure` are as defined, or as resolved when a question is asked. */
export type CohortCondition<Days, Figure = FigureQuery> = With<
  DefinedCondition,
  { within: Days; figure: Figure; filters: readonly Filter[] }
>

/** Each of several shapes, with other types of these fields. */
type With<Shape, Fields> = Shape extends unknown
  ? { readonly [Name in keyof Shape]: Name extends keyof Fields ? Fields[Name] : Shape[Name] }
  : never

/** The conditions that decide which users belong to a cohort. */
interface Rule<Days, Figure> extends Pick<Described['cohortRule'], 'match'> {
  readonly conditions: readonly CohortCondition<Days, Figure>[]
}

/** A rule as resolved when a question is asked; a period of null is all days. */
export interface CohortRule extends Rule<Period | null, FigureQuery> {
  /** The rules that define revenue. */
  readonly revenueRules: readonly RevenueRule[]
}

/** A rule as it was defined. */
export type DefinedRule = Rule<Within, AskedFigure>

/** The number of messenger ids that a rule lists. */
export function listedIn({ conditions }: Pick<CohortRule, 'conditions'>): number {
  return conditions.reduce((sum, condition) => sum + (condition.type === 'users' ? condition.telegramIds.length : 0), 0)
}

/** The rule for one of several objects: it lists only that object's users. */
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

/** The days from the first event to the last one; an empty period without events. */
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
