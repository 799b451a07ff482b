import type { Columns, Segment } from '../../columns/columns.ts'
import { batchesOf, type MixedBatch, mixedBatchesOf } from '../../columns/selection/batches.ts'
import { closedDictionary, openDictionary } from '../../columns/selection/dictionary.ts'
import type { Condition, EventProperty } from '../../columns/selection/filter.ts'
import { type Grouping, groupingByCode, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import { createPace } from '../engine/pace.ts'
import type { Bounds } from '../engine/report.ts'
import { createAnswer } from '../engine/shares.ts'
import { addUpGroups, list, record, same, type Total } from '../engine/totals.ts'
import type { Measure } from './contract.ts'
import type { EventQuery } from './query.ts'

/** A question about a parameter of one event. */
export interface MeasureQuery extends EventQuery {
  readonly measure: Measure
  /** The name of the parameter. */
  readonly of: string
}

/** Into what the values of a parameter are divided: cells, one for each group and span of time. */
export interface CellsQuery extends MeasureQuery {
  /** `all`: each interval of the period, and all of it; then the same of what it is compared with. `whole`: only all of the period. */
  readonly spans: 'all' | 'whole'
  /** Null for all groups of a share. A single one without values where nothing is grouped. */
  readonly groups: readonly GroupValues[] | null
  readonly share: Share
}

/** What is known of a group: a cell for each span of time. */
export interface GroupCells<Cell> {
  readonly values: GroupValues
  readonly cells: readonly Cell[]
}

/** Takes events of a segment, with the cells of the first group that they belong to: those of other groups follow. */
type TakeSlice<Values> = (rows: Picked, values: Values, firstCells: readonly number[]) => void

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
  // Codes are of all groups, also those that are not in the share.
  if (share.of === 1 && !needsDictionary(groupBy)) return groupingByCode(columns, groupBy)
  return groupingByText(columns, groupBy, openDictionary(share, bounds.dictionary))
}

/** More cells are not counted before the largest groups are known. */
const FEW_CELLS = 2 ** 14

/** Whether all groups would have too many cells. */
export function hasManyCells(query: CellsQuery, grouping: Grouping | null): boolean {
  if (query.groups !== null || query.spans === 'whole') return false
  return needsDictionary(query.groupBy) || (grouping?.count ?? 0) * spansOf(query) > FEW_CELLS
}

/** How many spans of time a question has. */
export function spansOf({ spans, period, before }: CellsQuery): number {
  return spans === 'whole' ? 1 : period.starts.length + before.starts.length + 2
}

/** The cells of a group's spans, told apart. */
export function divideCells<Cell>({ period, before }: Pick<CellsQuery, 'period' | 'before'>, cells: readonly Cell[]) {
  const behind = period.starts.length + 1
  return {
    now: { intervals: cells.slice(0, behind - 1), whole: cells[behind - 1] as Cell },
    before: { intervals: cells.slice(behind, behind + before.starts.length), whole: cells.at(-1) as Cell },
  }
}

/** Takes every slice of the events that a question is about: of an event with a name, the slices of one span after those of another. */
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
    needsSegments: true,
    isFirstTime: query.isFirstTime,
  }
  let [last, values]: [Segment | null, Values | null] = [null, null]
  function takeBatch({ rows, segment, looked }: MixedBatch, firstCells: readonly number[]): boolean {
    if (segment !== last) [last, values] = [segment, segment && read(segment)]
    if (values !== null) take(rows, values, firstCells)
    return pace.isDue(looked)
  }
  if (query.spans === 'whole') {
    for (const batch of mixedBatchesOf(columns, selection, asked, query.period)) {
      if (grouping?.isOverfull) return
      if (takeBatch(batch, [0])) yield
    }
    return
  }
  const groups = query.groups?.length ?? grouping?.count ?? 0
  let first = 0
  for (const period of [query.period, query.before]) {
    const whole = (first + period.starts.length) * groups
    const isDivided = period.starts.length > 0
    for (const batch of batchesOf(columns, selection, asked, period)) {
      if (takeBatch(batch, isDivided ? [(first + batch.interval) * groups, whole] : [whole])) yield
    }
    first += period.starts.length + 1
  }
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
export function* collectGroups<Cell>(collected: CollectedGroups<Cell>): Generator<void, GroupCells<Cell>[] | null> {
  const { query, grouping, bounds, cellOf, hasAny } = collected
  const { groups } = query
  const count = groups?.length ?? grouping?.count ?? 0
  const cellsOf = (group: number) => Array.from({ length: spansOf(query) }, (_, span) => cellOf(span * count + group))
  if (groups) return groups.map((values, group) => ({ values, cells: cellsOf(group) }))
  if (!grouping) throw new TypeError('groups of nothing')
  if (grouping.isOverfull) return null
  const answer = createAnswer<GroupCells<Cell>>(bounds.answerCharacters)
  const pace = createPace()
  for (let group = 0; group < count; group++) {
    if (pace.isDueAfterGroup()) yield
    const cells = cellsOf(group)
    if (!cells.some(hasAny)) continue
    const values = grouping.valuesOf(group)
    answer.add(values, { values, cells })
  }
  return answer.items()
}

/** What several objects counted, group by group; null if one of them had too many. */
export function mergeGroups<Cell>(
  parts: readonly (readonly GroupCells<Cell>[] | null)[],
  cell: Total<Cell>,
): GroupCells<Cell>[] | null {
  return addUpGroups(parts, record({ values: same<GroupValues>(), cells: list(cell) }))
}
