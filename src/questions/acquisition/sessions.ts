import type { Columns } from '../../columns/columns.ts'
import { enlarged, increase } from '../../columns/flat-arrays.ts'
import { sessionsOf } from '../../columns/selection/sessions.ts'
import { ascending, findQuantiles, MEDIAN, medianOf, type Quantile, quantileOf } from '../engine/by-rank.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import {
  maxSentOf,
  middleSampleOf,
  type NumberRange,
  rangeWithin,
  type Sample,
  sampleOf,
  spreadOfSample,
} from '../engine/samples.ts'
import { sumOf } from '../engine/shares.ts'
import { cohortOf, type GroupsQuery, OUTSIDER } from './cohort.ts'

export interface AcquiredSessionsQuery extends GroupsQuery {
  /** The current day, up to which sessions count. */
  readonly today: number
  /** Whether one object has all users: it then sends only the lengths in the middle. */
  readonly isOnly: boolean
  /** Per group, everybody last: the lengths to send, null once the median is known. Null as a whole for all lengths. */
  readonly ranges: readonly (NumberRange | null)[] | null
}

/** The sessions of a group's new users in one object; a sample of their lengths in milliseconds. */
interface GroupSessions extends Sample {
  readonly sessions: number
}

interface FoundSessions {
  readonly sessions: number
  readonly median: Quantile<number>
}

/** Sessions of a single event, which are most, have no length: they are only counted, below every range. */
const LONGER: NumberRange = { low: 0, high: Number.POSITIVE_INFINITY }

/** Counts the sessions of new users up to now, with their median length. */
export const acquiredSessionsReport: Report<AcquiredSessionsQuery, readonly GroupSessions[], readonly FoundSessions[]> =
  {
    name: 'lengths of acquired sessions',
    isLarge: () => true,
    part: countSessions,
    result([first = [], ...others], { ranges }) {
      return first.map((own, group) => {
        const parts = [own, ...others.map((part) => part[group] as GroupSessions)]
        const sessions = sumOf(parts, (part) => part.sessions)
        const { low: least, high: most } = ranges?.[group] ?? LONGER
        const sought = { quantile: MEDIAN, count: sessions, order: ascending, limits: { least, most } }
        return { sessions, median: quantileOf(parts.map(spreadOfSample), sought) }
      })
    },
  }

export interface SessionFigures {
  readonly sessions: number
  /** Milliseconds; null without sessions. */
  readonly median: number | null
}

/** Figures per group, everybody last. */
export async function askForSessions(
  query: Omit<AcquiredSessionsQuery, 'isOnly' | 'ranges'>,
  { objects, ask }: Asking,
): Promise<SessionFigures[]> {
  const asked = { ...query, isOnly: objects === 1 }
  const found = await ask(acquiredSessionsReport, { ...asked, ranges: null })
  const medians = await findQuantiles(found.map(toMedian), async (limits) =>
    (await ask(acquiredSessionsReport, { ...asked, ranges: limits.map(rangeWithin) })).map(toMedian),
  )
  return found.map(({ sessions }, group) => ({ sessions, median: medianOf(medians[group] as Quantile<number>) }))
}

function toMedian({ median }: FoundSessions): Quantile<number> {
  return median
}

function* countSessions(
  columns: Columns,
  query: AcquiredSessionsQuery,
  bounds = BOUNDS,
): Generator<void, GroupSessions[]> {
  const { groupOf, count } = yield* cohortOf(columns, query)
  const collector = createCollector(count)
  const days = { from: query.from, to: Math.max(query.from, query.today) }
  for (const { length, users, durations } of sessionsOf(columns, { days, filters: [] }, bounds.slice)) {
    for (let index = 0; index < length; index++) {
      const group = groupOf[users[index] as number] as number
      if (group !== OUTSIDER) collector.add(group, durations[index] as number)
    }
    yield
  }
  return yield* samplesOf(collector.groups(), query, bounds)
}

/** Yields after each group. */
function* samplesOf(
  groups: readonly CollectedLengths[],
  { isOnly, ranges }: AcquiredSessionsQuery,
  { gaps }: Bounds,
): Generator<void, GroupSessions[]> {
  const lengths = groups.map(({ longer }) => longer.length)
  // Everybody's list is as long as the others together: with only as much room as each, it would need more rounds.
  const [maxSent, maxOfAll] = [maxSentOf(lengths.slice(0, -1), gaps), maxSentOf(lengths.slice(-1), gaps)]
  const samples: GroupSessions[] = []
  for (const [group, { single, longer }] of groups.entries()) {
    const range = ranges ? (ranges[group] ?? null) : LONGER
    const max = group === groups.length - 1 ? maxOfAll : maxSent
    const sample = isOnly ? middleSampleOf(longer, single) : sampleOf(longer, range, max)
    samples.push({ sessions: single + longer.length, ...sample, below: single + sample.below })
    yield
  }
  return samples
}

interface CollectedLengths {
  /** The number of sessions of a single event. */
  readonly single: number
  /** The lengths of all other sessions, in milliseconds. */
  readonly longer: Float64Array
}

/** Collects lengths in 12 bytes each; sessions of one event are only counted. The last group is everybody. */
function createCollector(count: number) {
  const [single, longer] = [new Uint32Array(count), new Uint32Array(count)]
  let [lengths, groups, total] = [new Float64Array(1_024), new Uint32Array(1_024), 0]
  return {
    add(group: number, length: number): void {
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
    /** Lengths per group, everybody last. */
    groups(): CollectedLengths[] {
      const own = Array.from(longer, (length) => new Float64Array(length))
      const next = new Uint32Array(count)
      for (let index = 0; index < total; index++) {
        const group = groups[index] as number
        ;(own[group] as Float64Array)[next[group] as number] = lengths[index] as number
        increase(next, group)
      }
      own[count - 1] = lengths.subarray(0, total)
      single[count - 1] = single.reduce((sum, sessions) => sum + sessions, 0)
      return own.map((some, group) => ({ single: single[group] as number, longer: some }))
    },
  }
}
