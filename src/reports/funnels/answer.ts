import { nameOf } from '../groups.ts'
import { countOf, type Figures } from '../series.ts'
import type { FunnelStep } from './contract.ts'
import type { Funnel } from './funnels.ts'

export function toFigures(funnel: Funnel): Figures {
  return {
    name: seriesName(funnel),
    data: funnel.steps.map(({ users }) => users),
    headline: countOf(funnel.completed),
    before: countOf(funnel.completedBefore),
  }
}

/** Where nothing is grouped, the only group has no values. */
function seriesName({ values }: Funnel): string {
  return values.length === 0 ? 'All users' : nameOf(values)
}

export function toSteps(funnel: Funnel): FunnelStep[] {
  const { steps } = funnel
  const start = steps[0]?.users ?? 0
  return steps.map(({ name, users, medianMilliseconds, averageMilliseconds }, place) => ({
    group: seriesName(funnel),
    step: place + 1,
    event: name,
    users,
    conversion_from_start: percentOf(start, users),
    conversion_from_previous: percentOf(steps[place - 1]?.users ?? start, users),
    median_seconds: toSeconds(medianMilliseconds),
    average_seconds: toSeconds(averageMilliseconds),
  }))
}

function percentOf(all: number, part: number): number {
  return all === 0 ? 0 : (part * 100) / all
}

function toSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}
