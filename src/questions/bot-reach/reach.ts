import { dayFinder, spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { Report } from '../engine/report.ts'
import { count, list, record, type TotalOf, together } from '../engine/totals.ts'
import { type Groups, groupsOf } from './groups-of.ts'
import { readTurns, type TurnList } from './turns.ts'

/** A question for whom a bot may write to, on the days of a period and of the one before it. */
export interface ReachQuery extends Period {
  readonly before: Period
  /** Groups to answer about, beside all users: values of a property of users. Null without groups. */
  readonly grouping: { readonly by: UserProperty; readonly names: readonly string[] } | null
}

const reachFigures = record({
  /** At the end of the period before, or in it. */
  before: count,
  /** At the end of the period, or in it: each user once. */
  users: count,
  /** At the end of each day, or on it: each user once a day. */
  byDay: list(count),
})

type ReachFigures = TotalOf<typeof reachFigures>

/** The users of a group who are reachable, who became so, and who stopped being so. */
const reachCounts = record({ reachable: reachFigures, gained: reachFigures, lost: reachFigures })

export type ReachCounts = TotalOf<typeof reachCounts>

/** The counts of each group, then of all users. */
export const botReachReport: Report<ReachQuery, readonly ReachCounts[], readonly ReachCounts[]> = {
  name: 'bot reach',
  part: countReach,
  result: together(list(reachCounts)),
}

function* countReach(columns: Columns, query: ReachQuery): Generator<void, ReachCounts[]> {
  const { gains, losses } = yield* readTurns(columns, spanOf(columns.calendar, query).to)
  const groups = groupsOf(columns, query.grouping)
  const [gained, lost] = [countTurns(columns, gains, query, groups), countTurns(columns, losses, query, groups)]
  return gained.map((gain, group) => {
    const loss = lost[group] as TurnCounts
    return { reachable: reachableOf(gain, loss), gained: figuresOf(gain), lost: figuresOf(loss) }
  })
}

/** Turns of one kind, and their users. */
interface TurnCounts {
  /** Until the end of the period before, and on each day. */
  turnsBefore: number
  readonly turns: Uint32Array
  before: number
  users: number
  readonly byDay: Uint32Array
}

const EARLIER = -2
const BEFORE = -1

/** By group, all users last. */
function countTurns(
  { calendar }: Columns,
  { users, times, length }: TurnList,
  { before, ...query }: ReachQuery,
  groups: Groups,
): TurnCounts[] {
  const period = { from: query.from, to: query.to }
  const dayOf = dayFinder(calendar, period)
  const [start, startBefore] = [spanOf(calendar, period).from, spanOf(calendar, before).from]
  const counts = Array.from({ length: groups.count + 1 }, () => createCounts(period))
  const all = counts[groups.count] as TurnCounts
  let lastDay = EARLIER
  for (let index = 0; index < length; index++) {
    const [user, time] = [users[index] as number, times[index] as number]
    if (index > 0 && users[index - 1] !== user) lastDay = EARLIER
    const day = time >= start ? dayOf(time) : time >= startBefore ? BEFORE : EARLIER
    const group = counts[groups.groupOf[user] as number] as TurnCounts
    countTurn(all, day, lastDay)
    if (group !== all) countTurn(group, day, lastDay)
    lastDay = day
  }
  return counts
}

function createCounts({ from, to }: Period): TurnCounts {
  const days = to - from + 1
  return { turnsBefore: 0, turns: new Uint32Array(days), before: 0, users: 0, byDay: new Uint32Array(days) }
}

/** `lastDay`: of the same user's turn before, in order of time. */
function countTurn(counts: TurnCounts, day: number, lastDay: number): void {
  if (day < 0) counts.turnsBefore += 1
  else increase(counts.turns, day)
  if (day === lastDay) return
  if (day === BEFORE) counts.before += 1
  else increase(counts.byDay, day)
  if (day >= 0 && lastDay < 0) counts.users += 1
}

function reachableOf(gained: TurnCounts, lost: TurnCounts): ReachFigures {
  const before = gained.turnsBefore - lost.turnsBefore
  let users = before
  const byDay = Array.from(gained.turns, (gains, day) => {
    users += gains - (lost.turns[day] as number)
    return users
  })
  return { before, users, byDay }
}

function figuresOf({ before, users, byDay }: TurnCounts): ReachFigures {
  return { before, users, byDay: [...byDay] }
}
