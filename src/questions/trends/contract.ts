import { createRoute, z } from '@hono/zod-openapi'
import { TREND_INTERVALS } from '../../base/time/divided-period.ts'
import { SAME_DAYS } from '../../base/time/intervals.ts'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { jsonListParam, listParam, textItems } from '../../http/list-params.ts'
import { booleanParam, issue, reject, text, withoutNulls } from '../../http/params.ts'
import { answer, answers, eventParam, figuresOf, groupCell, groupsTotal, Series } from '../engine/contract.ts'
import { ABOUT_START, MAX_INTERVALS, periodParams } from '../engine/period.ts'
import { FigureSeries, MODES, withOf } from '../event-segments/contract.ts'
import { filtersField, filtersParam, groupByOneParam, measuredParam } from '../filters/contract.ts'
import { COMPARISONS, DEFAULT_DAYS_OF_HOURS, MAX_DAYS_OF_HOURS } from './division.ts'
import { LETTERS, parseFormula } from './formula.ts'

/** The most formulas of a question. */
export const MAX_FORMULAS = 3
/** The most characters of a formula. */
export const MAX_FORMULA_CHARACTERS = 200
/** The most characters of a series' label. */
const MAX_LABEL_CHARACTERS = 100
const SERIES_FORM = '{"event": …, "mode": …, "of": …, "filters": […], "name": …}'

const seriesItem = z.preprocess(
  withoutNulls,
  withOf(
    z.strictObject({
      event: eventParam.openapi({ description: 'Name of the event; `_active` stands for any event.' }),
      mode: z.enum(MODES).default('uniques').openapi({ description: 'What to count, as in event segmentation.' }),
      of: measuredParam.optional().openapi({ description: 'The parameter to measure, in the modes that measure one.' }),
      filters: filtersField.default([]).openapi({ description: 'Filters of this series, joined by AND.' }),
      name: text({ min: 1, max: MAX_LABEL_CHARACTERS })
        .optional()
        .openapi({ description: 'Label of the series; the default is the name of its event.' }),
    }),
  ),
)

const formulaItem = text({ min: 1, max: MAX_FORMULA_CHARACTERS }).transform((formula, context) => {
  try {
    return parseFormula(formula)
  } catch (error) {
    const expected = `Input should be a formula of ${[...LETTERS].join(', ')}, numbers, + - * / and parentheses`
    return reject(context, issue('value_error', `${expected}: ${(error as Error).message}`))
  }
})

const seriesList = jsonListParam('AskedSeries', seriesItem.openapi({ example: { event: 'Order paid' } }), {
  min: 1,
  max: LETTERS.length,
  form: SERIES_FORM,
})

const query = z
  .object({
    series: seriesList.schema.openapi({
      ...seriesList.described,
      description:
        `JSON: an array of 1 to ${LETTERS.length} objects \`${SERIES_FORM}\`. You may also repeat the parameter, each time with an object or an array. ` +
        '`event` is a name, or `_active` for any event; `mode` (by default `uniques`), `of` and `filters` are those of event segmentation; the filters of the request apply to every series, too. ' +
        '`name` labels the series; the default is the name of its event.',
      example: '[{"event": "Order paid"}]',
    }),
    formula: listParam(textItems, formulaItem, { max: MAX_FORMULAS })
      .default([])
      .openapi({
        type: 'array',
        items: { type: 'string' },
        maxItems: MAX_FORMULAS,
        description:
          `Up to ${MAX_FORMULAS} formulas over the series, which are \`A\` to \`${LETTERS.at(-1)}\` in order: \`A/B*100\`. ` +
          'A formula may contain letters, numbers, `+ - * /` and parentheses. Each adds a series. Division by zero gives null, as does any calculation with null.',
        example: ['A*100'],
      }),
    interval: z
      .enum(TREND_INTERVALS)
      .default('day')
      .openapi({
        description: `The interval to count by: hours in local time (at most ${MAX_DAYS_OF_HOURS} days), days, ISO weeks (from Monday; at most ${MAX_INTERVALS.week}) or calendar months (at most ${MAX_INTERVALS.month}). The period is extended to whole weeks or months.`,
      }),
    compare: z
      .enum(COMPARISONS)
      .optional()
      .openapi({
        description: `Adds \`compared\` to each series: its figures in the previous period (\`previous\`; as many hours, days, weeks or months), or ${SAME_DAYS} days earlier (\`28d\`, so that weekdays match).`,
      }),
    first_time: booleanParam().default(false).openapi({
      description:
        'Whether only the first event of that name counts for each user; for `_active`, the first of any name.',
    }),
    filters: filtersParam,
    group_by: groupByOneParam(
      `one series per value, for the ${MAX_GROUPS} with the largest figure. Allowed only with a single series and without formulas`,
    ),
    ...periodParams,
    start: periodParams.start.openapi({
      description: `${ABOUT_START}, or ${DEFAULT_DAYS_OF_HOURS - 1} with the interval \`hour\`. The period begins with the interval that includes this day.`,
    }),
  })
  .superRefine(({ series, formula, group_by: groupBy }, context) => {
    for (const [index, { letters }] of formula.entries()) {
      // One that is wrong itself has no letters here.
      if (!(letters > series.length)) continue
      const message = `Input should use only the letters of the series: ${[...LETTERS].slice(0, series.length).join(', ')}`
      context.addIssue({ ...issue('value_error', message), path: ['formula', index] })
    }
    if (groupBy.length === 0 || (series.length === 1 && formula.length === 0)) return
    const message = 'Input should only be given with a single series and without formulas'
    context.addIssue({ ...issue('value_error', message), path: ['group_by'] })
  })

const TrendSeries = z
  .object({
    ...FigureSeries.shape,
    total: FigureSeries.shape.total.openapi({
      description:
        'In modes that measure a parameter, and for formulas: the figure for the whole period, not rounded; null if there is none. `key_value` is rounded from it, 0 for null.',
    }),
    compared: z.array(z.number().nullable()).optional().openapi({
      description: 'Only with `compare`: one figure of the other period for each item of `xValues`, in the same order.',
    }),
  })
  .openapi('TrendSeries', { description: 'Figures, one for each item of `xValues`.' })

export type TrendSeries = z.output<typeof TrendSeries>

const Trends = answer('Trends', {
  ...Series.shape,
  yValues: z.array(TrendSeries).openapi({
    description:
      'The series in their order, then the formulas; or one series per group. The groups beyond the largest are summed up in `other` if the figure adds up.',
  }),
  groups_total: groupsTotal,
  other: TrendSeries.optional(),
})

export const analyzeTrends = createRoute({
  method: 'get',
  path: '/events/trends',
  operationId: 'analyzeTrends',
  summary: 'Trends',
  description:
    "Up to six events of the caller's application side by side, by hour, day, week or month, with formulas over them and a comparison with an earlier period. " +
    '`xValues` names each interval by its first day; hours by the moment at which they begin, in UTC. ' +
    'A series has the figures of event segmentation: `uniques` of an interval are its distinct users, and `key_value` is the figure of all intervals together. ' +
    '`change` compares it with the period that `compare` names, by default the previous one.',
  tags: ['Events'],
  sample: {
    query:
      'series=[{"event": "Product viewed"}, {"event": "Order paid", "name": "Buyers"}]&formula=B/A*100&interval=week&compare=previous',
  },
  request: { query },
  responses: answers(Trends, 'Intervals and figures.'),
})

/** Users of an interval, or of the period, in one of the series. */
export const trendFigures = figuresOf(
  analyzeTrends,
  z.strictObject({
    series: z.enum([...LETTERS] as [string, ...string[]]).default('A'),
    interval: z.string().optional(),
    group: groupCell,
  }),
  ({ series }, { series: letter }) => {
    const chosen = series[LETTERS.indexOf(letter)]
    if (!chosen) return `The question has no series ${letter}`
    return chosen.mode === 'uniques'
      ? null
      : "The mode of the series should be 'uniques': other figures do not count users"
  },
)
