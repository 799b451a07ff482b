import type { DatabaseReport } from '../report.ts'
import { countOf, type Figures } from '../series.ts'
import type { FunnelStep } from './contract.ts'
import type { FunnelQuery } from './query.ts'
import { type FunnelRow, selectFunnel } from './sql.ts'

/** The way of all users, or of one group of them. */
export interface Funnel {
  /** Null where nothing is grouped. */
  readonly group: string | null
  readonly completed: number
  readonly completedBefore: number
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  readonly users: number
  /** From the previous step; null in the first one and where nobody got. */
  readonly medianMilliseconds: number | null
  readonly averageMilliseconds: number | null
}

/** The group with most users who completed first. */
export const funnelReport: DatabaseReport<FunnelQuery, FunnelRow, Funnel[]> = {
  name: 'funnel',
  statement: selectFunnel,
  result(rows, query) {
    const groups = Map.groupBy(rows, ({ place }) => place)
    return [...groups.values()].sort(([a], [b]) => (a?.place ?? 0) - (b?.place ?? 0)).map((own) => toFunnel(own, query))
  },
}

function toFunnel(rows: FunnelRow[], { steps }: FunnelQuery): Funnel {
  const [first] = rows as [FunnelRow]
  const entry = { ...NOBODY, users: first.entered }
  const further = new Map(rows.map((row) => [row.step, row]))
  return {
    group: first.name,
    completed: first.completed,
    completedBefore: first.completedBefore,
    steps: steps.map((name, place) => ({ ...(place === 0 ? entry : (further.get(place + 1) ?? NOBODY)), name })),
  }
}

const NOBODY = { users: 0, medianMilliseconds: null, averageMilliseconds: null }

const EVERYBODY = 'All users'

export function toFigures({ group, completed, completedBefore, steps }: Funnel): Figures {
  return {
    name: group ?? EVERYBODY,
    data: steps.map(({ users }) => users),
    headline: countOf(completed),
    before: countOf(completedBefore),
  }
}

export function toSteps({ group, steps }: Funnel): FunnelStep[] {
  const start = steps[0]?.users ?? 0
  return steps.map(({ name, users, medianMilliseconds, averageMilliseconds }, place) => ({
    group: group ?? EVERYBODY,
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
