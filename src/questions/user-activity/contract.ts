import { createRoute, z } from '@hono/zod-openapi'
import { answer, answers, dayCell, figuresOf, NumberSeries, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'

/** The days of weekly active users: a day and the 6 before it. */
export const WEEK_DAYS = 7

const ActivitySeries = z
  .object({
    ...NumberSeries.shape,
    data: z.array(z.number().nullable()).openapi({
      description: 'One figure for each day, in the same order. Null in `dormant` for a day that is not over.',
    }),
  })
  .openapi('ActivitySeries', { description: 'Users, or a share of them, by day.' })

const UserActivity = answer('UserActivity', {
  ...Series.shape,
  yValues: z.array(ActivitySeries).openapi({ description: 'Eight series.' }),
})

export const getUserActivity = createRoute({
  method: 'get',
  path: '/users/activity',
  operationId: 'getUserActivity',
  summary: 'User activity',
  description:
    "How many users of the caller's application are active on each day of a period, how often they come back, and who is new, retained or lost. " +
    '`xValues` holds the days, `yValues` eight series, in this order: ' +
    `\`dau\`, \`wau\` and \`mau\` (distinct users of the day, and of the ${WEEK_DAYS} and the ${MONTH_DAYS} days that end with it); ` +
    '`stickiness` (`dau` in percent of `mau`, not rounded); ' +
    '`new` (their first event ever is on the day), `returning` (also active the day before), `resurrected` (neither: back after a day or more), ' +
    '`dormant` (active the day before, but not on the day; null until the day is over). `dau` = `new` + `returning` + `resurrected`. ' +
    '`key_value` is the distinct users of the period for `dau`, the figure of the last day for `wau` and `mau`, the rounded mean of all days for `stickiness`, and the sum of all days for the others, in `dormant` of those that are over. ' +
    'With `filters`, only events that pass make a user active; whether a user is new always depends on all events.',
  tags: ['Users'],
  request: { query: z.object({ filters: filtersParam, ...periodParams }) },
  responses: answers(UserActivity, 'Days and users.'),
})

/** The series that count users of a day or, if they may, of the period. */
const FIGURES = ['dau', 'wau', 'mau', 'new', 'returning', 'resurrected', 'dormant'] as const

const OF_PERIOD: readonly string[] = ['dau', 'wau', 'mau', 'new']

/** Users of a day; without one, those whom `key_value` counts. */
export const activityFigures = figuresOf(
  getUserActivity,
  z.strictObject({ series: z.enum(FIGURES).default('dau'), day: dayCell }),
  (_, { series, day }) =>
    day !== undefined || OF_PERIOD.includes(series)
      ? null
      : `Give a 'day': the total of '${series}' does not count users`,
)
