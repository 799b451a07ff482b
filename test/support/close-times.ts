import type { FunnelStep } from './funnel-oracle.ts'

export interface FunnelAnswer {
  readonly steps?: readonly FunnelStep[]
}

/** With the times that were expected where the answer's are next to them: sums depend on the order of adding. */
export function withCloseTimes(answer: FunnelAnswer, expected: Required<FunnelAnswer>): FunnelAnswer {
  const steps = answer.steps?.map((step, place) => {
    const meant = expected.steps[place]
    return {
      ...step,
      median_seconds: closest(step.median_seconds, meant?.median_seconds),
      average_seconds: closest(step.average_seconds, meant?.average_seconds),
    }
  })
  return { ...answer, ...(steps && { steps }) }
}

function closest(found: number | null, meant: number | null | undefined): number | null {
  const isClose = typeof found === 'number' && typeof meant === 'number' && Math.abs(found - meant) <= meant * 1e-9
  return isClose ? meant : found
}
