import { createRoute, z } from '@hono/zod-openapi'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import {
  answer,
  answers,
  count,
  dayCell,
  eventParam,
  figuresOf,
  groupCell,
  groupsTotal,
  NumberSeries,
  Series,
} from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam, groupByParam, measuredParam } from '../filters/contract.ts'

/** Modes that count users or events. */
const COUNTS = ['uniques', 'totals', 'average', 'pct_dau'] as const

export type SegmentationMode = (typeof COUNTS)[number]

/** Modes that measure a parameter. */
const MEASURES = ['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'] as const

export type Measure = (typeof MEASURES)[number]

export const MODES = [...COUNTS, ...MEASURES] as const

export function isMeasure(mode: unknown): mode is Measure {
  return MEASURES.some((measure) => measure === mode)
}

function isCount(mode: unknown): boolean {
  return COUNTS.some((other) => other === mode)
}

// Schemas in the document stand for themselves: one that extends another would allow fields that the other does not have.

export const FigureSeries = z
  .object({
    ...NumberSeries.shape,
    data: z.array(z.number().nullable()).openapi({
      description:
        'One figure for each item of `xValues`, in the same order. Null on a day without numeric values in `avg`, `min`, `max`, `median` and `p90`.',
    }),
    total: z.number().nullable().optional().openapi({
      description:
        'Only in modes that measure a parameter: the figure for the whole period, not rounded; null without numeric values. `key_value` is rounded from it, 0 for null.',
      example: 30450.5,
    }),
    not_numeric: count(
      'Only in modes that measure a parameter: the events whose parameter is not a number, which are left out. Always 0 in `distinct`.',
      0,
    ).optional(),
  })
  .openapi('FigureSeries', { description: 'Figures, one for each item of `xValues`.' })

export type FigureSeries = z.output<typeof FigureSeries>

const EventSegmentation = answer('EventSegmentation', {
  ...Series.shape,
  yValues: z.array(FigureSeries).openapi({
    description:
      'One series, or one per group. The groups beyond the largest are summed up in `other` if the figure adds up.',
  }),
  groups_total: groupsTotal,
  other: FigureSeries.optional(),
})

interface Measured {
  readonly mode: SegmentationMode | Measure
  readonly of?: string | undefined
}

/** Requires a parameter in the modes that measure one, and in no others. */
export function withOf<S extends z.ZodType<Measured>>(schema: S): S {
  return schema
    .refine(({ mode, of }) => of !== undefined || !isMeasure(mode), {
      path: ['of'],
      message: 'Field required',
      params: { type: 'missing' },
      when: isObject,
    })
    .refine(({ mode, of }) => of === undefined || !isCount(mode), {
      path: ['of'],
      message: `Input should only be given with the mode '${MEASURES.slice(0, -1).join("', '")}' or '${MEASURES.at(-1)}'`,
      params: { type: 'value_error' },
      when: isObject,
    })
}

/** Also if some of its fields are wrong. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null
}

const eventName = eventParam.optional()

const query = withOf(
  z
    .object({
      event: eventName.openapi({
        description: 'Name of the event; `_active` stands for any event. Required unless you send `event_type`.',
        example: 'Lemon bought',
        param: { required: true },
      }),
      event_type: eventName.openapi({ description: 'Another name for `event`.', example: 'Lemon bought' }),
      mode: z
        .enum(MODES)
        .default('uniques')
        .openapi({
          description:
            'What to count each day. `uniques`: distinct users. `totals`: events. `average`: events per user. `pct_dau`: users of this event as a percentage of all active users. ' +
            'The other modes measure the parameter `of`. `sum`, `avg`, `min`, `max`, `median`, `p90` (90th percentile): of its numeric values. ' +
            '`per_user`: their sum divided by the number of users who had one. `distinct`: the number of distinct values, numeric or not.',
        }),
      of: measuredParam.optional().openapi({
        description:
          'The parameter to measure, `params.<name>`. Required in the modes that measure one; not allowed in the others.',
        example: 'params.amount',
      }),
      filters: filtersParam,
      group_by: groupByParam,
      ...periodParams,
    })
    .refine(({ event, event_type: eventType }) => event !== undefined || eventType !== undefined, {
      path: ['event'],
      message: 'Field required',
      params: { type: 'missing' },
      when: () => true,
    }),
)

export const segmentEvents = createRoute({
  method: 'get',
  path: '/events/segmentation',
  operationId: 'segmentEvents',
  summary: 'Event segmentation',
  description:
    "An event of the caller's application, counted day by day. " +
    `\`xValues\` holds the days of the period, \`yValues\` one series named after the event, or one per group (the ${MAX_GROUPS} with the largest \`key_value\`; ties by name). ` +
    '`key_value` is the figure for the whole period: distinct users in `uniques` (not the sum of the days), events in `totals`, the rounded ratio in `average` and `pct_dau`. ' +
    'A mode that measures a parameter also returns `total`, the same figure unrounded, which decides which groups are the largest. ' +
    'A value is numeric if it is a number, or a text that is exactly one JSON number. Sums are exact in decimal. ' +
    'An event that never occurred is not an error: the series are empty.',
  tags: ['Events'],
  sample: {
    query:
      'event=Order paid&mode=sum&of=params.order_total&group_by=params.method&filters=[{"prop": "params.order_total", "op": "greater or equal", "values": [100]}]',
  },
  request: { query },
  responses: answers(EventSegmentation, 'Days and figures.'),
})

/** Users of a day, or of the period. */
export const segmentFigures = figuresOf(
  segmentEvents,
  z.strictObject({ day: dayCell, group: groupCell }),
  ({ mode }) => (mode === 'uniques' ? null : "The mode should be 'uniques': other figures do not count users"),
)
