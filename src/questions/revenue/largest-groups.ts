import { toDouble } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { enlarged, mark } from '../../columns/flat-arrays.ts'
import { type Grouping, groupingOfShare } from '../../columns/selection/grouping.ts'
import { type FindGroups, groupsReport } from '../engine/ranked.ts'
import type { Bounds } from '../engine/report.ts'
import { money, record, type TotalOf } from '../engine/totals.ts'
import { amountsIn, createChargeReader } from './charges.ts'
import { LaneSums } from './lane-sums.ts'
import { takeCharges } from './passes.ts'
import type { GrossQuery, RevenueQuery } from './query.ts'

/** What was paid before refunds in a group with a payment or a refund in the period. */
const gross = record({ gross: money })

type Gross = TotalOf<typeof gross>

export function grossOf({ gross }: Gross): number {
  return toDouble(gross)
}

interface GrossPass {
  readonly columns: Columns
  readonly query: RevenueQuery & Pick<GrossQuery, 'groupBy'>
  readonly bounds: Bounds
}

export function searchGroups(pass: GrossPass): FindGroups<Gross> {
  const { columns, query, bounds } = pass
  return function* (share) {
    const groups = groupingOfShare(columns, [query.groupBy], { share, room: bounds.dictionary })
    const { sums, occurs } = yield* addUpAll(pass, groups)
    if (groups.isOverfull) return null
    return { groups, factsOf: (group) => (occurs[group] ? { gross: sums.sumOf(group) } : null) }
  }
}

/** The gross of the groups of a share. */
export const groupGrossReport = groupsReport<GrossQuery, Gross>({
  name: 'gross revenue of groups',
  find: searchGroups,
  facts: gross,
  figureOf: grossOf,
})

function* addUpAll({ columns, query }: GrossPass, grouping: Grouping) {
  const { rules, filters, currency } = query
  const reader = createChargeReader({ columns, rules, filters, grouping, currency })
  const sums = new LaneSums(0)
  /** Per group: 1 if it has a payment or a refund. */
  let occurs = new Uint8Array(0)
  const slices = columns.slicesOf(reader.names, spanOf(columns.calendar, query))
  yield* takeCharges(reader, slices, (charges) => {
    if (grouping.isOverfull) return
    if (occurs.length < grouping.count) {
      occurs = enlarged(occurs, 2 * grouping.count)
      sums.enlarge(occurs.length)
    }
    const groups = charges.groups() as Uint32Array
    mark(occurs, groups)
    if (!charges.isRefund) sums.add(amountsIn(charges, currency), groups)
  })
  return { sums, occurs }
}
