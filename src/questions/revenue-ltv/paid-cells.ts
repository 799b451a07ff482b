import { add, type Decimal } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { addUpItems, counts, keyed, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, cohortSizes } from '../retention/cohorts.ts'
import type { Timetable } from '../retention/query.ts'
import { rowStartsOf } from '../retention/returns.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
import { LaneSums, laneRoom } from '../revenue/lane-sums.ts'
import { daySlices, takeCharges } from '../revenue/passes.ts'
import type { LtvQuery } from './query.ts'

// Cells are those of retention: by cohort, then by interval from it on.

type PaidCell = readonly [cell: number, amount: Decimal]

const cellOf = ([cell]: PaidCell) => cell
const addUp = ([cell, amount]: PaidCell, [, more]: PaidCell): PaidCell => [cell, add(amount, more)]

/** The users of a group, or of everybody, and what they paid. */
export const ltvCounts = record({
  /** How many they are, by cohort. */
  users: counts,
  /** Users by the cell of their first payment. */
  beginners: counts,
  /** Net revenue in cells that have any, in no order. */
  net: keyed(cellOf, addUp),
})

export type LtvCounts = TotalOf<typeof ltvCounts>

interface PaidSearch {
  readonly columns: Columns
  readonly query: Pick<LtvQuery, 'rules' | 'currency'>
  readonly timetable: Timetable
  readonly cohorts: Cohorts
  /** The number of groups; their ordinals are below it. */
  readonly groups: number
}

/** What the users of cohorts paid. */
interface Paid {
  /** Per user: the interval of the first payment, or `NEVER`. */
  readonly began: Int16Array
  /** Users by the cell of their first payment: of everybody, then of each group. */
  readonly beginners: readonly Uint32Array[]
}

/** Takes what users paid in an interval, by lanes: that of no group, then of each group, cohort by cohort. */
type TakeInterval = (sums: LaneSums, interval: number) => void

/** The `began` of users who paid nothing. */
export const NEVER = -1

/** Finds who paid when and, for `take`, adds up what they paid, interval by interval. */
export function* findPaid(
  { columns, query, timetable, cohorts, groups }: PaidSearch,
  take: TakeInterval | null,
): Generator<void, Paid> {
  const { intervals, days, intervalOf } = timetable
  const rowStarts = rowStartsOf(intervals)
  const began = new Int16Array(columns.userCount).fill(NEVER)
  const beginners = Array.from({ length: groups + 1 }, () => new Uint32Array(rowStarts[intervals] as number))
  const newSums = () => new LaneSums(beginners.length * intervals)
  let current = { interval: 0, sums: newSums() }

  function addBeginners(count: number, interval: number): void {
    for (let at = 0; at < count; at++) {
      const user = userRoom[at] as number
      if (began[user] !== NEVER) continue
      began[user] = interval
      const { group, cell } = cellOfLane(laneRoom[at] as number, interval, rowStarts)
      increase(beginners[0] as Uint32Array, cell)
      if (group > 0) increase(beginners[group] as Uint32Array, cell)
    }
  }

  const reader = createDayChargeReader({ columns, ...query, filters: [] })
  const slices = daySlices(columns, reader.names, { from: days[0] ?? 0, to: days.at(-1) ?? -1 })
  yield* takeCharges(reader, slices, (charges, { day }) => {
    const interval = intervalOf(day)
    if (interval !== current.interval) {
      take?.(current.sums, current.interval)
      current = { interval, sums: newSums() }
    }
    const amounts = charges.amounts()
    const count = findLanes(charges.users(), amounts.codes, cohorts, { intervals, groups })
    if (take) current.sums.add({ ...amounts, codes: codeRoom.subarray(0, count) }, laneRoom, charges.isRefund ? -1 : 1)
    if (!charges.isRefund) addBeginners(count, interval)
  })
  take?.(current.sums, current.interval)
  return { began, beginners }
}

/** The cell in which users of a lane pay in an interval, and their group: 0 for none, groups from 1. */
function cellOfLane(lane: number, interval: number, rowStarts: Uint32Array) {
  const cohort = lane % (rowStarts.length - 1)
  return {
    group: (lane - cohort) / (rowStarts.length - 1),
    cell: (rowStarts[cohort] as number) + interval - cohort,
  }
}

// Of the charges of a slice, those by users in cohorts. All questions share these.

const userRoom = new Uint32Array(2 ** 16)
const codeRoom = new Uint16Array(2 ** 16)

interface Size {
  readonly intervals: number
  readonly groups: number
}

/** Finds these charges, with their lanes. Returns how many they are. */
function findLanes(users: Uint32Array, codes: Uint16Array, cohorts: Cohorts, { intervals, groups }: Size): number {
  let count = 0
  for (let at = 0; at < users.length; at++) {
    const user = users[at] as number
    const cohort = cohorts.intervals[user] as number
    if (cohort < 0) continue
    const group = cohorts.groups ? (cohorts.groups[user] as number) : groups
    userRoom[count] = user
    codeRoom[count] = codes[at] as number
    laneRoom[count++] = (group < groups ? group + 1 : 0) * intervals + cohort
  }
  return count
}

/** The counts of everybody, then of each group. */
export function* countPaid(search: PaidSearch): Generator<void, LtvCounts[]> {
  const { cohorts, groups, timetable } = search
  const rowStarts = rowStartsOf(timetable.intervals)
  const net = Array.from({ length: groups + 1 }, (): PaidCell[] => [])
  const { beginners } = yield* findPaid(search, (sums, interval) => {
    for (const lane of sums.lanes()) {
      const { group, cell } = cellOfLane(lane, interval, rowStarts)
      net[group]?.push([cell, sums.sumOf(lane)])
    }
  })
  const nets = groups === 0 ? net : [addUpItems(net, cellOf, addUp) ?? [], ...net.slice(1)]
  return cohortSizes(cohorts, { groups, intervals: timetable.intervals }).map((users, number) => ({
    users,
    beginners: beginners[number] as Uint32Array,
    net: nets[number] ?? [],
  }))
}
