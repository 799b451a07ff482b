import { expect, it } from 'vitest'
import { areBindable, NO_ROWS, toTexts } from '../../src/collection/cells.ts'
import { toRows } from '../../src/collection/rows.ts'

const NOTHING = toTexts(toRows([], 0))

it('makes a text of each kind of rows', () => {
  expect(new Set(Object.values(NOTHING))).toEqual(new Set([NO_ROWS]))
})

it('knows which texts are too long for a parameter of the database, whose limit is 2 MB of UTF-8', () => {
  const fits = (text: string) => areBindable({ ...NOTHING, events: text })
  expect([fits('a'.repeat(1_900_000)), fits('a'.repeat(2_000_001)), fits('漢'.repeat(700_000))]).toEqual([
    true,
    false,
    false,
  ])
})
