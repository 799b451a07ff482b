import type { Columns } from '../../columns/columns.ts'
import { enlarged, increase } from '../../columns/flat-arrays.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { BOUNDS, type Report } from '../engine/report.ts'
import { select } from '../engine/samples.ts'
import { count, list, onlyOfOne, record, type TotalOf, together } from '../engine/totals.ts'
import { cohortOf, type GroupsQuery, OUTSIDER } from './cohort.ts'

/** Lengths from one to another in milliseconds, the second exclusive. */
export interface LengthRange {
  readonly from: number
  readonly to: number
}

export interface AcquiredSessionsQuery extends GroupsQuery {
  /** The day on which it is asked. */
  readonly today: number
  /** By group, everybody last: lengths of sessions to be counted. Null where one object has all users: it finds the medians. */
  readonly ranges: readonly (readonly LengthRange[])[] | null
}

const groupSessions = record({
  sessions: count,
  /** The two lengths in the middle, in milliseconds; one length twice if the number is odd. Null without sessions, or if not asked for. */
  middle: onlyOfOne<readonly [number, number]>(),
  /** For each range, the sessions in each of `LENGTH_CELLS` parts of equal width. */
  cells: list(list(count)),
})

export type GroupSessions = TotalOf<typeof groupSessions>

const LENGTH_CELLS = 256

export function cellWidth({ from, to }: LengthRange): number {
  return Math.ceil((to - from) / LENGTH_CELLS)
}

/** The sessions of new users, up to now. */
export const acquiredSessionsReport: Report<AcquiredSessionsQuery, readonly GroupSessions[], readonly GroupSessions[]> =
  {
    name: 'sessions of acquired groups',
    isLarge: () => true,
    part: countSessions,
    result: together(list(groupSessions)),
  }

function* countSessions(
  columns: Columns,
  query: AcquiredSessionsQuery,
  bounds = BOUNDS,
): Generator<void, GroupSessions[]> {
  const { groupOf, count } = yield* cohortOf(columns, query)
  const counter = query.ranges ? createRangeCounter(query.ranges) : createCollector(count)
  const days = { from: query.from, to: Math.max(query.from, query.today) }
  const everybody = query.groups.length
  for (const { length, users, durations } of sessionsOf(columns, { days, filters: [] }, bounds.slice)) {
    for (let index = 0; index < length; index++) {
      const group = groupOf[users[index] as number] as number
      if (group !== OUTSIDER) counter.add(group, durations[index] as number)
    }
    yield
  }
  return counter.groups(everybody)
}

interface SessionCounter {
  /** Takes a session of a group; of those that are not asked for the last one. */
  add(group: number, length: number): void
  groups(everybody: number): GroupSessions[]
}

/** All lengths, in 12 bytes each: but for those of sessions of a single event, which are most. */
function createCollector(count: number): SessionCounter {
  const [single, longer] = [new Uint32Array(count), new Uint32Array(count)]
  let [lengths, groups, total] = [new Float64Array(1_024), new Uint32Array(1_024), 0]
  return {
    add(group, length) {
      if (length === 0) {
        increase(single, group)
        return
      }
      if (total === lengths.length) {
        lengths = enlarged(lengths, 2 * total)
        groups = enlarged(groups, 2 * total)
      }
      lengths[total] = length
      groups[total++] = group
      increase(longer, group)
    },
    groups(everybody) {
      const own = Array.from(longer, (length) => new Float64Array(length))
      const next = new Uint32Array(count)
      for (let index = 0; index < total; index++) {
        const group = groups[index] as number
        ;(own[group] as Float64Array)[next[group] as number] = lengths[index] as number
        increase(next, group)
      }
      own[everybody] = lengths.subarray(0, total)
      single[everybody] = single.reduce((sum, sessions) => sum + sessions, 0)
      return own.map((some, group) => {
        const zeros = single[group] as number
        return { sessions: zeros + some.length, middle: middleOf(zeros, some), cells: [] }
      })
    },
  }
}

/** Of so many lengths of 0 and these, which are reordered. */
function middleOf(zeros: number, longer: Float64Array): readonly [number, number] | null {
  const count = zeros + longer.length
  const at = (rank: number) => {
    if (rank < zeros) return 0
    select(longer, rank - zeros)
    return longer[rank - zeros] as number
  }
  return count === 0 ? null : [at((count - 1) >>> 1), at(count >>> 1)]
}

function createRangeCounter(ranges: readonly (readonly LengthRange[])[]): SessionCounter {
  const sessions = new Uint32Array(ranges.length)
  const cells = ranges.map((own) => own.map(() => new Uint32Array(LENGTH_CELLS)))
  const everybody = ranges.length - 1
  function count(group: number, length: number) {
    sessions[group] = (sessions[group] as number) + 1
    for (const [index, range] of (ranges[group] ?? []).entries()) {
      if (length < range.from || length >= range.to) continue
      const own = cells[group]?.[index] as Uint32Array
      const cell = Math.floor((length - range.from) / cellWidth(range))
      own[cell] = (own[cell] as number) + 1
    }
  }
  return {
    add(group, length) {
      if (group !== everybody) count(group, length)
      count(everybody, length)
    },
    groups: () =>
      cells.map((own, group) => ({
        sessions: sessions[group] as number,
        middle: null,
        cells: own.map((counts) => [...counts]),
      })),
  }
}
