import type { Columns } from '../../columns/columns.ts'
import { type Fraction, unrounded } from '../engine/change.ts'
import { ANY_EVENT, toEventName } from '../engine/event-name.ts'
import { findEventUsers, onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { nameOf, OTHER, rankGroups } from '../engine/groups.ts'
import { askAboutLargest, askForLargest, findLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import type { Figures } from '../engine/series.ts'
import { groups, onlyOfOne, record, type TotalOf, together } from '../engine/totals.ts'
import { figureIn, searchGroups, segmentCandidatesReport } from './candidates.ts'
import { segmentFigures } from './contract.ts'
import { type Counts, FIGURES } from './counts.ts'
import { countActive, countGroups, type GroupCounts, groupCounts, type PeriodCounts } from './group-counts.ts'
import type { EventSegmentsQuery } from './query.ts'

/** Counts of one event per group; where nothing is grouped, one group without values. */
const segments = record({
  groups: groups(groupCounts),
  /** The number of all groups, from an object that knows them; null if nothing is grouped. */
  total: onlyOfOne<number>(),
  /** Counts of all events, whose users are 100 percent in mode `pct_dau`; null in other modes, in every object. */
  active: (a: GroupCounts | null, b: GroupCounts | null) => a && b && groupCounts(a, b),
})

export type EventSegments = TotalOf<typeof segments>

/** The group with the largest headline figure comes first. */
export const eventSegmentsReport: Report<EventSegmentsQuery, EventSegments, EventSegments> = {
  name: 'event segments by interval',
  isLarge: ({ groupBy }) => groupBy.length > 0,
  part: countSegments,
  result(parts, { mode }) {
    const { groups, ...all } = together(segments)(parts)
    const figureOf = figureIn(mode, all.active?.now.whole.users ?? 0)
    return { ...all, groups: rankGroups(groups, ({ now }) => figureOf(now)).groups }
  },
}

/** Asks for an event as a whole, or for its largest groups. */
export function askForSegments(query: EventSegmentsQuery, asking: Asking): Promise<EventSegments> {
  return askAboutLargest(
    asking,
    (groups) => asking.ask(eventSegmentsReport, { ...query, groups }),
    query.groupBy.length > 0 ? () => askForLargest(segmentCandidatesReport, query, asking) : null,
  )
}

/** The only group where nothing is grouped. */
const EVERYTHING = [[]]

function* countSegments(columns: Columns, query: EventSegmentsQuery, bounds = BOUNDS): Generator<void, EventSegments> {
  const active = query.mode === 'pct_dau' ? yield* countActive(columns, query) : null
  const chosen = query.groupBy.length === 0 ? EVERYTHING : query.groups
  if (chosen) return { groups: yield* countGroups(columns, query, chosen), total: null, active }
  const figureOf = figureIn(query.mode, active?.now.whole.users ?? 0)
  const { largest, total } = yield* findLargest(searchGroups({ columns, query, bounds }), figureOf)
  const groups = largest.map(({ values }) => values)
  return { groups: yield* countGroups(columns, query, groups), total, active }
}

/**
 * Counts the events outside the groups of an answer: all events less those of the groups. It is asked after the groups,
 * so that an event that arrives meanwhile counts as one of the others. Users do not add up.
 */
export async function askForOther(
  query: EventSegmentsQuery,
  { groups }: EventSegments,
  { ask }: Pick<Asking, 'ask'>,
): Promise<GroupCounts> {
  const { groups: all } = await ask(eventSegmentsReport, { ...query, groupBy: [], groups: null })
  const rest = groups.reduce((left, group) => groupCounts(left, negated(group)), all[0] as GroupCounts)
  return { ...rest, values: [OTHER] }
}

function negated({ values, now, before }: GroupCounts): GroupCounts {
  const less = ({ users, events }: Counts): Counts => ({ users: -users, events: -events })
  const lessIn = ({ intervals, whole }: PeriodCounts) => ({ intervals: intervals.map(less), whole: less(whole) })
  return { values, now: lessIn(now), before: lessIn(before) }
}

/** The series of a group, with its figures in the intervals of the comparison period. */
export interface SegmentFigures extends Figures<Fraction> {
  readonly dataBefore: readonly number[]
}

export function toFigures({ groups, active }: EventSegments, query: EventSegmentsQuery): SegmentFigures[] {
  return groups.map((group) => figuresOf(group, active, query))
}

/** The series of a group. */
export function figuresOf(
  { values, now, before }: GroupCounts,
  active: GroupCounts | null,
  query: EventSegmentsQuery,
): SegmentFigures {
  const figureOf = FIGURES[query.mode]
  const dataOf = ({ intervals }: PeriodCounts, all: PeriodCounts | undefined) =>
    intervals.map((counts, index) => unrounded(figureOf(counts, all?.intervals[index]?.users ?? 0)))
  return {
    name: query.groupBy.length > 0 ? nameOf(values) : (query.event ?? ANY_EVENT),
    data: dataOf(now, active?.now),
    dataBefore: dataOf(before, active?.before),
    headline: figureOf(now.whole, active?.now.whole.users ?? 0),
    before: figureOf(before.whole, active?.before.whole.users ?? 0),
  }
}

/** The users with an event on a day, or in the whole period. */
export const segmentUsers = countedBy(segmentFigures, {
  toQuery(params, { day, group = null }, { period }) {
    const { event = params.event_type, filters, group_by: groupBy } = params
    return { event: toEventName(event), filters, groupBy, group, isFirstTime: false, ...onDay(period, day) }
  },
  find: findEventUsers,
})
