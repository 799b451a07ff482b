import { daysIn } from '../../base/time/period.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createPace } from '../engine/pace.ts'
import { type ChargeReader, type Charges, createChargeReader } from './charges.ts'
import { createDayChargeReader, type DayCharges } from './day-charges.ts'
import type { FirstPayments } from './first-payments.ts'
import { daySlices } from './passes.ts'
import type { RevenueQuery } from './query.ts'

/** Takes what a pass over payments finds. Spans are numbered from 0: the days of the period, then the preceding period. */
interface TakePayments {
  /** Takes charges of the query's groups or, without groups, of all. */
  add(charges: Charges | DayCharges, span: number): void
  /** Takes those charges that are among their users' first payments ever. */
  addFirst(charges: Charges, span: number): void
}

/** Reads payments and refunds, day by day: those of the query's groups or, without groups, all. */
export function* readPayments(
  columns: Columns,
  query: RevenueQuery,
  firsts: FirstPayments,
  take: TakePayments,
): Generator<void, void> {
  const { groupBy, groups } = query
  const grouping = groupBy && groups && groupingByText(columns, [groupBy], closedDictionary(groups))
  const reader = createChargeReader({ columns, ...query, grouping })
  const all: ChargeReader<Charges | DayCharges> = grouping ? reader : createDayChargeReader({ columns, ...query })
  const days = daysIn(query).length
  const pace = createPace()
  for (const period of [query, query.before]) {
    for (const slice of daySlices(columns, reader.names, period)) {
      const span = period === query ? slice.day - query.from : days
      yield* reader.prepare(slice)
      yield* all.prepare(slice)
      for (const charges of all.of(slice)) take.add(charges, span)
      for (const charges of reader.of(slice, firstsOf(slice, firsts))) take.addFirst(charges, span)
      if (pace.isDue(slice.to - slice.from)) yield
    }
  }
}

/** Indexes of the first payments in a slice. */
function firstsOf({ segment, from, to }: SegmentSlice, firsts: FirstPayments): Uint16Array {
  const all = firsts.get(segment.key) ?? NONE
  return all.subarray(lowerBound(all, from), lowerBound(all, to))
}

const NONE = new Uint16Array(0)
