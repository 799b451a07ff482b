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
  /** What users of none of the groups paid, then those of each group. */
  readonly net: readonly (readonly PaidCell[])[]
}

/** The `began` of users who paid nothing. */
export const NEVER = -1

/** Adds up what users paid, interval by interval. */
export function* findPaid({ columns, query, timetable, cohorts, groups }: PaidSearch): Generator<void, Paid> {
  const { intervals, days, intervalOf } = timetable
  const rowStarts = rowStartsOf(intervals)
  const began = new Int16Array(columns.userCount).fill(NEVER)
  const net = Array.from({ length: groups + 1 }, (): PaidCell[] => [])
  // Lanes are by group, then by cohort; the last one is for users of no cohort.
  const outside = net.length * intervals
  let current = { interval: 0, sums: new LaneSums(outside + 1) }
  const closeInterval = () => {
    const { interval, sums } = current
    for (const lane of sums.lanes()) {
      const cohort = lane % intervals
      const cell = (rowStarts[cohort] as number) + interval - cohort
      net[Math.floor(lane / intervals)]?.push([cell, sums.sumOf(lane)])
    }
  }
  const reader = createDayChargeReader({ columns, ...query, filters: [] })
  const slices = daySlices(columns, reader.names, { from: days[0] ?? 0, to: days.at(-1) ?? -1 })
  yield* takeCharges(reader, slices, (charges, { day }) => {
    const interval = intervalOf(day)
    if (interval !== current.interval) {
      closeInterval()
      current = { interval, sums: new LaneSums(outside + 1) }
    }
    const users = charges.users()
    findLanes(users, cohorts, { intervals, groups })
    current.sums.add(charges.amounts(), laneRoom, charges.isRefund ? -1 : 1)
    if (!charges.isRefund) markBegun(users, interval, began)
  })
  closeInterval()
  return { began, net }
}

interface Size {
  readonly intervals: number
  readonly groups: number
}

function findLanes(users: Uint32Array, cohorts: Cohorts, { intervals, groups }: Size): void {
  const outside = (groups + 1) * intervals
  for (let at = 0; at < users.length; at++) {
    const user = users[at] as number
    const cohort = cohorts.intervals[user] as number
    const group = cohorts.groups ? (cohorts.groups[user] as number) : groups
    laneRoom[at] = cohort < 0 ? outside : (group < groups ? group + 1 : 0) * intervals + cohort
  }
}

function markBegun(users: Uint32Array, interval: number, began: Int16Array): void {
  for (let at = 0; at < users.length; at++) {
    const user = users[at] as number
    if (began[user] === NEVER) began[user] = interval
  }
}

/** The counts of everybody, then of each group. */
export function* countPaid(search: PaidSearch): Generator<void, LtvCounts[]> {
  const { cohorts, groups, timetable } = search
  const size = { groups, intervals: timetable.intervals }
  const { began, net } = yield* findPaid(search)
  const nets = [addUpItems(net, cellOf, addUp) ?? [], ...net.slice(1)]
  const beginners = countBeginners(began, cohorts, size)
  return cohortSizes(cohorts, size).map((users, number) => ({
    users,
    beginners: beginners[number] as Uint32Array,
    net: nets[number] ?? [],
  }))
}

function countBeginners(began: Int16Array, cohorts: Cohorts, { intervals, groups }: Size): Uint32Array[] {
  const rowStarts = rowStartsOf(intervals)
  const beginners = Array.from({ length: groups + 1 }, () => new Uint32Array(rowStarts[intervals] as number))
  for (let user = 0; user < began.length; user++) {
    const [interval, cohort] = [began[user] as number, cohorts.intervals[user] as number]
    if (interval === NEVER || cohort < 0) continue
    const cell = (rowStarts[cohort] as number) + interval - cohort
    increase(beginners[0] as Uint32Array, cell)
    const group = cohorts.groups ? (cohorts.groups[user] as number) : groups
    if (group < groups) increase(beginners[group + 1] as Uint32Array, cell)
  }
  return beginners
}
