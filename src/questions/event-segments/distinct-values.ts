import { hashOf } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { isInShare, type Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../groups.ts'
import { BOUNDS, type Report } from '../question.ts'
import { askInShares } from '../shares.ts'
import { type CellsQuery, collectGroups, type GroupCells, groupingFor, tallyValues } from './measure-query.ts'
import { FIRST_TEXT, readTexts } from './value-tables.ts'

// The same value may occur in several cells, and in several objects: each object names the values of each cell, a share of all values
// at a time.

/** A question for the values of cells, of a share of all values. */
interface DistinctQuery extends CellsQuery {
  readonly valueShare: Share
}

/** What one object found of a share of the values. */
interface DistinctPart {
  readonly texts: readonly string[]
  /** The indexes of each cell's values. Null if the groups are too many. */
  readonly groups: readonly GroupCells<Uint32Array>[] | null
}

/** How many distinct values the cells of each group have. */
type DistinctCounts = readonly GroupCells<number>[]

/** What is too much for one pass or answer: `groups`, or `values`. */
type TooMuch = 'groups' | 'values'

export const distinctValuesReport: Report<DistinctQuery, DistinctPart | 'values', DistinctCounts | TooMuch> = {
  name: 'distinct values of a parameter',
  isLarge: () => true,
  part: findValues,
  result(parts) {
    if (parts.includes('values')) return 'values'
    const found = parts.filter((part) => part !== 'values')
    if (found.some(({ groups }) => groups === null)) return 'groups'
    const numberOf = numbering()
    const numbered = found.map(({ texts, groups }) => ({ groups: groups ?? [], numbers: texts.map(numberOf) }))
    const named = numbered.flatMap(({ groups, numbers }) => groups.map((group) => ({ ...group, numbers })))
    return [...Map.groupBy(named, ({ values }) => JSON.stringify(values)).values()].map(countUnion)
  },
}

interface NamedValues extends GroupCells<Uint32Array> {
  /** The number of each value, by its index: the same in all objects. */
  readonly numbers: readonly number[]
}

/** How many distinct values several objects name of a group, cell by cell. */
function countUnion(parts: readonly NamedValues[]): GroupCells<number> {
  const [{ values, cells }] = parts as [NamedValues]
  if (parts.length === 1) return { values, cells: cells.map(({ length }) => length) }
  return {
    values,
    cells: cells.map((_, span) => {
      const union = new Set<number>()
      for (const { cells, numbers } of parts) {
        for (const index of cells[span] as Uint32Array) union.add(numbers[index] as number)
      }
      return union.size
    }),
  }
}

function numbering(): (text: string) => number {
  const numbers = new Map<string, number>()
  return (text) => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
}

function* findValues(
  columns: Columns,
  query: DistinctQuery,
  bounds = BOUNDS,
): Generator<void, DistinctPart | 'values'> {
  const grouping = groupingFor(columns, query, bounds)
  const found = createValueSets(query, bounds.dictionary)
  yield* tallyValues({ columns, query, grouping, read: readTexts(query.of) }, (tallies, values, firstCells) => {
    if (found.isOverfull()) return
    for (const firstCell of firstCells) {
      for (let index = 0; index < tallies.length; index++) {
        const cell = firstCell + (tallies.groups[index] as number)
        found.add(cell, values.texts[(tallies.ranks[index] as number) - FIRST_TEXT] as string)
      }
    }
  })
  if (grouping?.isOverfull) return { texts: [], groups: null }
  if (found.isOverfull()) return 'values'
  const groups = collectGroups<Uint32Array>({
    query,
    grouping,
    bounds,
    cellOf: found.of,
    hasAny: ({ length }) => length > 0,
  })
  return { texts: groups ? found.texts() : [], groups }
}

interface Room {
  readonly groups: number
  readonly characters: number
}

/** Each cell may name a few values: of these there is room for so many times as many as for distinct ones. */
const NAMED_OF_EACH = 8

/** The values of cells, of a share of all. A cell's values are collected by their ordinals. */
function createValueSets({ valueShare }: DistinctQuery, room: Room) {
  const ordinals = new Map<string, number>()
  const cells: Set<number>[] = []
  let [characters, named] = [0, 0]
  let isOverfull = false

  function ordinalOf(text: string): number {
    const known = ordinals.get(text)
    if (known !== undefined) return known
    characters += text.length
    isOverfull ||= ordinals.size > 0 && (ordinals.size >= room.groups || characters > room.characters)
    ordinals.set(text, ordinals.size)
    return ordinals.size - 1
  }

  return {
    isOverfull: () => isOverfull,
    add(cell: number, text: string): void {
      if (valueShare.of > 1 && !isInShare(hashOf(text), valueShare)) return
      const ordinal = ordinalOf(text)
      cells[cell] ??= new Set()
      const { size } = cells[cell]
      named += cells[cell].add(ordinal).size - size
      isOverfull ||= ordinals.size > 1 && named > room.groups * NAMED_OF_EACH
    },
    texts: (): string[] => [...ordinals.keys()],
    of: (cell: number): Uint32Array => Uint32Array.from(cells[cell] ?? []),
  }
}

/** Asks for one share of the values after another. Null if the groups are too many. */
export async function countDistinct(
  query: CellsQuery,
  ask: (query: DistinctQuery) => Promise<DistinctCounts | TooMuch>,
): Promise<DistinctCounts | null> {
  let isTooMany = false
  const counted = new Map<string, { values: GroupValues; cells: number[] }>()
  await askInShares(async (valueShare) => {
    const counts = isTooMany ? 'groups' : await ask({ ...query, valueShare })
    if (counts === 'values') return null
    if (counts === 'groups') isTooMany = true
    else addCounts(counted, counts)
    return true
  })
  return isTooMany ? null : [...counted.values()]
}

function addCounts(counted: Map<string, { values: GroupValues; cells: number[] }>, counts: DistinctCounts): void {
  for (const { values, cells } of counts) {
    const key = JSON.stringify(values)
    const known = counted.get(key)
    counted.set(key, {
      values,
      cells: known ? known.cells.map((count, span) => count + (cells[span] ?? 0)) : [...cells],
    })
  }
}
