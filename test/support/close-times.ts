import type { FunnelConversionTime, FunnelStep } from './funnel-oracle.ts'

export interface FunnelAnswer {
  readonly steps?: readonly FunnelStep[]
  readonly conversion_times?: readonly FunnelConversionTime[]
}

/** With the times that were expected where the answer's are next to them: sums depend on the order of adding. */
export function withCloseTimes(answer: FunnelAnswer, expected: Required<FunnelAnswer>): FunnelAnswer {
  const steps = answer.steps?.map((step, place) => closeTo(step, expected.steps[place]))
  const times = answer.conversion_times?.map((time, place) => closeTo(time, expected.conversion_times[place]))
  return { ...answer, ...(steps && { steps }), ...(times && { conversion_times: times }) }
}

type Times = Pick<FunnelStep, 'median_seconds' | 'average_seconds'>

function closeTo<T extends Times>(found: T, meant: Times | undefined): T {
  return {
    ...found,
    median_seconds: closest(found.median_seconds, meant?.median_seconds),
    average_seconds: closest(found.average_seconds, meant?.average_seconds),
  }
}

function closest(found: number | null, meant: number | null | undefined): number | null {
  const isClose = typeof found === 'number' && typeof meant === 'number' && Math.abs(found - meant) <= meant * 1e-9
  return isClose ? meant : found
}
