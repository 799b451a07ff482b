import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Segment } from '../../columns/columns.ts'
import { batchesOf, type DayBatch, type MixedBatch, mixedBatchesOf } from '../../columns/selection/batches.ts'
import { closedDictionary, openDictionary } from '../../columns/selection/dictionary.ts'
import type { Condition, EventProperty } from '../../columns/selection/filter.ts'
import { type Grouping, groupingByContext, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'
import { addUpGroups, type GroupValues } from '../groups.ts'
import { createPace } from '../pace.ts'
import type { Bounds } from '../question.ts'
import { createAnswer } from '../shares.ts'
import type { Measure } from './contract.ts'

/** A question about a parameter of one event. */
export interface MeasureQuery extends Period {
  /** Null for any event. */
  readonly event: string | null
  readonly measure: Measure
  /** The name of the parameter. */
  readonly of: string
  readonly filters: readonly Condition[]
  /** At most two. */
  readonly groupBy: readonly EventProperty[]
  readonly before: Period
}

/** Into what the values of a parameter are divided: cells, one for each group and span of time. */
export interface CellsQuery extends MeasureQuery {
  /** `days`: each day of the period and, after them, the period before as a whole and this one. `whole`: only this one as a whole. */
  readonly spans: 'days' | 'whole'
  /** Null for all groups of a share. A single one without values where nothing is grouped. */
  readonly groups: readonly GroupValues[] | null
  readonly share: Share
}

/** What is known of a group: a cell for each span of time. */
export interface GroupCells<Cell> {
  readonly values: GroupValues
  readonly cells: readonly Cell[]
}

/** Takes events of a segment and of one span. A group's cells are `spans` apart, beginning at its ordinal. */
type TakeSlice<Values> = (rows: Picked, values: Values, span: number) => void

interface Pass<Values> {
  readonly columns: Columns
  readonly query: CellsQuery
  readonly grouping: Grouping | null
  /** Reads the values of a segment; null where no event of it has the parameter. */
  readonly read: (segment: Segment) => Values | null
}

/** The groups of a question; null where nothing is grouped. */
export function groupingFor(columns: Columns, query: CellsQuery, bounds: Bounds): Grouping | null {
  const { groupBy, groups, share } = query
  if (groupBy.length === 0) return null
  if (groups) return groupingByText(columns, groupBy, closedDictionary(groups))
  // All groups of contexts have ordinals, also those that are not in the share.
  if (share.of === 1 && !needsDictionary(groupBy)) return groupingByContext(columns, groupBy)
  return groupingByText(columns, groupBy, openDictionary(share, bounds.dictionary))
}

/** The spans of a question for days that are not days, counted from the last one. */
export const BEFORE = 2
export const WHOLE_PERIOD = 1

export function spansOf({ spans, ...period }: CellsQuery): number {
  return spans === 'whole' ? 1 : daysIn(period).length + 2
}

/** The cell of the first group in a span, and in the whole period if the span is a day of it. */
export function firstCellsOf(query: CellsQuery, span: number): number[] {
  const groups = query.groups?.length ?? 0
  const spans = spansOf(query)
  return query.spans === 'whole' || span >= spans - BEFORE ? [span * groups] : [span * groups, (spans - 1) * groups]
}

/** Takes every slice of the events that a question is about. */
export function* takeSlices<Values>(
  { columns, query, grouping, read }: Pass<Values>,
  take: TakeSlice<Values>,
): Generator<void, void> {
  const selection = createSelection(columns, { filters: query.filters, grouping })
  const pace = createPace()
  const asked = {
    event: query.event,
    properties: [{ of: 'params', name: query.of } as const, ...query.groupBy, ...query.filters.map(propertyOf)],
    needsEvents: false,
  }
  let [last, values]: [Segment | null, Values | null] = [null, null]
  function takeBatch({ rows, segment }: Omit<DayBatch, 'day'> | MixedBatch, span: number): boolean {
    if (segment !== last) [last, values] = [segment, segment && read(segment)]
    if (values !== null) take(rows, values, span)
    return pace.isDue(rows.to - rows.from)
  }
  if (query.spans === 'whole') {
    for (const batch of mixedBatchesOf(columns, selection, asked, query)) {
      if (grouping?.isOverfull) return
      if (takeBatch(batch, 0)) yield
    }
    return
  }
  for (const batch of batchesOf(columns, selection, asked, query)) if (takeBatch(batch, batch.day - query.from)) yield
  const before = spansOf(query) - BEFORE
  for (const batch of batchesOf(columns, selection, asked, query.before)) if (takeBatch(batch, before)) yield
}

function propertyOf({ property }: Condition): EventProperty {
  return property
}

interface CollectedGroups<Cell> {
  readonly query: CellsQuery
  readonly grouping: Grouping | null
  readonly bounds: Bounds
  readonly cellOf: (cell: number) => Cell
  /** Whether a cell has anything: groups without are left out where all are asked for. */
  readonly hasAny: (cell: Cell) => boolean
}

/** What was counted of each group; null if they are too many for one pass, or for one answer. */
export function collectGroups<Cell>(collected: CollectedGroups<Cell>): GroupCells<Cell>[] | null {
  const { query, grouping, bounds, cellOf, hasAny } = collected
  const { groups } = query
  if (groups) {
    const spans = Array.from({ length: spansOf(query) }, (_, span) => span)
    return groups.map((values, group) => ({ values, cells: spans.map((span) => cellOf(span * groups.length + group)) }))
  }
  if (!grouping) throw new TypeError('groups of nothing')
  if (grouping.isOverfull) return null
  const answer = createAnswer<GroupCells<Cell>>(bounds.answerCharacters)
  for (let group = 0; group < grouping.count; group++) {
    const cell = cellOf(group)
    if (!hasAny(cell)) continue
    const values = grouping.valuesOf(group)
    answer.add(values, { values, cells: [cell] })
  }
  return answer.items()
}

/** What several objects counted, group by group; null if one of them had too many. */
export function mergeGroups<Cell>(
  parts: readonly (readonly GroupCells<Cell>[] | null)[],
  add: (a: Cell, b: Cell) => Cell,
): GroupCells<Cell>[] | null {
  if (parts.includes(null)) return null
  return addUpGroups(
    parts.flatMap((part) => part ?? []),
    (a, b) => ({ values: a.values, cells: a.cells.map((cell, span) => add(cell, b.cells[span] as Cell)) }),
  )
}
