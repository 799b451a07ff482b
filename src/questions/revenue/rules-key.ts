import { parseProperty } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'

/** Names rules in caches; null if what they match may change while a segment stays as it is: the texts of contexts can be erased. */
export function keyOfRules(rules: readonly RevenueRule[]): string | null {
  const looksAtParamsOnly = rules.every(({ filters }) =>
    filters.every(({ prop }) => parseProperty(prop)?.of === 'params'),
  )
  return looksAtParamsOnly ? JSON.stringify(rules) : null
}
