import type { Child } from 'hono/jsx'
import type { RequestContext } from '../../http/context.ts'
import type { QueryParams } from '../../http/params.ts'
import type { NumberSeries } from '../../questions/engine/contract.ts'
import { type Compared, knownChange } from '../figures/comparison.ts'
import type { Declared } from '../figures/declared.ts'
import type { Stat } from '../figures/stat-tiles.tsx'
import type { View } from '../request/address.ts'

/** A figure of Home: a tile says it, and the chart draws it once it is chosen. */
export interface HomeFigure<Answer = unknown> extends Declared {
  readonly name: string
  /** Asks about the days of a period. Figures with the same function share its answer. */
  readonly ask: (query: QueryParams, context: RequestContext) => Promise<Answer>
  seriesIn(answer: Answer): DailySeries
  /** Lists the users whom it counts, of a day or of the period. */
  readonly usersOf?: (view: View, home: string) => (at: { readonly day?: string }) => string
  /** The series of trends that counts it by any interval; without one, it is counted by day. */
  readonly trend?: HomeTrend
  /** Whether it is a share of the month that ends with each day: it changes by points, and needs whole months before. */
  readonly isOfMonths?: true
  /** What else there is to say about it beside its chart. */
  asidesIn?(answer: Answer, shown: AsidesShown<Answer>): readonly Stat[]
  drawBelow?(answer: Answer, shown: Pick<AsidesShown<Answer>, 'view' | 'home'>): Child
}

interface HomeTrend {
  readonly mode: 'uniques' | 'totals'
  readonly isFirstTime?: true
}

export type DailySeries = Pick<NumberSeries, 'name' | 'key_value' | 'change'> & {
  readonly data: readonly (number | null)[]
}

/** `compared` has the answer about the time before. */
export interface AsidesShown<Answer> {
  readonly view: View
  readonly home: string
  readonly compared: Compared<Answer>
}

/** Throws if an answer lacks a series that its contract promises. */
export function seriesOf<Series extends { readonly name: string }>(
  { yValues }: { readonly yValues: readonly Series[] },
  name: string,
): Series {
  const found = yValues.find((series) => series.name === name)
  if (!found) throw new Error(`The answer has no series "${name}"`)
  return found
}

/** A change that an answer says itself, as far as the time before is known. */
export function changeSince({ query, before }: Compared<unknown>, change: number): number | null | undefined {
  return knownChange(query !== null, before, change)
}
