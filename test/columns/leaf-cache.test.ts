import { expect, it } from 'vitest'
import { newOwner, remembered } from '../../src/columns/leaf-cache.ts'

it('forgets also what takes no room but that of the entry itself', () => {
  const owner = newOwner()
  let reads = 0
  const read = (place: number) =>
    remembered(
      `${owner} ${place}`,
      () => (reads += 1),
      () => 0,
    )
  read(0)
  read(0)
  expect(reads).toBe(1)
  for (let place = 0; place < 60_000; place++) read(place)
  read(0)
  expect(reads).toBe(60_001)
})
