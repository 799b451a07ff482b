import { expect, it } from 'vitest'
import { unusualIn } from '../../../src/questions/acquisition/unusual.ts'

const ORGANIC = [
  { users: 900, single_event: 20, peak_per_minute: 3 },
  { users: 400, single_event: 24, peak_per_minute: 2 },
  { users: 120, single_event: 28, peak_per_minute: 4 },
  { users: 60, single_event: 31, peak_per_minute: 2 },
]
const FARM = { users: 2_000, single_event: 100, peak_per_minute: 2_000 }

it('flags a farm and no other source', () => {
  const all = [...ORGANIC, FARM]
  expect(all.map(unusualIn(all))).toEqual([[], [], [], [], ['single_event', 'peak_per_minute']])
})

it('flags figures more than three interquartile ranges above the third quartile, but none exactly at the limit', () => {
  // Quartiles 2 and 4: the fence is at 10.
  const all = [1, 2, 3, 4, 10].map((peak_per_minute) => ({ users: 50, single_event: 0, peak_per_minute }))
  expect(all.flatMap(unusualIn(all))).toEqual([])
  expect(unusualIn(all)({ users: 50, single_event: 0, peak_per_minute: 11 })).toEqual(['peak_per_minute'])
})

it('flags nothing if groups are small or few', () => {
  const small = { ...FARM, users: 49 }
  expect(unusualIn(ORGANIC)(small)).toEqual([])
  const few = [...ORGANIC.slice(0, 2), FARM]
  expect(few.flatMap(unusualIn(few))).toEqual([])
  // Small ones do not say what is usual.
  const noise = Array.from({ length: 20 }, () => ({ users: 3, single_event: 100, peak_per_minute: 1 }))
  expect(unusualIn([...ORGANIC, ...noise, FARM])(FARM)).toEqual(['single_event', 'peak_per_minute'])
})
