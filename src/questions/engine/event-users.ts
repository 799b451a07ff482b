import { type DividedPeriod, NO_PERIOD, undivided } from '../../base/time/divided-period.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { batchesOf, mixedBatchesOf } from '../../columns/selection/batches.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createSelection, markPicked } from '../../columns/selection/selection.ts'
import type { GroupValues } from './groups.ts'
import { createPace } from './pace.ts'

/** A question for the users who had an event. */
export interface EventUsersQuery {
  /** The name of the event; null for any event. */
  readonly event: string | null
  readonly filters: readonly Filter[]
  readonly groupBy: readonly EventProperty[]
  /** The group; null for all groups. */
  readonly group: GroupValues | null
  readonly isFirstTime: boolean
  readonly period: DividedPeriod
  /** The index of an interval of the period; null for the whole period. */
  readonly interval: number | null
}

/** Finds the users with such an event: one byte per user, 1 if the user had one. */
export function* findEventUsers(columns: Columns, query: EventUsersQuery): Generator<void, Uint8Array> {
  const { event, filters, groupBy, group, isFirstTime, period, interval } = query
  const grouping = group && groupingByText(columns, groupBy, closedDictionary([group]))
  const selection = createSelection(columns, { filters, grouping })
  const properties = [...(group ? groupBy : []), ...filters.map(({ property }) => property)]
  const asked = { event, properties, needsEvents: false, needsSegments: interval === null, isFirstTime }
  const found = new Uint8Array(columns.userCount)
  const pace = createPace()
  const days = interval === null ? undivided(period) : period
  for (const { interval: number, rows, looked } of batchesOf(columns, selection, asked, days)) {
    if (interval === null || number === interval) markPicked(rows, found)
    if (pace.isDue(looked)) yield
  }
  return found
}

/** Counts the users with any event of a period that passes filters. */
export function* countActiveUsers(
  columns: Columns,
  { filters, ...period }: Period & Pick<EventUsersQuery, 'filters'>,
): Generator<void, number> {
  const selection = createSelection(columns, { filters })
  const asked = { event: null, properties: filters.map(({ property }) => property), needsEvents: false }
  const isSeen = new Uint8Array(columns.userCount)
  let seen = 0
  const pace = createPace()
  for (const { rows, looked } of mixedBatchesOf(columns, selection, asked, period)) {
    for (let index = rows.from; index < rows.to; index++) {
      const user = rows.users[index] as number
      seen += 1 - (isSeen[user] as number)
      isSeen[user] = 1
    }
    if (pace.isDue(looked)) yield
  }
  return seen
}

/** Limits a question to one day of a period, or to the whole period; a day outside the period matches nothing. */
export function onDay(period: Period, day: number | undefined): Pick<EventUsersQuery, 'period' | 'interval'> {
  return { period: undivided(withinOf(period, day)), interval: null }
}

function withinOf(period: Period, day: number | undefined): Period {
  if (day === undefined) return period
  return day >= period.from && day <= period.to ? { from: day, to: day } : NO_PERIOD
}
