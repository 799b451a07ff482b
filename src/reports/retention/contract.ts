import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { text } from '../../http/params.ts'
import { INTERVALS } from '../../time/intervals.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { filtersParam, groupByOneParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const MODES = ['n', 'unbounded'] as const

export type Mode = (typeof MODES)[number]

const matrix = {
  cohorts: z.record(z.string(), z.number().int()).openapi({
    description: 'Users by cohort: by the first day of its interval, oldest first, those without users, too.',
    example: { '2026-11-20': 120, '2026-11-21': 97 },
  }),
  retentionMatrix: z.array(z.array(z.string())).openapi({
    description:
      'A row for each cohort: of its users, in percent with two decimals, those who came back in the interval itself, in the one after it, and so on up to the last interval.',
    example: [['100.00', '43.33'], ['100.00']],
  }),
  combinedRetention: z.array(z.number()).openapi({
    description:
      'The same of all cohorts together, in percent, not rounded: each figure of the users of those cohorts that have a cell in that place.',
    example: [100, 43.333333333333336],
  }),
  totalUsers: z.number().int().openapi({ description: 'Users of all cohorts.', example: 217 }),
}

const RetentionGroup = z
  .object({ name: z.string().openapi({ description: 'The value; `(none)` where it is missing.' }), ...matrix })
  .openapi('RetentionGroup')

const Retention = z
  .object({
    data: z
      .array(
        z.object({
          ...matrix,
          groupBy: z.string().openapi({ description: 'The property that was grouped by; empty where none was.' }),
          groups: z.array(RetentionGroup).openapi({
            description: 'The 20 groups with most users, ties by name; none without `group_by`.',
          }),
        }),
      )
      .openapi({ description: 'One item.' }),
    ...envelope,
  })
  .openapi('Retention')

const eventName = text({ min: 1, max: 255 }).optional()

export const analyzeRetention = createRoute({
  method: 'get',
  path: '/retention',
  operationId: 'analyzeRetention',
  summary: 'Retention',
  description:
    "How many of the users who came to the caller's application in a day, week or month came back later. " +
    'A cohort is the users whose first event ever lies in an interval; with a `start_event`, those whose first event of that name ever does. ' +
    'They return in an interval in which a `return_event` of theirs lies, in the first one not before their first event. ' +
    'The period is widened to whole intervals, and ends with the one that holds today, which is not over yet.',
  tags: ['Users'],
  request: {
    query: z.object({
      interval: z.enum(INTERVALS).default('day').openapi({
        description:
          'How long cohorts gather and returns are counted: a day, an ISO week (from Monday), a calendar month.',
      }),
      start_event: eventName.openapi({
        description: 'Name of the event whose first time makes a cohort; any where it is missing or `_active`.',
        example: 'Order paid',
      }),
      return_event: eventName.openapi({
        description: 'Name of the event that is a return; any where it is missing or `_active`.',
        example: 'Product viewed',
      }),
      mode: z.enum(MODES).default('n').openapi({
        description:
          'Who counts as retained in an interval: `n` who returned in it; `unbounded` who returned in it or in any later one.',
      }),
      filters: filtersParam,
      group_by: groupByOneParam,
      ...periodParams,
      start: periodParams.start.openapi({
        description:
          'First day, `YYYYMMDD`; 29 days before the end by default. The period begins with the interval that holds it.',
      }),
      end: periodParams.end.openapi({
        description:
          'Last day, `YYYYMMDD`, inclusive; today by default. The period ends with the interval that holds it, and has at most 366 days, 53 weeks or 24 months.',
      }),
    }),
  },
  responses: {
    200: jsonAnswer(Retention, 'Cohorts and their returns.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
