import { dayFinder, spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { CellOf } from '../engine/contract.ts'
import { countedBy } from '../engine/figures.ts'
import { count, list, record, type TotalOf, totalReport } from '../engine/totals.ts'
import { reachFigures as cells } from './contract.ts'
import { type Groups, groupsOf } from './groups-of.ts'
import { readTurns, type TurnList } from './turns.ts'

/** A question about the users whom a bot may message, on the days of a period and in the one before it. */
export interface ReachQuery extends Period {
  readonly before: Period
  /** Groups to count besides all users: values of a user property. Null without groups. */
  readonly grouping: { readonly by: UserProperty; readonly names: readonly string[] } | null
}

const reachFigures = record({
  /** Users in the preceding period: at its end (`reachable`), or in it (`gained`, `lost`). */
  before: count,
  /** Users in the period, each once: at its end (`reachable`), or in it (`gained`, `lost`). */
  users: count,
  /** Users per day, each once a day: at its end (`reachable`), or on it (`gained`, `lost`). */
  byDay: list(count),
})

type ReachFigures = TotalOf<typeof reachFigures>

/** The users of a group who are reachable, who became reachable, and who stopped being reachable. */
const reachCounts = record({ reachable: reachFigures, gained: reachFigures, lost: reachFigures })

export type ReachCounts = TotalOf<typeof reachCounts>

/** The counts of each group, then of all users. */
export const botReachReport = totalReport('bot reach', list(reachCounts), countReach)

function* countReach(columns: Columns, query: ReachQuery): Generator<void, ReachCounts[]> {
  const { gains, losses } = yield* readTurns(columns, spanOf(columns.calendar, query).to)
  const groups = groupsOf(columns, query.grouping)
  const [gained, lost] = [countTurns(columns, gains, query, groups), countTurns(columns, losses, query, groups)]
  return gained.map((gain, group) => {
    const loss = lost[group] as TurnCounts
    return { reachable: reachableOf(gain, loss), gained: figuresOf(gain), lost: figuresOf(loss) }
  })
}

/** Counts of gains, or of losses, and of the users who had them. */
interface TurnCounts {
  /** Turns before the period, and on each of its days. */
  turnsBefore: number
  readonly turns: Uint32Array
  before: number
  users: number
  readonly byDay: Uint32Array
}

const EARLIER = -2
const BEFORE = -1

/** Counts the turns of each group, then of all users. */
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

/** Counts one turn; `lastDay` is the day of the user's preceding one. */
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

/** A question for the users of a cell. The period has no days if the cell's day is outside the question's. */
interface ReachedUsersQuery extends Omit<ReachQuery, 'before'> {
  readonly series: CellOf<typeof cells>['series']
}

/** Users whom a bot may message at the end of a day, or who became reachable or stopped being reachable on it. */
export const reachedUsers = countedBy(cells, {
  toQuery({ by }, { series, day, group }, { period: { from, to } }) {
    const isOutside = day !== undefined && (day < from || day > to)
    return {
      series,
      ...(isOutside ? { from: 0, to: -1 } : { from: day ?? from, to: day ?? to }),
      grouping: by && group !== undefined ? { by, names: [group] } : null,
    }
  },
  *find(columns, query) {
    if (query.to < query.from) return new Uint8Array(columns.userCount)
    const found = yield* findReached(columns, query)
    if (!query.grouping) return found
    const { groupOf } = groupsOf(columns, query.grouping)
    return found.map((is, user) => (groupOf[user] === 0 ? is : 0))
  },
})

function* findReached(columns: Columns, { series, from, to }: ReachedUsersQuery): Generator<void, Uint8Array> {
  const span = spanOf(columns.calendar, { from, to })
  const { gains, losses } = yield* readTurns(columns, span.to)
  if (series === 'gained') return usersSince(gains, span.from, columns.userCount)
  if (series === 'lost') return usersSince(losses, span.from, columns.userCount)
  // Gains and losses alternate, so that a user is reachable after more gains than losses.
  const found = new Uint8Array(columns.userCount)
  for (let index = 0; index < gains.length; index++) flip(found, gains.users[index] as number)
  for (let index = 0; index < losses.length; index++) flip(found, losses.users[index] as number)
  return found
}

function usersSince({ users, times, length }: TurnList, start: number, userCount: number): Uint8Array {
  const found = new Uint8Array(userCount)
  for (let index = 0; index < length; index++) {
    if ((times[index] as number) >= start) found[users[index] as number] = 1
  }
  return found
}

function flip(found: Uint8Array, user: number): void {
  found[user] = 1 - (found[user] as number)
}
