import { firstIndex, lowerBound } from '../../columns/flat-arrays.ts'
import { sumOf } from '../engine/shares.ts'
import { EVERY_GAP, type GapRange, type GapSample, rankAt } from './gap-samples.ts'

/**
 * What is known of the one or two gaps in the middle: neither is less than `low` or greater than `high`. Once they are found, they
 * are `low` and `high`.
 */
export interface Middle extends GapRange {
  readonly isFound: boolean
}

/** Once the middle is found: the median. */
export function medianOf({ low, high }: Middle): number {
  return (low + high) / 2
}

/**
 * The middle of the gaps of all objects, from their samples in a range that has it. Events may have arrived since the range was
 * found: if the middle has left it, the nearest end of the range stands for it. So the range never gets wider.
 */
export function middleIn(samples: readonly GapSample[], users: number, range: GapRange = EVERY_GAP): Middle {
  const below = sumOf(samples, (sample) => sample.below)
  const [first, last] = [Math.floor((users - 1) / 2), Math.floor(users / 2)]
  const [lower, upper] = [first, last].map((rank) => gapAt(rank - below, samples, range)) as [GapRange, GapRange]
  const isFound = lower.low === lower.high && upper.low === upper.high
  return { low: lower.low, high: upper.high, isFound }
}

/** The least and the greatest gap that the one with this rank among those in the range can be. */
function gapAt(rank: number, samples: readonly GapSample[], { low, high }: GapRange): GapRange {
  if (rank < 0) return { low, high: low }
  if (rank >= sumOf(samples, ({ count }) => count)) return { low: high, high }
  const lows = samples.map(({ gaps }) => {
    const index = firstIndex(gaps.length, (index) => mostBelow(samples, gaps[index] as number) > rank)
    return gaps[index - 1] ?? low
  })
  const highs = samples.map(({ gaps }) => {
    const index = firstIndex(gaps.length, (index) => fewestUpTo(samples, gaps[index] as number) > rank)
    return gaps[index] ?? high
  })
  return { low: Math.max(...lows), high: Math.min(...highs) }
}

/** How many gaps in the range can be less than this one, at most. */
function mostBelow(samples: readonly GapSample[], gap: number): number {
  return sumOf(samples, ({ gaps, count }) => {
    const index = lowerBound(gaps, gap)
    return index === gaps.length ? count : rankAt(index, gaps.length, count)
  })
}

/** How many gaps in the range are not greater than this one, at least. */
function fewestUpTo(samples: readonly GapSample[], gap: number): number {
  return sumOf(samples, ({ gaps, count }) => {
    const index = firstIndex(gaps.length, (index) => (gaps[index] as number) > gap)
    return index === 0 ? 0 : rankAt(index - 1, gaps.length, count) + 1
  })
}
