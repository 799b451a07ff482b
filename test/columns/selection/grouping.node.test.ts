import { expect, it } from 'vitest'
import type { Columns, Derivation, Param } from '../../../src/columns/columns.ts'
import { openDictionary } from '../../../src/columns/selection/dictionary.ts'
import { groupingByText } from '../../../src/columns/selection/grouping.ts'
import type { SelectableRows } from '../../../src/columns/selection/rows.ts'
import { WHOLE } from '../../../src/columns/selection/share.ts'

const VALUES = 30_000

/** Each event has a value of its own. */
function rowsFrom(first: number): SelectableRows {
  const values = Array.from({ length: VALUES }, (_, index) => JSON.stringify(`order ${first + index}`))
  const param: Param = { values, codes: Uint16Array.from(values, (_, index) => index + 1) }
  const derived = <T>(_: string, { make }: Derivation<T>) => make(param)
  return { users: new Uint32Array(VALUES), contexts: new Uint32Array(VALUES), param: () => param, derived }
}

it('groups by a parameter with more values than are remembered, and by it once more', () => {
  const columns = {} as Columns
  const segments = [0, 10_000, 40_000, 70_000].map(rowsFrom)
  for (const round of [1, 2]) {
    const dictionary = openDictionary(WHOLE, { groups: 200_000, characters: 10_000_000 })
    const grouping = groupingByText(columns, [{ of: 'params', name: 'order' }], dictionary)
    const groups = segments.map((rows) => {
      const { codes, table } = grouping.of(rows)
      return Array.from(codes, (code) => grouping.valuesOf(table[code] as number)[0])
    })
    const expected = [0, 10_000, 40_000, 70_000].map((first) =>
      Array.from({ length: VALUES }, (_, index) => `order ${first + index}`),
    )
    expect(groups, `round ${round}`).toEqual(expected)
    expect(grouping.count).toBe(100_001)
  }
})
