import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { Filter, Property } from '../filters/filter.ts'
import type { GroupValues } from '../groups.ts'

/** Whether other events may lie between those of a chain, and whether these may come in any order. */
export const ORDERS = ['ordered', 'strict', 'any'] as const

/** What is meant by a question for a funnel. */
export interface FunnelQuery {
  /** Two to ten names, in order. */
  readonly steps: readonly [string, string, ...string[]]
  readonly order: (typeof ORDERS)[number]
  /** Names none of which is a step: such an event between the first and the last one of a chain undoes it. */
  readonly excluded: readonly string[]
  readonly windowMilliseconds: number
  readonly filters: readonly Filter[]
  /** At most two. */
  readonly groupBy: readonly Property[]
  /** In which the first event lies. */
  readonly period: Period
  readonly before: Period
  /** Those to tell of, by their values; null for the largest, which only an object that has all users can tell. */
  readonly groups: readonly GroupValues[] | null
  /** Over how many objects the users are spread. */
  readonly objects: number
}

/** A question for the largest groups of a share of all groups. */
export interface HeadlinesQuery extends FunnelQuery {
  readonly share: Share
}
