import { spanOf } from '../../base/time/calendar.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { count, list, record, type TotalOf, together } from '../engine/totals.ts'
import { createChargeReader } from './charges.ts'
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
    const reader = createChargeReader({ columns, ...query, ordinalOf: () => 0 })
    const matches = new Map(rules.map((rule) => [rule, 0]))
    const pace = createPace()
    for (const slice of columns.slicesOf(reader.names, spanOf(columns.calendar, query))) {
      yield* reader.prepare(slice)
      for (const { rule, length } of reader.of(slice)) matches.set(rule, (matches.get(rule) ?? 0) + length)
      if (pace.isDue(slice.to - slice.from)) yield
    }
    return { matches: rules.map((rule) => matches.get(rule) ?? 0), skipped: reader.skipped }
  },
  result: together(ruleMatches),
}
