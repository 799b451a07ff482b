import { dividedByDay } from '../../base/time/divided-period.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { countActiveUsers } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { count, list, record, type TotalOf, together } from '../engine/totals.ts'
import { frequencyFigures } from './contract.ts'

/** A question about how many days users were active. */
interface UserFrequencyQuery {
  readonly filters: readonly Filter[]
  readonly period: Period
  readonly before: Period
}

const userFrequency = record({
  /** The number of users active on exactly one day, on two, and so on up to all days of the period. */
  users: list(count),
  /** The number of users active in the preceding period. */
  before: count,
})

type UserFrequency = TotalOf<typeof userFrequency>

export const userFrequencyReport: Report<UserFrequencyQuery, UserFrequency, UserFrequency> = {
  name: 'user frequency',
  part: countDays,
  result: together(userFrequency),
}

/** Counts the days of a period on which each user was active. */
function* activeDaysOf(
  columns: Columns,
  { filters, period }: Omit<UserFrequencyQuery, 'before'>,
): Generator<void, Uint16Array> {
  const selection = createSelection(columns, { filters })
  const pace = createPace()
  const days = dividedByDay(columns.calendar, period)
  const asked = { event: null, properties: filters.map(({ property }) => property), needsEvents: false }
  /** Per user: the last day on which they were active, counted from 1, and the number of days. */
  const [lastDays, counts] = [new Uint16Array(columns.userCount), new Uint16Array(columns.userCount)]
  for (const { interval, rows, looked } of batchesOf(columns, selection, asked, days)) {
    for (let index = rows.from; index < rows.to; index++) {
      const user = rows.users[index] as number
      counts[user] = (counts[user] as number) + Number(lastDays[user] !== interval + 1)
      lastDays[user] = interval + 1
    }
    if (pace.isDue(looked)) yield
  }
  return counts
}

function* countDays(columns: Columns, query: UserFrequencyQuery): Generator<void, UserFrequency> {
  const { filters, period, before } = query
  const counts = yield* activeDaysOf(columns, query)
  const users = daysIn(period).map(() => 0)
  for (const active of counts) if (active > 0) users[active - 1] = (users[active - 1] as number) + 1
  return { users, before: yield* countActiveUsers(columns, { filters, ...before }) }
}

/** The users who were active on this number of days, or on any day. */
export const frequencyUsers = countedBy(frequencyFigures, {
  toQuery: ({ filters }, { days = null }, { period }) => ({ filters, period, days }),
  *find(columns, { days, ...query }) {
    const counts = yield* activeDaysOf(columns, query)
    return Uint8Array.from(counts, (count) => Number(days === null ? count > 0 : count === days))
  },
})
