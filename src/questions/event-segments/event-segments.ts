import type { Columns } from '../../columns/columns.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import { type Fraction, unrounded } from '../engine/change.ts'
import { ANY_EVENT } from '../engine/event-name.ts'
import { addUpGroups, type GroupValues, nameOf } from '../engine/groups.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import type { Figures } from '../engine/series.ts'
import { askForLargestGroups, type Candidate, countCandidates, createRanking } from './candidates.ts'
import { addCounts, type Counts, FIGURES } from './counts.ts'
import { countActive, countGroups, type GroupCounts, type PeriodCounts } from './group-counts.ts'
import type { EventSegmentsQuery } from './query.ts'

/** What is counted of one event by its groups; of a single group without values where nothing is grouped. */
export interface EventSegments {
  readonly groups: readonly GroupCounts[]
  /** Of all events together: `pct_dau` is a percentage of their users. Null for other modes. */
  readonly active: GroupCounts | null
}

/** The group with the largest headline figure comes first. */
export const eventSegmentsReport: Report<EventSegmentsQuery, EventSegments, EventSegments> = {
  name: 'event segments by interval',
  isLarge: ({ groupBy }) => groupBy.length > 0,
  part: countSegments,
  result(parts, { mode }) {
    const active =
      addUpGroups(
        parts.map((part) => part.active).filter((counts) => counts !== null),
        add,
      )[0] ?? null
    const ranking = createRanking<GroupCounts>(mode, active?.now.whole.users ?? 0)
    const groups = addUpGroups(
      parts.flatMap((part) => part.groups),
      add,
    )
    for (const group of groups) ranking.offer(group.now.whole, () => group)
    return { groups: ranking.items(), active }
  },
}

/** Asks for an event as a whole, or for its largest groups. */
export async function askForSegments(query: EventSegmentsQuery, { objects, ask }: Asking): Promise<EventSegments> {
  if (objects === 1 || query.groupBy.length === 0) return ask(eventSegmentsReport, query)
  return ask(eventSegmentsReport, { ...query, groups: await askForLargestGroups(query, ask) })
}

function* countSegments(columns: Columns, query: EventSegmentsQuery, bounds = BOUNDS): Generator<void, EventSegments> {
  const active = query.mode === 'pct_dau' ? yield* countActive(columns, query) : null
  const groups = query.groups ?? (yield* findLargest(columns, query, { bounds, active: active?.now.whole.users ?? 0 }))
  return { groups: yield* countGroups(columns, query, groups), active }
}

function* findLargest(
  columns: Columns,
  query: EventSegmentsQuery,
  { bounds, active }: { bounds: Bounds; active: number },
): Generator<void, readonly GroupValues[]> {
  if (query.groupBy.length === 0) return [[]]
  const ranking = createRanking<Candidate>(query.mode, active)
  yield* countCandidates({ columns, query, bounds }, WHOLE, (whole, valuesOf) =>
    ranking.offer(whole, () => ({ values: valuesOf(), whole })),
  )
  return ranking.items().map(({ values }) => values)
}

function add(a: GroupCounts, b: GroupCounts): GroupCounts {
  return {
    values: a.values,
    now: addPeriods(a.now, b.now),
    before: addPeriods(a.before, b.before),
  }
}

function addPeriods(a: PeriodCounts, b: PeriodCounts): PeriodCounts {
  return {
    intervals: a.intervals.map((counts, index) => addCounts(counts, b.intervals[index] as Counts)),
    whole: addCounts(a.whole, b.whole),
  }
}

/** A series for each group, with the figures of the intervals of what it is compared with. */
export interface SegmentFigures extends Figures<Fraction> {
  readonly dataBefore: readonly number[]
}

export function toFigures({ groups, active }: EventSegments, query: EventSegmentsQuery): SegmentFigures[] {
  const figureOf = FIGURES[query.mode]
  const dataOf = ({ intervals }: PeriodCounts, all: PeriodCounts | undefined) =>
    intervals.map((counts, index) => unrounded(figureOf(counts, all?.intervals[index]?.users ?? 0)))
  return groups.map(({ values, now, before }) => ({
    name: query.groupBy.length > 0 ? nameOf(values) : (query.event ?? ANY_EVENT),
    data: dataOf(now, active?.now),
    dataBefore: dataOf(before, active?.before),
    headline: figureOf(now.whole, active?.now.whole.users ?? 0),
    before: figureOf(before.whole, active?.before.whole.users ?? 0),
  }))
}
