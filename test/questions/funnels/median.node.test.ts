import fc from 'fast-check'
import { expect, it } from 'vitest'
import { middleOf } from '../../../src/questions/funnels/gap-samples.ts'
import { holds } from '../../support/cases.ts'

it('finds the one or two that are in the middle of the figures in order', async () => {
  const figures = fc.oneof(fc.array(fc.nat(5)), fc.array(fc.nat()))
  await holds(
    fc.property(figures, (some) => {
      const sorted = some.toSorted((a, b) => a - b)
      const middle = sorted.slice(Math.max(0, Math.ceil(some.length / 2) - 1), Math.floor(some.length / 2) + 1)
      expect([...middleOf(Float64Array.from(some))]).toEqual(some.length === 0 ? [] : middle)
    }),
    { atLeast: 200, atMost: 5000 },
  )
})
