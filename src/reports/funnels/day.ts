import type { Columns, Timeline } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { groupsOn, passesOn } from '../../selection/day-rows.ts'
import type { Grouping } from '../../selection/grouping.ts'
import { createSelection } from '../../selection/selection.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { FunnelQuery } from './query.ts'

/** Users by their ordinals, the second exclusive. */
export interface Users {
  readonly from: number
  readonly to: number
}

/** What some users did on a day, in order: events from one place of the timeline up to another, exclusive. */
export interface Day extends Timeline {
  readonly from: number
  readonly to: number
  readonly midnight: number
  /** Whether entries on this day count. */
  readonly hasEntries: boolean
  /** By the events' places: a 1 where the event of a step passes the filters; null where there are none. */
  readonly passes: Uint8Array | null
  /** By the events' places: the group of an event that may be an entry; null where nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** Reads days one by one. */
export function dayReader(
  columns: Columns,
  { steps, order, filters, before, period }: FunnelQuery,
  grouping: Grouping | null,
): (day: number, users: Users) => Day {
  const selection = createSelection(columns, { filters })
  const names = new Set<string>(steps)
  const entries = order === 'any' ? names : new Set(steps.slice(0, 1))
  return (day, users) => {
    const timeline = columns.timelineOf(day)
    const hasEntries = day >= before.from && day <= period.to
    const isStep = (name: string) => names.has(name)
    const isEntry = (name: string) => hasEntries && entries.has(name)
    return {
      ...timeline,
      from: lowerBound(timeline.users, users.from),
      to: lowerBound(timeline.users, users.to),
      midnight: day * MS_PER_DAY,
      hasEntries,
      passes: filters.length > 0 ? passesOn(columns, selection, day, isStep) : null,
      groups: grouping && groupsOn(columns, grouping, day, isEntry),
    }
  }
}
