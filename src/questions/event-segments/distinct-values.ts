import type { Columns } from '../../columns/columns.ts'
import { HASH_WORDS } from '../../columns/selection/hashed-texts.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import { type Share, WHOLE } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import { BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { askInShares } from '../engine/shares.ts'
import { count } from '../engine/totals.ts'
import {
  type CellsOfRows,
  type CellsQuery,
  collectCells,
  type GroupCells,
  mergeGroups,
  spansOf,
} from './measure-query.ts'
import { createPairs } from './pairs.ts'
import { keptOrdinals, type SegmentValues, ValueOrdinals } from './value-ordinals.ts'
import { distinctValues, distinctValuesOfGroups, valueRows } from './value-rows.ts'

// Values are numbered and then counted as users are. One value may occur in several objects, so each object then names
// the values of each cell by their hashes. Both ways take one share of all values at a time.

/** A question for the distinct values of cells, within a share of all values. */
interface DistinctQuery extends CellsQuery {
  readonly valueShare: Share
  /** Whether answers name the values; otherwise they only count them. */
  readonly isNamed: boolean
}

/** How many distinct values the cells of each group have. */
type DistinctCounts = readonly GroupCells<number>[]

/** What one object found of a share of the values. */
type DistinctPart =
  | { readonly counts: DistinctCounts }
  | { readonly hashes: Uint32Array; readonly named: readonly GroupCells<Uint32Array>[] }

/** What is too much for one pass or answer: `groups`, or `values`. */
type TooMuch = 'groups' | 'values'

export const distinctValuesReport: Report<DistinctQuery, DistinctPart | TooMuch, DistinctCounts | TooMuch> = {
  name: 'distinct values by hash',
  isLarge: () => true,
  part: findValues,
  result(parts) {
    if (parts.includes('values')) return 'values'
    if (parts.includes('groups')) return 'groups'
    const ordinals = new ValueOrdinals(WHOLE, Number.POSITIVE_INFINITY)
    const found = parts.flatMap((part) => {
      if (typeof part === 'string' || 'counts' in part) return []
      const numbers = ordinals.of({ isPresent: new Uint8Array(part.hashes.length / HASH_WORDS).fill(1), ...part })
      return part.named.map((group) => ({ ...group, numbers }))
    })
    const counted = parts.flatMap((part) => (typeof part !== 'string' && 'counts' in part ? part.counts : []))
    const countUnion = unionCounter(ordinals.count)
    return [
      ...counted,
      ...Map.groupBy(found, ({ values }) => JSON.stringify(values))
        .values()
        .map(countUnion),
    ]
  },
}

interface NamedValues extends GroupCells<Uint32Array> {
  /** Per ordinal of a value in its object, less 1: the value's ordinal among those of all objects. */
  readonly numbers: Uint32Array
}

/** Counts how many distinct values several objects name of a group, cell by cell. */
function unionCounter(count: number) {
  const lastSeen = new Uint32Array(count + 1)
  let cell = 0
  return (parts: readonly NamedValues[]): GroupCells<number> => {
    const [{ values, cells }] = parts as [NamedValues]
    return {
      values,
      cells: cells.map((_, span) => {
        let union = 0
        cell += 1
        for (const { cells, numbers } of parts) {
          for (const ordinal of cells[span] as Uint32Array) {
            const number = numbers[ordinal - 1] as number
            union += Number(lastSeen[number] !== cell)
            lastSeen[number] = cell
          }
        }
        return union
      }),
    }
  }
}

/** Counts, or names, the values of cells. */
interface ValueCells<Cell> {
  /** False if room is short. */
  add(rows: Picked, values: SegmentValues, cells: CellsOfRows): boolean
  cellsOf(count: number): (cell: number) => Cell
}

function* findValues(columns: Columns, query: DistinctQuery, bounds = BOUNDS): Generator<void, DistinctPart | TooMuch> {
  const isWhole = query.valueShare.of === 1
  const { known, keep } = keptOrdinals(columns, query.of)
  for (let kept = isWhole && !known?.isOverfull ? known : undefined; ; kept = undefined) {
    const ordinals = kept ?? new ValueOrdinals(query.valueShare, bounds.pairs)
    const found = yield* findAmong(columns, query, { bounds, ordinals })
    // Values of earlier questions may have filled the cached ordinals, so try again with new ones.
    if (kept && ordinals.isOverfull) continue
    if (isWhole && !ordinals.isOverfull) keep(ordinals)
    return found
  }
}

function* findAmong(
  columns: Columns,
  query: DistinctQuery,
  { bounds, ordinals }: { readonly bounds: Bounds; readonly ordinals: ValueOrdinals },
): Generator<void, DistinctPart | TooMuch> {
  if (query.isNamed) {
    const named = yield* collectValues(columns, query, { bounds, ordinals, cells: namedCells(query, bounds) })
    return typeof named === 'string' ? named : withHashes(named, ordinals)
  }
  const cells =
    query.groups && query.event !== null ? cellsInOrder(query, query.groups, bounds) : countedCells(query, bounds)
  const counts = yield* collectValues(columns, query, { bounds, ordinals, cells })
  return typeof counts === 'string' ? counts : { counts }
}

/** Renumbers the values that occur, as `ordinals` also has those of earlier questions, and adds their hashes. */
function withHashes(groups: readonly GroupCells<Uint32Array>[], ordinals: ValueOrdinals): DistinctPart {
  const now = new Uint32Array(ordinals.count + 1)
  const found: number[] = []
  const nameOf = (ordinal: number): number => {
    now[ordinal] ||= found.push(ordinal)
    return now[ordinal]
  }
  const named = groups.map(({ values, cells }) => ({ values, cells: cells.map((names) => names.map(nameOf)) }))
  const hashes = new Uint32Array(HASH_WORDS * found.length)
  for (const [index, ordinal] of found.entries()) hashes.set(ordinals.hashOf(ordinal), HASH_WORDS * index)
  return { hashes, named }
}

interface Collecting<Cell> {
  readonly bounds: Bounds
  readonly ordinals: ValueOrdinals
  readonly cells: ValueCells<Cell>
}

function* collectValues<Cell extends number | Uint32Array>(
  columns: Columns,
  query: DistinctQuery,
  { bounds, ordinals, cells }: Collecting<Cell>,
): Generator<void, GroupCells<Cell>[] | TooMuch> {
  let isOverfull = false
  const found = yield* collectCells<SegmentValues, Cell>(
    { columns, query, bounds },
    {
      read: (segment) => ordinals.valuesOf(segment, query.of),
      take(...rows) {
        // A single value cannot be divided into halves.
        isOverfull = ordinals.isOverfull || (!cells.add(...rows) && ordinals.count > 1)
        return !isOverfull
      },
      cellsOf: cells.cellsOf,
      hasAny: (cell) => (typeof cell === 'number' ? cell : cell.length) > 0,
    },
  )
  return found ?? (isOverfull ? 'values' : 'groups')
}

/** Counts values of groups chosen before, 20 at most. Rows must come span by span. */
function cellsInOrder(query: DistinctQuery, groups: readonly GroupValues[], bounds: Bounds): ValueCells<number> {
  const counts = Array.from({ length: spansOf(query) }, () => new Uint32Array(groups.length))
  const ignored = new Uint32Array(groups.length)
  const room = Math.max(1, bounds.pairs) + 1
  const begin = query.groupBy.length === 0 ? () => distinctValues(room) : () => distinctValuesOfGroups(room)
  let [lastWhole, distinct]: [number, ReturnType<typeof begin> | null] = [-1, null]
  return {
    add(rows, values, { firstCells }) {
      const [span, whole = span] = firstCells.map((cell) => cell / groups.length) as [number, number?]
      // Values seen in the other period do not count as seen in this one.
      if (whole !== lastWhole || !distinct) [lastWhole, distinct] = [whole, begin()]
      const inSpan = counts[span] as Uint32Array
      const ever = whole === span ? ignored : (counts[whole] as Uint32Array)
      distinct.add(rows, values, whole - span + 1, { inSpan, ever })
      return true
    },
    cellsOf: () => (cell) => counts[Math.floor(cell / groups.length)]?.[cell % groups.length] as number,
  }
}

/** Counts the values of any number of cells, whose rows may come in any order. */
function countedCells(query: DistinctQuery, bounds: Bounds): ValueCells<number> {
  const { add, pairs } = pairsOfCells(query, bounds, bounds.pairBits)
  return {
    add,
    cellsOf(count) {
      const counts = pairs.usersOf(count)
      return (cell) => counts[cell] ?? 0
    },
  }
}

/** Names the values of any number of cells, whose rows may come in any order. */
function namedCells(query: DistinctQuery, bounds: Bounds): ValueCells<Uint32Array> {
  const { add, pairs } = pairsOfCells(query, bounds, 0)
  return {
    add,
    cellsOf(count) {
      const names = pairs.namesOf(count)
      return (cell) => names[cell] ?? new Uint32Array(0)
    },
  }
}

/** Collects pairs of a value and a cell. */
function pairsOfCells(query: DistinctQuery, bounds: Bounds, maxBits: number) {
  const values = Math.max(1, bounds.pairs)
  const pairs = createPairs({ userCount: values + 1, share: WHOLE, max: bounds.pairs, maxBits })
  const rowsOf = valueRows()
  let isShort = false
  function add(picked: Picked, values: SegmentValues, { firstCells, groups }: CellsOfRows): boolean {
    const rows = rowsOf(picked, values)
    for (const firstCell of firstCells) {
      const cells = firstCell === 0 ? rows.groups : (rows.groups as Uint32Array).map((group) => firstCell + group)
      isShort = !pairs.add({ ...rows, groups: cells }, spansOf(query) * groups) || isShort
    }
    return !isShort
  }
  return { pairs, add }
}

/** Asks for one share of the values after another. Null if the groups are too many. */
export async function countDistinct(
  query: CellsQuery & Pick<DistinctQuery, 'isNamed'>,
  ask: (query: DistinctQuery) => Promise<DistinctCounts | TooMuch>,
): Promise<DistinctCounts | null> {
  let isTooMany = false
  const answers = await askInShares(async (valueShare) => {
    const counts = isTooMany ? 'groups' : await ask({ ...query, valueShare })
    isTooMany ||= counts === 'groups'
    if (counts === 'values') return null
    return counts === 'groups' ? [] : counts
  })
  return isTooMany ? null : mergeGroups(answers, count)
}
