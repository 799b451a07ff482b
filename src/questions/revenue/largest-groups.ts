import { toDouble } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { enlarged, mark } from '../../columns/flat-arrays.ts'
import { isGroupInShare, openDictionary } from '../../columns/selection/dictionary.ts'
import { type Grouping, groupingByCode, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { createGroupRanking, type GroupValues, mergeRanked, type RankedGroups, rankGroups } from '../engine/groups.ts'
import { createPace } from '../engine/pace.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { askInShares, createAnswer } from '../engine/shares.ts'
import { addUpGroups, money, record, same, type TotalOf } from '../engine/totals.ts'
import { ChargeSums } from './charge-sums.ts'
import { createChargeReader, onlyCurrency } from './charges.ts'
import { digitsOf } from './currency.ts'
import type { GrossQuery, RevenueQuery } from './query.ts'

/** A group with a payment or a refund in the period, and what was paid before refunds. */
const groupGross = record({ values: same<GroupValues>(), gross: money })

type GroupGross = TotalOf<typeof groupGross>

/** The groups of a share; null if they are too many. */
type MaybeGroups = readonly GroupGross[] | null

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const groupGrossReport: Report<GrossQuery, MaybeGroups, RankedGroups<GroupGross> | null> = {
  name: 'gross revenue of groups',
  isLarge: () => true,
  *part(columns, query, bounds = BOUNDS) {
    const answer = createAnswer<GroupGross>(bounds.answerCharacters)
    yield* takeGroups({ columns, query, bounds }, query.share, (group) => answer.add(group.values, group))
    return answer.items()
  },
  result(parts) {
    if (parts.includes(null)) return null
    const groups = parts.flatMap((part) => part ?? [])
    return rankGroups(addUpGroups(groups, groupGross), grossOf)
  },
}

/** The values of the groups that are the largest in all objects together. */
export async function askForLargestGroups(
  query: RevenueQuery & Pick<GrossQuery, 'groupBy'>,
  ask: Asking['ask'],
): Promise<RankedGroups<GroupValues>> {
  return mergeRanked(await askInShares((share) => ask(groupGrossReport, { ...query, share })), grossOf)
}

interface GrossPass {
  readonly columns: Columns
  readonly query: RevenueQuery & Pick<GrossQuery, 'groupBy'>
  readonly bounds: Bounds
}

/** The largest groups of an object that has all users. */
export function* findLargest(pass: GrossPass): Generator<void, RankedGroups<GroupValues>> {
  const ranking = createGroupRanking<GroupGross>()
  yield* takeGroups(pass, WHOLE, (group) => ranking.offer(grossOf(group), () => group))
  return mergeRanked([ranking.ranked()], grossOf)
}

function grossOf({ gross }: GroupGross): number {
  return toDouble(gross)
}

type TakeGroup = (group: GroupGross) => void

/** Takes every group of a share, in several passes if need be. */
function* takeGroups(pass: GrossPass, share: Share, take: TakeGroup): Generator<void, void> {
  const { columns, query, bounds } = pass
  const groupBy = [query.groupBy]
  const grouping = needsDictionary(groupBy)
    ? groupingByText(columns, groupBy, openDictionary(share, bounds.dictionary))
    : groupingByCode(columns, groupBy)
  const { sums, occurs } = yield* addUpAll(pass, grouping)
  if (grouping.isOverfull) {
    for (const half of halvesOf(share)) yield* takeGroups(pass, half, take)
    return
  }
  const pace = createPace()
  for (const [group, isThere] of occurs.entries()) {
    if (isThere === 0) continue
    const values = grouping.valuesOf(group)
    if (share.of === 1 || isGroupInShare(values, share)) take({ values, gross: sums.sumOf(group) })
    if (pace.isDueAfterGroup()) yield
  }
}

function* addUpAll({ columns, query }: GrossPass, grouping: Grouping) {
  const { rules, filters, currency } = query
  const digits = digitsOf(currency)
  const reader = createChargeReader({ columns, rules, filters, grouping, ordinalOf: onlyCurrency(currency) })
  const sums = new ChargeSums()
  /** By group: 1 for those that occur. */
  let occurs = new Uint8Array(0)
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, spanOf(columns.calendar, query))) {
    yield* grouping.prepare(slice.segment)
    for (const charges of reader.of(slice)) {
      if (grouping.isOverfull) break
      const groups = charges.groups() as Uint32Array
      if (occurs.length < grouping.count) occurs = enlarged(occurs, 2 * grouping.count)
      mark(occurs, groups, 0, charges.length)
      if (!charges.isRefund)
        sums.add(
          { ...charges, amounts: charges.amounts() },
          { lanes: groups, cellOf: (group) => group, digitsOf: () => digits },
        )
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return { sums, occurs }
}
