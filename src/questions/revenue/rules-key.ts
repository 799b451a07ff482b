import { parseProperty } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'

/** A cache key for rules; null if texts of contexts, which can be erased in unchanged segments, affect them. */
export function keyOfRules(rules: readonly RevenueRule[]): string | null {
  const usesParamsOnly = rules.every(({ filters }) => filters.every(({ prop }) => parseProperty(prop)?.of === 'params'))
  return usesParamsOnly ? JSON.stringify(rules) : null
}
