import { createRoute, z } from '@hono/zod-openapi'
import { INTERVALS } from '../../base/time/intervals.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { integer } from '../../http/params.ts'
import {
  answer,
  answers,
  count,
  dayCell,
  eventParam,
  figuresOf,
  groupCell,
  groupsTotal,
  label,
} from '../engine/contract.ts'
import { ABOUT_START, MAX_INTERVALS, periodParams } from '../engine/period.ts'
import { filtersParam, groupByOneParam } from '../filters/contract.ts'

const MODES = ['n', 'unbounded'] as const

export type RetentionMode = (typeof MODES)[number]

/** Beside the figures of all cohorts together, by column. */
export const combinedComplete = z.array(z.boolean()).openapi({
  description:
    'Whether each of the combined figures covers cohorts whose interval is over. False for figures that can still change, as their interval is not over for any cohort with users.',
  example: [true, false],
})

export const cohortSizes = z.record(z.string(), z.number().int()).openapi({
  description: 'Users of each cohort, by the first day of its interval, oldest first. Includes cohorts without users.',
  example: { '2026-11-20': 120, '2026-11-21': 97 },
})

const matrix = {
  cohorts: cohortSizes,
  retentionMatrix: z.array(z.array(z.string())).openapi({
    description:
      'One row per cohort: the percentage of its users who came back in the interval itself, in the next one, and so on up to the last interval; with two decimals.',
    example: [['100.00', '43.33'], ['100.00']],
  }),
  combinedRetention: z.array(z.number()).openapi({
    description:
      'The same for all cohorts together, in percent, not rounded. Each figure covers the cohorts whose interval in that position is over (with `mode=unbounded`, once all intervals are over); if none of them has users, all cohorts that have a cell there.',
    example: [100, 43.333333333333336],
  }),
  combinedComplete,
  totalUsers: count('Users in all cohorts.', 217),
}

const RetentionGroup = z
  .object({ name: label('The value; `(none)` if it is missing.'), ...matrix })
  .openapi('RetentionGroup')

const Retention = answer('Retention', {
  data: z
    .array(
      z.object({
        ...matrix,
        groupBy: label('The property to group by; empty without `group_by`.'),
        groups: z.array(RetentionGroup).openapi({
          description: `The ${MAX_GROUPS} groups with the most users, ties by name. Empty without \`group_by\`.`,
        }),
        groups_total: groupsTotal,
      }),
    )
    .openapi({ description: 'One item.' }),
})

const eventName = eventParam.optional()

export const analyzeRetention = createRoute({
  method: 'get',
  path: '/retention',
  operationId: 'analyzeRetention',
  summary: 'Retention',
  description:
    "How many of the users who came to the caller's application in a day, week or month came back later. " +
    'A cohort is all users with their first event ever in an interval; with `start_event`, their first event ever of that name. ' +
    'A user returns in each interval with a `return_event` of theirs; in the interval of their first event, only if it is not before that event. ' +
    'The period is extended to whole intervals. Rows end with the interval that includes today, which is not over yet.',
  tags: ['Users'],
  sample: { query: 'interval=week&group_by=is_premium' },
  request: {
    query: z.object({
      interval: z.enum(INTERVALS).default('day').openapi({
        description: 'Length of the intervals: a day, an ISO week (from Monday) or a calendar month.',
      }),
      start_event: eventName.openapi({
        description: 'Name of the event that puts a user into a cohort. Any event if missing or `_active`.',
        example: 'Order paid',
      }),
      return_event: eventName.openapi({
        description: 'Name of the event that counts as a return. Any event if missing or `_active`.',
        example: 'Product viewed',
      }),
      mode: z.enum(MODES).default('n').openapi({
        description:
          'Who counts as retained in an interval. `n`: users who returned in it. `unbounded`: users who returned in it or in any later one.',
      }),
      filters: filtersParam,
      group_by: groupByOneParam(`the ${MAX_GROUPS} groups with the most users`),
      ...periodParams,
      start: periodParams.start.openapi({
        description: `${ABOUT_START}. The period begins with the interval that includes it.`,
      }),
      end: periodParams.end.openapi({
        description: `Last day, \`YYYYMMDD\`, inclusive. Defaults to today. The period ends with the interval that includes it, and has at most ${MAX_INTERVALS.day} days, ${MAX_INTERVALS.week} weeks or ${MAX_INTERVALS.month} months.`,
      }),
    }),
  },
  responses: answers(Retention, 'Cohorts and their returns.'),
})

/** A cohort, or all. */
export const cohortCell = z.strictObject({
  cohort: dayCell,
  /** So many intervals later; the cohort itself if missing. */
  offset: integer({ min: 0 }).optional(),
  /** Whether a figure of all cohorts counts only those whose interval at the offset is over, as in `combinedComplete`. */
  complete: z.boolean().default(true),
  group: groupCell,
})

/** Users of a cohort, or of those of them who came back. */
export const retentionFigures = figuresOf(analyzeRetention, cohortCell)
