import { createRoute, z } from '@hono/zod-openapi'
import { NAME_CHARACTERS, toName } from '../../base/text/text.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { listParam, textItems } from '../../http/list-params.ts'
import { integer, integerParam, issue } from '../../http/params.ts'
import { answer, answers, eventParam, figuresOf, groupCell, groupsTotal, label, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam, groupByParam } from '../filters/contract.ts'
import { ORDERS } from './query.ts'

/** The fewest and the most steps of a funnel. */
export const STEPS = { min: 2, max: 10 }
/** The most names of events that end a chain. */
export const MAX_EXCLUDED = 5
/** The window of a funnel in seconds: by default 30 days, at most a leap year. */
export const WINDOW_SECONDS = { byDefault: 2_592_000, max: 31_622_400 }

const seconds = z.number().min(0).nullable()

const FunnelStep = z
  .object({
    group: label('Name of the series.'),
    step: z.number().int().min(1).openapi({ description: 'Number of the step, from 1.' }),
    event: label('Name of the event of the step.'),
    users: z.number().int().min(0).openapi({ description: 'Users who reached the step.' }),
    conversion_from_start: z.number().openapi({ description: 'Percentage of the users of the first step.' }),
    conversion_from_previous: z.number().openapi({ description: 'Percentage of the users of the previous step.' }),
    median_seconds: seconds.openapi({
      description:
        "Median time from the previous step's event to this one's. Null in step 1 and in steps that nobody reached.",
    }),
    average_seconds: seconds.openapi({ description: 'Average of the same time.' }),
  })
  .openapi('FunnelStep')

export type FunnelStep = z.output<typeof FunnelStep>

const FunnelConversionTime = z
  .object({
    group: label('Name of the series.'),
    median_seconds: seconds.openapi({
      description: "Median time from the first step's event to the last one's. Null if nobody completed the funnel.",
    }),
    average_seconds: seconds.openapi({ description: 'Average of the same time.' }),
    distribution: z
      .array(
        z
          .object({
            from_seconds: z.number().int().min(0).openapi({ description: 'The least time of this part.' }),
            users: z.number().int().min(0).openapi({ description: 'Users who took that long.' }),
          })
          .openapi('FunnelConversionTimePart'),
      )
      .openapi({
        description: 'The same time in parts: each ends before the next one begins, the last one with the window.',
      }),
  })
  .openapi('FunnelConversionTime')

export type FunnelConversionTime = z.output<typeof FunnelConversionTime>

const FunnelAnalysis = answer('FunnelAnalysis', {
  ...Series.shape,
  steps: z.array(FunnelStep).openapi({ description: 'The steps in order, group by group.' }),
  conversion_times: z
    .array(FunnelConversionTime)
    .openapi({ description: 'How long it took users to complete the funnel: one item per group, in their order.' }),
  groups_total: groupsTotal,
})

const NAMES = { type: 'array', items: { type: 'string', minLength: 1, maxLength: NAME_CHARACTERS } } as const

function namesParam(bounds: { readonly min?: number; readonly max: number }) {
  return listParam(textItems, eventParam, bounds)
}

/** Anything but a list of names is reported by the parameter itself. */
function requireNoStepExcluded({ events, exclude }: { events?: unknown; exclude?: unknown }, context: z.RefinementCtx) {
  if (!Array.isArray(events) || !Array.isArray(exclude)) return
  const steps = new Set(events.map(toName))
  for (const [index, name] of exclude.entries()) {
    if (typeof name !== 'string' || !steps.has(toName(name))) continue
    context.addIssue({ ...issue('value_error', 'Input should not be a step'), path: ['exclude', index], input: name })
  }
}

export const analyzeFunnel = createRoute({
  method: 'get',
  path: '/funnels',
  operationId: 'analyzeFunnel',
  summary: 'Funnel',
  description:
    "How far the users of the caller's application get through a sequence of events. " +
    'A user reaches step k with k events that have the first k names, in this order; the first event is in the period, the last one within the window. ' +
    'Events with the same timestamp count in the order of the steps, one event serves one step, and every event of the first step is a possible start. ' +
    `\`xValues\` holds the names. \`yValues\` holds the users who reached each step: one series \`All users\`, or one per group (the ${MAX_GROUPS} with the most users who completed the funnel; ties by name). ` +
    'With `group_by`, each user counts in one group: the value on the first event of the chain that reaches their furthest step first (of several, the latest start).',
  tags: ['Events'],
  sample: { query: 'events=Product viewed&events=Cart updated&events=Order paid&window_seconds=86400' },
  request: {
    query: z
      .object({
        events: namesParam(STEPS).openapi({
          ...NAMES,
          minItems: STEPS.min,
          maxItems: STEPS.max,
          description:
            'Names of the steps, in order, as a repeated parameter or as one JSON array. A name may occur more than once.',
          example: ['Product viewed', 'Lemon bought'],
        }),
        order: z.enum(ORDERS).default('ordered').openapi({
          description:
            '`ordered`: the steps in order, with other events allowed in between. `strict`: no other event in between, not even one that does not pass the filters. `any`: in any order; step k then means k of the events.',
        }),
        exclude: namesParam({ max: MAX_EXCLUDED })
          .default([])
          .openapi({
            ...NAMES,
            maxItems: MAX_EXCLUDED,
            description:
              'Names of events that are not steps, as a repeated parameter or as one JSON array. A chain does not count if its user has one of these events between its first and its last event, whether or not the event passes the filters.',
            example: ['Subscription cancelled'],
          }),
        window_seconds: integerParam({ min: 1, max: WINDOW_SECONDS.max }).default(WINDOW_SECONDS.byDefault).openapi({
          description:
            'Longest time from the first event to the last, in seconds. Later steps may happen after the period.',
        }),
        filters: filtersParam,
        group_by: groupByParam,
        ...periodParams,
      })
      // Also if something else is wrong, so that one answer lists all faults.
      .superRefine(requireNoStepExcluded, { when: () => true }),
  },
  responses: answers(FunnelAnalysis, 'Users who reached each step.'),
})

/** Users who reached a step or, with `stopped`, this one and no further one. */
export const funnelFigures = figuresOf(
  analyzeFunnel,
  z.strictObject({
    step: integer({ min: 1, max: STEPS.max }),
    stopped: z.boolean().default(false),
    group: groupCell,
  }),
)
