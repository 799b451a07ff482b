import { dayFinder, spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { Report } from '../question.ts'
import { type ReachTurns, readTurns } from './turns.ts'

/** A question for whom a bot may write to, on the days of a period and of the one before it. */
export interface ReachQuery extends Period {
  readonly before: Period
  /** Groups to answer about, beside all users: values of a property of users. Null without groups. */
  readonly grouping: { readonly by: UserProperty; readonly names: readonly string[] } | null
}

/** How often users of a group became reachable or stopped being so. */
export interface ReachCounts {
  /** Users who were reachable when the period before began. */
  readonly reachable: number
  /** By day: those of the period before, then those of the period. */
  readonly gained: readonly number[]
  readonly lost: readonly number[]
}

/** Of each group, then of all users. */
export const botReachReport: Report<ReachQuery, readonly ReachCounts[], readonly ReachCounts[]> = {
  name: 'bot reach',
  part: countReach,
  result: ([first = [], ...others]) =>
    first.map((counts, index) => others.map((part) => part[index] as ReachCounts).reduce(addCounts, counts)),
}

function* countReach(columns: Columns, query: ReachQuery): Generator<void, ReachCounts[]> {
  const days = { from: query.before.from, to: query.to }
  const { gains, losses } = yield* readTurns(columns, spanOf(columns.calendar, days).to)
  const groups = groupsOf(columns, query)
  const [gained, lost] = [gains, losses].map((turns) => countTurns(columns, turns, { days, groups })) as [
    TurnCounts[],
    TurnCounts[],
  ]
  return gained.map((gain, index) => {
    const loss = lost[index] as TurnCounts
    return { reachable: gain.before - loss.before, gained: [...gain.byDay], lost: [...loss.byDay] }
  })
}

/** By user, the index of their group: `count` for those of none. */
interface Groups {
  readonly count: number
  readonly groupOf: Uint32Array
}

function groupsOf(columns: Columns, { grouping }: ReachQuery): Groups {
  if (!grouping) return { count: 0, groupOf: new Uint32Array(columns.userCount) }
  const { by, names } = grouping
  const { codes, count, codeOf } = codedWhole(columns, by)
  const table = new Uint32Array(count).fill(names.length)
  for (const [index, name] of names.entries()) {
    const code = codeOf(name)
    if (code !== null) table[code] = index
  }
  const groupOf = new Uint32Array(columns.userCount)
  for (let user = 0; user < columns.userCount; user++) groupOf[user] = table[codes[user] as number] as number
  return { count: names.length, groupOf }
}

interface TurnCounts {
  before: number
  readonly byDay: Uint32Array
}

/** By group, all users last. */
function countTurns(
  { calendar }: Columns,
  { users, times, length }: ReachTurns['gains'],
  { days, groups }: { readonly days: Period; readonly groups: Groups },
): TurnCounts[] {
  const start = spanOf(calendar, days).from
  const dayOf = dayFinder(calendar, days)
  const counts = Array.from({ length: groups.count + 1 }, () => ({
    before: 0,
    byDay: new Uint32Array(days.to - days.from + 1),
  }))
  const all = counts[groups.count] as TurnCounts
  for (let index = 0; index < length; index++) {
    const time = times[index] as number
    const group = counts[groups.groupOf[users[index] as number] as number] as TurnCounts
    count(all, time < start ? -1 : dayOf(time))
    if (group !== all) count(group, time < start ? -1 : dayOf(time))
  }
  return counts
}

function count(counts: TurnCounts, day: number): void {
  if (day < 0) counts.before += 1
  else increase(counts.byDay, day)
}

function addCounts(a: ReachCounts, b: ReachCounts): ReachCounts {
  const add = (one: readonly number[], other: readonly number[]) =>
    one.map((figure, day) => figure + (other[day] as number))
  return { reachable: a.reachable + b.reachable, gained: add(a.gained, b.gained), lost: add(a.lost, b.lost) }
}
