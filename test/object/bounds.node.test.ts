import { expect, it } from 'vitest'
import { askAll } from '../bench/bounds.ts'

/** Today it is about 70 MB, and up to 90 on a busy machine. An isolate has 128 MB, which `npm run bench -- --bounds` tries with more events. */
const MOST_BYTES = 105_000_000

it('questions about three million events in four objects, four at a time, stay within their memory', async () => {
  const only = ['uniques by a parameter of many values', 'average sessions', 'paths']
  const took = await askAll({ events: 3_000_000, objects: 4 }, { only, atOnce: 4, rounds: 0 })
  expect(took.map(({ what }) => what)).toEqual(only)
  for (const { what, heldBytes } of took) expect(heldBytes, what).toBeLessThan(MOST_BYTES)
})
