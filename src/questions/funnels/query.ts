import { toName } from '../../base/text/text.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { Bounds } from '../engine/report.ts'
import type { NumberRange } from '../engine/samples.ts'

/** Whether other events may lie between those of a chain, and whether these may come in any order. */
export const ORDERS = ['ordered', 'strict', 'any'] as const

/** A question for a funnel. */
export interface FunnelQuery {
  /** Two to ten names, in order. */
  readonly steps: readonly [string, string, ...string[]]
  readonly order: (typeof ORDERS)[number]
  /** Names none of which is a step: such an event between the first and the last one of a chain undoes it. */
  readonly excluded: readonly string[]
  readonly windowMilliseconds: number
  readonly filters: readonly Filter[]
  /** At most two. */
  readonly groupBy: readonly EventProperty[]
  /** In which the first event lies. */
  readonly period: Period
  readonly before: Period
  /** Those to answer about, by their values; null for the largest, which only an object that has all users knows. */
  readonly groups: readonly GroupValues[] | null
  /** Over how many objects the users are spread. */
  readonly objects: number
  /** By group and step, the gaps to answer about: null where the median is known. Null as a whole for all gaps. */
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

/** The query of a request's parameters, for the largest groups. */
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

/** What steps are called: after their events or, where these may come in any order, by how many of them there were. */
export function labelsOf({ steps, order }: Pick<FunnelQuery, 'steps' | 'order'>): string[] {
  return order === 'any' ? steps.map((_, index) => `${index + 1} of ${steps.length}`) : [...steps]
}

/** One pass over the columns of an object. */
export interface FunnelPass {
  readonly columns: Columns
  readonly query: FunnelQuery
  readonly bounds: Bounds
}
