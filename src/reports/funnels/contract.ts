import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { listParam, textItems } from '../../http/list-params.ts'
import { integerParam, issue, text } from '../../http/params.ts'
import { toName } from '../../text/text.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { Series } from '../contract.ts'
import { filtersParam, groupByParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'
import { ORDERS } from './query.ts'

const STEPS = { min: 2, max: 10 }
const MAX_EXCLUDED = 5
const MONTH_SECONDS = 2_592_000
const LEAP_YEAR_SECONDS = 31_622_400

const seconds = z.number().min(0).nullable()

const FunnelStep = z
  .object({
    group: z.string().openapi({ description: 'Name of the series.' }),
    step: z.number().int().min(1).openapi({ description: 'From 1.' }),
    event: z.string().openapi({ description: 'Name of the event that the step asks for.' }),
    users: z.number().int().min(0).openapi({ description: 'Users who reached the step.' }),
    conversion_from_start: z.number().openapi({ description: 'In percent of the users of the first step.' }),
    conversion_from_previous: z.number().openapi({ description: 'In percent of the users of the previous step.' }),
    median_seconds: seconds.openapi({ description: "From the previous step's event to this one's; null in step 1." }),
    average_seconds: seconds.openapi({ description: 'The same, on average.' }),
  })
  .openapi('FunnelStep')

export type FunnelStep = z.output<typeof FunnelStep>

const FunnelAnalysis = Series.extend({
  steps: z.array(FunnelStep).openapi({ description: 'Group by group, each step in order.' }),
  ...envelope,
}).openapi('FunnelAnalysis')

const NAMES = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } } as const

function namesParam(bounds: { readonly min?: number; readonly max: number }) {
  return listParam(textItems, text({ min: 1, max: 255 }), bounds)
}

/** What is no list of names has faults of its own. */
function requireNoStepExcluded({ events, exclude }: { events?: unknown; exclude?: unknown }, context: z.RefinementCtx) {
  if (!Array.isArray(events) || !Array.isArray(exclude)) return
  const steps = new Set(events.map(toName))
  for (const [place, name] of exclude.entries()) {
    if (typeof name !== 'string' || !steps.has(toName(name))) continue
    context.addIssue({ ...issue('value_error', 'Input should not be a step'), path: ['exclude', place], input: name })
  }
}

export const analyzeFunnel = createRoute({
  method: 'get',
  path: '/funnels',
  operationId: 'analyzeFunnel',
  summary: 'Funnel',
  description:
    "How far the users of the caller's application get through a row of events. " +
    'A user reaches step k with k events of theirs, of the first k names in order, each after the one before, the first inside the period and the last within the window. ' +
    'Events of the same instant are taken in the order in which the steps name them; one event serves one step; every entry counts as a possible start. ' +
    '`xValues` holds the names, `yValues` one series `All users`, or one per group (the 20 with most users who completed, ties by name): the users who reached each step. ' +
    'With `group_by` a user counts in one group: the value on the entry of the chain that first reaches their furthest step (the latest such entry).',
  tags: ['Events'],
  request: {
    query: z
      .object({
        events: namesParam(STEPS).openapi({
          ...NAMES,
          minItems: STEPS.min,
          maxItems: STEPS.max,
          description:
            'Names of the steps, in order: the parameter repeated, or one JSON array. A name may occur more than once.',
          example: ['Product viewed', 'Lemon bought'],
        }),
        order: z.enum(ORDERS).default('ordered').openapi({
          description:
            '`ordered`: each event of a chain is after the one before, others may lie between. `strict`: none may, not even one that does not pass the filters. `any`: in any order; step k then is k of the events.',
        }),
        exclude: namesParam({ max: MAX_EXCLUDED })
          .default([])
          .openapi({
            ...NAMES,
            maxItems: MAX_EXCLUDED,
            description:
              'Names of events, none of them a step: the parameter repeated, or one JSON array. A chain does not count if its user has such an event, passing the filters or not, later than its first event and earlier than its last.',
            example: ['Subscription cancelled'],
          }),
        window_seconds: integerParam({ min: 1, max: LEAP_YEAR_SECONDS }).default(MONTH_SECONDS).openapi({
          description:
            'The time from the first event to the last, at most, in seconds. Later steps may lie after the period.',
        }),
        filters: filtersParam,
        group_by: groupByParam,
        ...periodParams,
      })
      // Also where something else is wrong, so that all faults are told at once.
      .superRefine(requireNoStepExcluded, { when: () => true }),
  },
  responses: {
    200: jsonAnswer(FunnelAnalysis, 'Users who reached each step.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
