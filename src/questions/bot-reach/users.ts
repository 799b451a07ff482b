import { spanOf } from '../../base/time/calendar.ts'
import { type Period, resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { CellOf } from '../engine/contract.ts'
import { countedBy } from '../engine/figures.ts'
import { reachFigures } from './contract.ts'
import { groupsOf } from './groups-of.ts'
import { readTurns, type TurnList } from './turns.ts'

type ReachCell = CellOf<typeof reachFigures>

/** A question for the users of a cell. The period has no days if the cell's day is outside the question's. */
interface ReachedUsersQuery extends Period {
  readonly series: ReachCell['series']
  /** The only group to look at; null for all users. */
  readonly grouping: { readonly by: UserProperty; readonly names: readonly string[] } | null
}

/** Users whom a bot may message at the end of a day, or who became reachable or stopped being reachable on it. */
export const reachedUsers = countedBy(reachFigures, {
  toQuery({ by, ...params }, { series, day, group }, { today }) {
    const { from, to } = resolvePeriod(params, today)
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
  const balances = new Int32Array(columns.userCount)
  for (let index = 0; index < gains.length; index++) add(balances, gains.users[index] as number, 1)
  for (let index = 0; index < losses.length; index++) add(balances, losses.users[index] as number, -1)
  return Uint8Array.from(balances)
}

function usersSince({ users, times, length }: TurnList, start: number, userCount: number): Uint8Array {
  const found = new Uint8Array(userCount)
  for (let index = 0; index < length; index++) {
    if ((times[index] as number) >= start) found[users[index] as number] = 1
  }
  return found
}

function add(balances: Int32Array, user: number, by: number): void {
  balances[user] = (balances[user] as number) + by
}
