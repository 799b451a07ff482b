import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { distinctUsers } from '../engine/distinct-users.ts'
import { count, list, record, type TotalOf } from '../engine/totals.ts'

/** Active users on each day of the period, in the whole period, and in the preceding one. */
export const activeUsers = record({ days: list(count), whole: count, before: count })

export type ActiveCounts = TotalOf<typeof activeUsers>

export function* countActiveUsers(
  columns: Columns,
  query: Period & { readonly before: Period },
): Generator<void, ActiveCounts> {
  const distinct = distinctUsers(columns.userCount)
  const [ever, ignored] = [new Uint32Array(1), new Uint32Array(1)]
  function countDay(day: number, span: number, counted: { inSpan: Uint32Array; ever: Uint32Array }): void {
    const { users, length } = columns.pairsOf(day)
    distinct.add({ users, groups: null, from: 0, to: length }, span, counted)
  }
  const days: number[] = []
  for (const day of daysIn(query)) {
    const inSpan = new Uint32Array(1)
    countDay(day, days.length + 1, { inSpan, ever })
    days.push(inSpan[0] as number)
    yield
  }
  const before = new Uint32Array(1)
  for (const day of daysIn(query.before)) {
    countDay(day, days.length + 1, { inSpan: before, ever: ignored })
    yield
  }
  return { days, whole: ever[0] as number, before: before[0] as number }
}
