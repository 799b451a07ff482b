import type { Period } from '../../base/time/period.ts'
import type { CohortRule, DefinedRule, Within } from '../engine/cohort-rule.ts'
import type { FigureContext } from '../engine/figures.ts'
import { toFigureQuery } from './figures/figures.ts'

/** Resolves a rule as of today. */
export function ruleOf({ match, conditions }: DefinedRule, context: FigureContext): CohortRule {
  const { today, revenueRules } = context
  return {
    match,
    revenueRules: conditions.some(({ type }) => type === 'revenue') ? revenueRules : [],
    conditions: conditions.map((condition) => {
      if (condition.type === 'figure') return { type: 'figure', figure: toFigureQuery(condition.figure, context) }
      return 'within' in condition ? { ...condition, within: periodOf(condition.within, today) } : condition
    }),
  }
}

function periodOf(within: Within, today: number): Period | null {
  if (!within) return null
  return 'days' in within ? { from: today - within.days + 1, to: today } : { from: within.start, to: within.end }
}
