import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  ascending,
  findQuantiles,
  type Limits,
  MEDIAN,
  medianOf,
  type Quantile,
  quantileOf,
  type Spread,
} from '../../../src/questions/engine/by-rank.ts'
import {
  EVERY_NUMBER,
  maxSentOf,
  middleSampleOf,
  rangeWithin,
  sampleOf,
  spreadOfSample,
} from '../../../src/questions/engine/samples.ts'
import { holds } from '../../support/cases.ts'

/** Many ties, few ties, and numbers of very different sizes; some parts are empty. */
const PARTS = fc
  .oneof(
    fc.constant(fc.nat(3)),
    fc.constant(fc.nat(1_000)),
    fc.constant(fc.maxSafeNat()),
    fc.constant(fc.oneof(fc.constant(-Number.MAX_VALUE), fc.constant(Number.MAX_VALUE), fc.nat(2))),
  )
  .chain((number) => {
    const part = fc.array(number, { maxLength: 80, size: 'max' })
    return fc.oneof(...[1, 2, 4].map((length) => fc.array(part, { minLength: length, maxLength: length })))
  })

it('finds any quantile of samples as sorting does, each round with fewer numbers in the limits', async () => {
  await holds(
    fc.asyncProperty(PARTS, fc.nat(10), fc.integer({ min: 2, max: 30 }), async (parts, tenths, maxSent) => {
      const sorted = parts.flat().toSorted(ascending)
      let left = sorted.length + 1
      const ask = (limits: Limits<number> | null) => {
        const samples = parts.map((part) =>
          sampleOf(Float64Array.from(part), rangeWithin(limits) ?? EVERY_NUMBER, maxSent),
        )
        expect(Math.max(...samples.map(({ numbers }) => numbers.length))).toBeLessThanOrEqual(maxSent)
        const within = samples.reduce((sum, { count }) => sum + count, 0)
        expect(within).toBeLessThan(left)
        left = within
        return quantileOf(samples.map(spreadOfSample), {
          quantile: tenths,
          count: sorted.length,
          order: ascending,
          limits,
        })
      }
      const found = await findQuantiles([ask(null)], async ([limits = null]) => [ask(limits)])
      expect(found).toEqual([quantileIn(sorted, tenths)])
    }),
    { atLeast: 300, atMost: 10_000 },
  )
})

/** Ranges of neighbours, with as few of them as can be: their ends are values of any kind that can be compared. */
it('finds any quantile of values in ranges as sorting does', async () => {
  const text = fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', 'é') })
  const parts = fc.array(fc.array(text, { maxLength: 50, size: 'max' }), { minLength: 1, maxLength: 4 })
  const order = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  await holds(
    fc.asyncProperty(parts, fc.nat(10), fc.integer({ min: 4, max: 9 }), async (texts, tenths, room) => {
      const sorted = texts.flat().toSorted(order)
      const ask = (limits: Limits<string> | null) =>
        quantileOf(
          texts.map((own) => spreadOfTexts(own.toSorted(order), limits, room)),
          { quantile: tenths, count: sorted.length, order, limits },
        )
      const found = await findQuantiles([ask(null)], async ([limits = null]) => [ask(limits)])
      expect(found).toEqual([quantileIn(sorted, tenths)])
    }),
    { atLeast: 200, atMost: 5_000 },
  )
})

/** The texts within limits, their ends included, in at most `room` ranges. */
function spreadOfTexts(sorted: readonly string[], limits: Limits<string> | null, room: number): Spread<string> {
  const within = sorted.filter((text) => !limits || (text >= limits.least && text <= limits.most))
  const distinct = [...new Set(within)]
  const each = Math.ceil(distinct.length / room)
  const ranges = distinct
    .filter((_, index) => index % each === 0)
    .map((least, index) => {
      return { least, most: distinct[Math.min(distinct.length, (index + 1) * each) - 1] as string }
    })
  return {
    below: limits ? sorted.filter((text) => text < limits.least).length : 0,
    length: ranges.length,
    endAt: (index, end) => (end === 0 ? ranges[index]?.least : ranges[index]?.most) as string,
    countBefore: (index) => within.filter((text) => index > 0 && text <= (ranges[index - 1]?.most as string)).length,
  }
}

it('takes the nearest limit for a value that has left the limits between two rounds', () => {
  const limits = { least: 10, most: 20 }
  const moved = (below: number, within: readonly number[]) =>
    quantileOf([spreadOfSample({ below, count: within.length, numbers: Float64Array.from(within) })], {
      quantile: MEDIAN,
      count: 5,
      order: ascending,
      limits,
    }).lower
  expect(moved(0, [11, 12])).toEqual({ least: 20, most: 20 })
  expect(moved(3, [11, 12])).toEqual({ least: 10, most: 10 })
  expect(moved(1, [11, 12])).toEqual({ least: 12, most: 12 })
})

it('finds the median in the middle numbers of an object that has all, whether or not more of them are zero', async () => {
  await holds(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 })), fc.nat(20), (some, zeros) => {
      const sorted = [...new Array(zeros).fill(0), ...some].toSorted(ascending)
      const middle = middleSampleOf(Float64Array.from(some), zeros)
      const sample = { ...middle, below: zeros + middle.below }
      expect(sample.numbers.length).toBeLessThanOrEqual(2)
      const limits = { least: 0, most: Number.POSITIVE_INFINITY }
      const asked = { quantile: MEDIAN, count: sorted.length, order: ascending, limits }
      expect(quantileOf([spreadOfSample(sample)], asked)).toEqual(quantileIn(sorted, MEDIAN))
    }),
    { atLeast: 300, atMost: 10_000 },
  )
})

it('narrows very many numbers to a five hundredth in one round', () => {
  const some = [1, 2, 3, 4].map((seed) => Float64Array.from({ length: 200_000 }, (_, index) => (index * seed) ** 1.5))
  const asked = { quantile: MEDIAN, count: 800_000, order: ascending }
  const samples = some.map((numbers) => sampleOf(numbers.slice(), EVERY_NUMBER, 10_000))
  expect(samples.map(({ numbers }) => numbers.length)).toEqual([1_024, 1_024, 1_024, 1_024])
  const { lower, upper } = quantileOf(samples.map(spreadOfSample), asked)
  const limits = { least: lower?.least as number, most: upper?.most as number }
  const within = some.map((numbers) => sampleOf(numbers.slice(), rangeWithin(limits), 10_000))
  expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(800_000 / 500)
  const sorted = some.flatMap((numbers) => [...numbers]).sort(ascending)
  const found = quantileOf(within.map(spreadOfSample), { ...asked, limits })
  expect(found).toEqual(quantileIn(sorted, MEDIAN))
  expect(medianOf(found)).toBe(((sorted[399_999] as number) + (sorted[400_000] as number)) / 2)
})

it('lets short lists leave room for long ones', () => {
  expect(maxSentOf([], 100)).toBe(100)
  expect(maxSentOf([40, 0, 60], 100)).toBeGreaterThanOrEqual(60)
  expect(maxSentOf([10, 1_000, 20, 50], 100)).toBe(35)
  expect(maxSentOf([10, 20, 30], 5)).toBe(2)
})

/** A quantile that is found, of all values in order. */
function quantileIn<Value>(sorted: readonly Value[], tenths: number): Quantile<Value> {
  const position = (Math.max(0, sorted.length - 1) * tenths) / 10
  const [lower, upper] = [Math.floor(position), Math.ceil(position)].map((rank) => {
    return sorted.length === 0 ? null : { least: sorted[rank] as Value, most: sorted[rank] as Value }
  }) as [Limits<Value> | null, Limits<Value> | null]
  return { count: sorted.length, lower, upper, isFound: true }
}
