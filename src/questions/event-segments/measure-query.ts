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

/** Divides the values of a parameter into cells, one for each group and span of time. */
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

/** The cells that rows belong to: those of group n are `firstCells`, each plus n. */
export interface CellsOfRows {
  /** The cells of group 0: of the interval, then of the period that includes it; only the latter where that is undivided. */
  readonly firstCells: readonly number[]
  /** The number of groups; ordinals are below it. */
  readonly groups: number
}

/** How the values of a parameter become what is known of cells. */
interface CellMeasure<Values, Cell> {
  /** Reads the values of a segment; null if no event of it has the parameter. */
  readonly read: (segment: Segment) => Values | null
  /** Takes events of a segment. False if it has no room for more. */
  readonly take: (rows: Picked, values: Values, cells: CellsOfRows) => boolean
  /** Called once all events are taken, with the number of cells. */
  readonly cellsOf: (count: number) => (cell: number) => Cell
  /** Whether a cell has anything: groups without are left out where all are asked for. */
  readonly hasAny: (cell: Cell) => boolean
}

interface CellsPass {
  readonly columns: Columns
  readonly query: CellsQuery
  readonly bounds: Bounds
}

/** Measures the cells of each group; null if they are too many for one pass, or for one answer. */
export function* collectCells<Values, Cell>(
  pass: CellsPass,
  measure: CellMeasure<Values, Cell>,
): Generator<void, GroupCells<Cell>[] | null> {
  const { columns, query, bounds } = pass
  const grouping = groupingFor(columns, query, bounds)
  if (hasManyCells(query, grouping)) return null
  const isTaken = yield* takeSlices(pass, grouping, measure)
  if (!isTaken || grouping?.isOverfull) return null
  const { groups } = query
  const [spans, count] = [spansOf(query), groups?.length ?? grouping?.count ?? 0]
  const cellOf = measure.cellsOf(spans * count)
  const cellsOf = (group: number) => Array.from({ length: spans }, (_, span) => cellOf(span * count + group))
  if (groups) return groups.map((values, group) => ({ values, cells: cellsOf(group) }))
  if (!grouping) throw new TypeError('groups of nothing')
  const answer = createAnswer<GroupCells<Cell>>(bounds.answerCharacters)
  const pace = createPace()
  for (let group = 0; group < count; group++) {
    if (pace.isDueAfterGroup()) yield
    const cells = cellsOf(group)
    if (!cells.some(measure.hasAny)) continue
    const values = grouping.valuesOf(group)
    answer.add(values, { values, cells })
  }
  return answer.items()
}

/** The groups of a question; null if nothing is grouped. */
function groupingFor(columns: Columns, query: CellsQuery, bounds: Bounds): Grouping | null {
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
function hasManyCells(query: CellsQuery, grouping: Grouping | null): boolean {
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

/**
 * Takes every slice of the events that a question is about: of an event with a name, the slices of one span after those of
 * another. False if there was no room for all.
 */
function* takeSlices<Values>(
  { columns, query }: CellsPass,
  grouping: Grouping | null,
  { read, take }: Pick<CellMeasure<Values, unknown>, 'read' | 'take'>,
): Generator<void, boolean> {
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
  function takeBatch({ rows, segment }: MixedBatch, firstCells: CellsOfRows['firstCells']): boolean {
    if (segment !== last) [last, values] = [segment, segment && read(segment)]
    return values === null || take(rows, values, { firstCells, groups: grouping?.count ?? 1 })
  }
  if (query.spans === 'whole') {
    for (const batch of mixedBatchesOf(columns, selection, asked, query.period)) {
      if (grouping?.isOverfull || !takeBatch(batch, [0])) return false
      if (pace.isDue(batch.looked)) yield
    }
    return true
  }
  const groups = query.groups?.length ?? grouping?.count ?? 0
  let first = 0
  for (const period of [query.period, query.before]) {
    const whole = (first + period.starts.length) * groups
    const isDivided = period.starts.length > 0
    for (const batch of batchesOf(columns, selection, asked, period)) {
      if (!takeBatch(batch, isDivided ? [(first + batch.interval) * groups, whole] : [whole])) return false
      if (pace.isDue(batch.looked)) yield
    }
    first += period.starts.length + 1
  }
  return true
}

function propertyOf({ property }: Condition): EventProperty {
  return property
}

/** What several objects counted, group by group; null if one of them had too many. */
export function mergeGroups<Cell>(
  parts: readonly (readonly GroupCells<Cell>[] | null)[],
  cell: Total<Cell>,
): GroupCells<Cell>[] | null {
  return addUpGroups(parts, record({ values: same<GroupValues>(), cells: list(cell) }))
}
