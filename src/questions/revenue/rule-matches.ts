import { spanOf } from '../../base/time/calendar.ts'
import type { Report } from '../engine/report.ts'
import { count, list, record, type TotalOf, together } from '../engine/totals.ts'
import { createChargeReader } from './charges.ts'
import { takeCharges } from './passes.ts'
import type { ChargesQuery } from './query.ts'

/** The number of events that rules match in a period. */
const ruleMatches = record({
  /** Payments or refunds, per rule. */
  matches: list(count),
  /** Matching events without a valid amount or currency. */
  skipped: count,
})

export type RuleMatches = TotalOf<typeof ruleMatches>

/** Counts what rules match, for the page that edits them. */
export const ruleMatchesReport: Report<ChargesQuery, RuleMatches, RuleMatches> = {
  name: 'matches of revenue rules',
  *part(columns, query) {
    const { rules } = query
    const reader = createChargeReader({ columns, ...query, currency: null })
    const matches = new Map(rules.map((rule) => [rule, 0]))
    const slices = columns.slicesOf(reader.names, spanOf(columns.calendar, query))
    yield* takeCharges(reader, slices, ({ rule, count }) => matches.set(rule, (matches.get(rule) ?? 0) + count))
    return { matches: rules.map((rule) => matches.get(rule) ?? 0), skipped: reader.skipped }
  },
  result: together(ruleMatches),
}
