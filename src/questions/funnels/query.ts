import { toName } from '../../base/text/text.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { Bounds } from '../engine/report.ts'
import type { NumberRange } from '../engine/samples.ts'

/** Whether other events may lie between the steps of a chain, and whether steps may come in any order. */
export const ORDERS = ['ordered', 'strict', 'any'] as const

/** A question for a funnel. */
export interface FunnelQuery {
  /** The names of two to ten steps, in order. */
  readonly steps: readonly [string, string, ...string[]]
  readonly order: (typeof ORDERS)[number]
  /** Names that are no steps: such an event between the first and the last one of a chain invalidates the chain. */
  readonly excluded: readonly string[]
  readonly windowMilliseconds: number
  readonly filters: readonly Filter[]
  /** Properties to group by, at most two. */
  readonly groupBy: readonly EventProperty[]
  /** The period in which chains begin. */
  readonly period: Period
  readonly before: Period
  /** The groups to answer about; null for the largest, which only an object with all users knows. */
  readonly groups: readonly GroupValues[] | null
  /** The number of objects that share the users. */
  readonly objects: number
  /**
   * Per group and step, the completion last: the gaps to send, null once the median is known. Null as a whole for all.
   */
  readonly ranges: readonly (readonly (NumberRange | null)[])[] | null
}

/** A question for the largest groups of a share of all groups. */
export interface FunnelCandidatesQuery extends FunnelQuery {
  readonly share: Share
}

/** A request's parameters. */
interface FunnelParams extends Pick<FunnelQuery, 'order' | 'filters'> {
  readonly events: readonly string[]
  readonly exclude: readonly string[]
  readonly window_seconds: number
  readonly group_by: FunnelQuery['groupBy']
}

/** The query for a request's parameters, which asks for the largest groups. */
export function askedFunnel(
  { events, order, exclude, window_seconds: windowSeconds, filters, group_by: groupBy }: FunnelParams,
  asked: Pick<FunnelQuery, 'period' | 'before' | 'objects'>,
): FunnelQuery {
  return {
    ...asked,
    steps: events.map(toName) as [string, string, ...string[]],
    order,
    excluded: [...new Set(exclude.map(toName))],
    windowMilliseconds: windowSeconds * 1000,
    filters,
    groupBy,
    groups: null,
    ranges: null,
  }
}

/** Labels of the steps: their events or, if these may come in any order, how many of them occurred. */
export function labelsOf({ steps, order }: Pick<FunnelQuery, 'steps' | 'order'>): string[] {
  return order === 'any' ? steps.map((_, index) => `${index + 1} of ${steps.length}`) : [...steps]
}

/** One pass of a funnel over an object's columns. */
export interface FunnelPass {
  readonly columns: Columns
  readonly query: FunnelQuery
  readonly bounds: Bounds
}
