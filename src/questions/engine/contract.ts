import { z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { NAME_CHARACTERS } from '../../base/text/text.ts'
import { parseDate } from '../../base/time/period.ts'
import { MAX_GROUPED_BY } from '../../columns/selection/filter.ts'
import { jsonAnswer, problems, TIME_ZONE_HEADERS } from '../../http/api/answers.ts'
import { count, label } from '../../http/api/fields.ts'
import { integerParam, issue, reject, text } from '../../http/params.ts'
import { AS_OF_HEADERS } from './as-of.ts'

export { answer, listAnswer } from '../../http/api/answers.ts'
export { count, label, moment } from '../../http/api/fields.ts'

/** Names the first day with complete data, if an application keeps its events for a limited number of months. */
export const DATA_SINCE_HEADER = 'data-since'

/** The headers of answers from an application's daily figures. */
export const FIGURES_HEADERS = { ...AS_OF_HEADERS, ...TIME_ZONE_HEADERS }

/** The headers of answers from an application's objects. */
const HEADERS = {
  ...FIGURES_HEADERS,
  [DATA_SINCE_HEADER]: {
    optional:
      'The first day with complete data, `YYYY-MM-DD`. Sent only if the application keeps its events for a limited number of months. ' +
      'Figures of earlier days, and monthly figures that reach back to them, may be incomplete.',
  },
}

/**
 * The responses of a question; by default, of one that objects answer. The problems are those besides the ones of every operation.
 */
export function answers<S extends z.ZodType>(
  schema: S,
  description: string,
  examples: Parameters<typeof problems>[0] = { 404: NO_APPLICATION },
  headers: Parameters<typeof jsonAnswer>[2] = HEADERS,
) {
  return { 200: jsonAnswer(schema, description, headers), ...problems(examples) }
}

/** A share of something in an answer. */
export function percentage(description: string, example: number) {
  return z
    .number()
    .nullable()
    .openapi({ description: `${description} In percent, not rounded.`, example })
}

/** How many groups there are: answers have the largest only. */
export const groupsTotal = count(
  'The number of all groups, also of those beyond the largest. Absent if nothing is grouped.',
  34,
).optional()

/** Figures of the groups beyond the largest, summed up. */
export function otherGroups<S extends z.ZodType>(schema: S) {
  return schema.optional().openapi({
    description: 'All groups beyond the largest together, named `other`. Absent if there are none.',
  })
}

/** How many items a page has at most. */
export function limitParam(max: number, byDefault: number, description: string) {
  return integerParam({ min: 1, max }).default(byDefault).openapi({ description })
}

/** A user in a path. */
export const telegramIdParam = integerParam({ min: 1 }).openapi({
  description: 'Messenger id of the user.',
  example: 7234567890,
})

export const UNKNOWN_USER = 'No event of this user was ever stored.'

/** The name of an event. */
export const eventParam = text({ min: 1, max: NAME_CHARACTERS })

const common = {
  name: label('Name of the series.'),
  data_type: z.literal('time_series').openapi({ description: 'Always `time_series`.' }),
  length: count('Number of items in `data`.'),
  key_value: count(
    'The headline figure. In `yValues`: the total for the whole period, with each user counted once. In `xValues`: the number of all days, values or steps.',
  ),
  empty: z.boolean().openapi({ description: 'True if `data` has no items, or only zeros.' }),
}

export const LabelSeries = z
  .object({ ...common, data: z.array(z.string()).openapi({ description: 'The days, values or steps, in order.' }) })
  .openapi('LabelSeries', { description: 'Days, values or steps.' })

export const NumberSeries = z
  .object({
    ...common,
    data: z.array(z.number()).openapi({ description: 'One figure for each item of `xValues`, in the same order.' }),
    change: count(
      'Change of the headline figure from the preceding period of equal length, in whole percent. If that period has none: 100 if this one has any, else 0.',
    ),
  })
  .openapi('NumberSeries', { description: 'Figures, one for each item of `xValues`.' })

export const timeZoneField = label(
  "The application's time zone, by whose days these figures count: an IANA name.",
  'Europe/Berlin',
)

export const Series = z.object({
  xValues: LabelSeries,
  yValues: z.array(NumberSeries).openapi({ description: 'One series, or one per group.' }),
  time_zone: timeZoneField,
})

export type LabelSeries = z.output<typeof LabelSeries>
export type NumberSeries = z.output<typeof NumberSeries>

/** A day in a figure's cell, as answers name it. */
export const dayCell = z
  .string()
  .transform(
    (value, context) =>
      (/^\d{4}-\d{2}-\d{2}$/.test(value) ? parseDate(value.replaceAll('-', '')) : null) ??
      reject(context, issue('value_error', 'Input should be a day as YYYY-MM-DD')),
  )
  .optional()

/** The group of a figure: its value or, where two properties are grouped by, both. */
export const groupCell = z
  .union([z.string().transform((value) => [value]), z.array(z.string()).min(1).max(MAX_GROUPED_BY)])
  .optional()

interface AskedAt {
  readonly path: string
  readonly request: { readonly query: z.ZodType }
}

/** The figures of a question that count users: how their cells are written, and why a cell has none. */
export interface CountedFigures<Contract extends AskedAt = AskedAt, Cell extends z.ZodType = z.ZodType> {
  readonly contract: Contract
  readonly cell: Cell
  /** The message, or null. */
  readonly problemOf: (params: z.output<Contract['request']['query']>, cell: z.output<Cell>) => string | null
}

export function figuresOf<Contract extends AskedAt, Cell extends z.ZodType>(
  contract: Contract,
  cell: Cell,
  problemOf: CountedFigures<Contract, Cell>['problemOf'] = () => null,
): CountedFigures<Contract, Cell> {
  return { contract, cell, problemOf }
}

/** The parameters of a question, and a cell of its answer. */
export type ParamsOf<Figures extends CountedFigures> = z.output<Figures['contract']['request']['query']>
export type CellOf<Figures extends CountedFigures> = z.output<Figures['cell']>
