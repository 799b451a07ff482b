import { expect, it } from 'vitest'
import { Spark } from '../../src/dashboard/figures/spark.tsx'

const pathsOf = (data: readonly (number | null)[], isOpen: boolean) =>
  [...String(Spark({ data, isOpen })).matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path)

it('the way to the last interval is a path of its own while that is not over', () => {
  expect(pathsOf([0, 4, 2], true)).toEqual(['M0 24L1 0', 'M1 0L2 12'])
  expect(pathsOf([0, 4, 2], false)).toEqual(['M0 24L1 0L2 12'])
})

it('a line that ends before the last interval has nothing that is not over', () => {
  expect(pathsOf([0, 4, 2, null], true)).toEqual(['M0 24L1 0L2 12'])
  expect(pathsOf([4, null, 4, null], true)).toEqual(['M0 0L2 0'])
})
