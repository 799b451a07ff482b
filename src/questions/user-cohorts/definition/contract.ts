import { z } from '@hono/zod-openapi'
import { toFaults } from '../../../base/faults.ts'
import { MAX_PERIOD_DAYS, parseDate } from '../../../base/time/period.ts'
import { integer, issue, reject } from '../../../http/params.ts'
import {
  AMOUNT_OPERATORS,
  type AskedFigure,
  type CohortCondition,
  type DefinedRule,
  TIMES_OPERATORS,
  type Within,
} from '../../engine/cohort-rule.ts'
import { eventParam } from '../../engine/contract.ts'
import { toEventName } from '../../engine/event-name.ts'
import { eventFilterItems, wholeFilter } from '../../filters/contract.ts'
import { ORDERS } from '../../funnels/query.ts'
import { toCurrency } from '../../revenue/currency.ts'
import { writtenFigure } from '../figures/contract.ts'
import { MAX_LISTED } from './list.ts'

const MAX_CONDITIONS = 5
/** In JSON. A list of more is not repeated in answers. */
export const MAX_WRITTEN = 10_000
const MAX_DAYS = 3_650
const MAX_TIMES = 1_000_000_000
const STEPS = { least: 2, most: 10 }
const MAX_WINDOW_SECONDS = MAX_PERIOD_DAYS * 86_400
const DEFAULT_WINDOW_SECONDS = 2_592_000

const date = z
  .string()
  .transform(
    (value, context) => parseDate(value) ?? reject(context, issue('value_error', 'Input should be a day as YYYYMMDD')),
  )

const within = z
  .strictObject({ days: integer({ min: 1, max: MAX_DAYS }).optional(), start: date.optional(), end: date.optional() })
  .transform(({ days, start, end }, context): Within => {
    if (days !== undefined && start === undefined && end === undefined) return { days }
    if (days !== undefined || start === undefined || end === undefined) {
      return reject(context, issue('value_error', "Input should have either 'days', or 'start' and 'end'"))
    }
    if (start > end) return reject(context, issue('value_error', "'start' should not be after 'end'"))
    return { start, end }
  })
  .optional()

const NO_CURRENCY = 'Input should be the code of a currency: 2 to 10 letters or digits'

type DefinedCondition = CohortCondition<Within, AskedFigure>
type ReadCondition = z.ZodType<DefinedCondition>

const telegramId = integer({ min: 1 })

/** Messenger ids, checked without a schema: for very many, that would take many times as long as reading them. */
function idList({ least, most }: { readonly least: number; readonly most: number }) {
  return z.unknown().transform((value, context): Float64Array => {
    const problem = problemOfList(value, { least, most })
    if (problem) return reject(context, problem)
    const items = value as readonly unknown[]
    const ids = new Float64Array(items.length)
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (typeof item === 'number' && Number.isSafeInteger(item) && item > 0) ids[index] = item
      else addFaults(context, telegramId.safeParse(item, { reportInput: true }).error, [index])
    }
    return ids
  })
}

function problemOfList(value: unknown, { least, most }: { readonly least: number; readonly most: number }) {
  if (value === undefined) return issue('missing', 'Field required')
  if (!Array.isArray(value)) return issue('list_type', 'Input should be a valid list')
  if (value.length < least) return issue('too_short', `List should have at least ${least} item`)
  return value.length > most ? issue('too_long', `List should have at most ${most} items`) : null
}

function addFaults(context: z.RefinementCtx, error: z.ZodError | undefined, path: readonly (string | number)[]): void {
  for (const { loc, msg, type } of toFaults((error?.issues ?? []) as z.core.$ZodIssue[], path)) {
    context.addIssue({ ...issue(type, msg), path: [...loc] })
  }
}

function listing(telegramIds: ReturnType<typeof idList>): ReadCondition {
  return z
    .strictObject({ type: z.literal('users'), telegram_ids: telegramIds })
    .transform(({ type, telegram_ids: telegramIds }) => ({ type, telegramIds }))
}

type ReadConditions = Readonly<Record<DefinedCondition['type'], ReadCondition>>

/** By type, as they are sent. */
const CONDITIONS: ReadConditions = {
  did: z
    .strictObject({
      type: z.literal('did'),
      event: eventParam,
      filters: eventFilterItems.default([]),
      times: z
        .strictObject({ op: z.enum(TIMES_OPERATORS), n: integer({ min: 0, max: MAX_TIMES }) })
        .default({ op: 'at_least', n: 1 }),
      within,
    })
    .transform(({ event, within, ...rest }) => ({ ...rest, event: toEventName(event), within })),
  first_seen: z
    .strictObject({ type: z.literal('first_seen'), within })
    .transform(({ type, within }) => ({ type, within })),
  property: z
    .strictObject({ type: z.literal('property'), ...wholeFilter.shape })
    .transform(({ type, ...written }) => ({ type, filter: wholeFilter.toFilter(written) })),
  revenue: z
    .strictObject({
      type: z.literal('revenue'),
      op: z.enum(AMOUNT_OPERATORS),
      amount: z.number(),
      currency: z
        .string()
        .transform((code, context) => toCurrency(code) ?? reject(context, issue('value_error', NO_CURRENCY))),
      within,
    })
    .transform(({ within, ...rest }) => ({ ...rest, within })),
  funnel: z
    .strictObject({
      type: z.literal('funnel'),
      events: z.array(eventParam).min(STEPS.least).max(STEPS.most),
      window_seconds: integer({ min: 1, max: MAX_WINDOW_SECONDS }).default(DEFAULT_WINDOW_SECONDS),
      order: z.enum(ORDERS).default('ordered'),
      reached: integer({ min: 1, max: STEPS.most }),
      and_stopped: z.boolean().default(false),
      within,
    })
    .refine(({ events, reached }) => reached <= events.length, {
      path: ['reached'],
      message: 'Input should be at most the number of events',
      params: { type: 'less_than_equal' },
    })
    .transform(({ type, events, window_seconds: windowSeconds, order, reached, and_stopped: andStopped, within }) => {
      const steps = events.map((event) => toEventName(event) ?? event) as [string, string, ...string[]]
      return { type, events: steps, windowSeconds, order, reached, andStopped, within }
    }),
  users: listing(idList({ least: 1, most: MAX_WRITTEN })),
  figure: z
    .looseObject({ type: z.literal('figure') })
    .transform(({ type: _, ...written }) => written)
    .pipe(writtenFigure)
    .transform((figure) => ({ type: 'figure', figure })),
}

/** As they are stored: CSV lists more users, and whoever is erased leaves. */
const STORED_CONDITIONS: ReadConditions = { ...CONDITIONS, users: listing(idList({ least: 0, most: MAX_LISTED })) }

const TYPES = Object.keys(CONDITIONS)

/** By its own type's schema, so that faults point at what is wrong with it. */
function readCondition(value: unknown, context: z.RefinementCtx, conditions: ReadConditions): DefinedCondition {
  const { type } = (typeof value === 'object' && value !== null ? value : {}) as { type?: unknown }
  const schema = TYPES.includes(String(type)) ? conditions[type as keyof ReadConditions] : null
  if (!schema) {
    const isObject = typeof value === 'object' && value !== null
    const problem = isObject
      ? {
          ...issue('enum', `Input should be '${TYPES.slice(0, -1).join("', '")}' or '${TYPES.at(-1)}'`),
          path: ['type'],
        }
      : issue('dict_type', 'Input should be a valid dictionary')
    context.addIssue(problem)
    return z.NEVER
  }
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  addFaults(context, read.error, [])
  return z.NEVER
}

const DESCRIPTION =
  '1 to 5 conditions, each with a `type`: ' +
  '`did` (`event`, `filters`, `times`: `{"op": "at_least"|"at_most"|"exactly", "n"}`, `within`): had the event that often, by default at least once; ' +
  '`first_seen` (`within`): had their first event in these days; ' +
  '`property` (`prop`, `op`, `values`): this property of their latest event matches, as in filters; ' +
  '`revenue` (`op`: `is` or one of the four orderings, `amount`, `currency`, `within`): their payments less refunds meet the comparison; ' +
  '`funnel` (`events`, `window_seconds`, `order`, `reached`, `and_stopped`, `within`): reached this step of a funnel and, with `and_stopped`, no later one; ' +
  '`users` (`telegram_ids`, at most 10,000): are listed; as CSV up to 100,000. ' +
  "`figure` (`question`, `at`): are those whom a figure of a question's answer counts. `question` is the question's address, such as `/funnels?events=…`, `at` the figure's cell, such as `{\"step\": 2}`. " +
  '`within` is `{"days": n}` (the last n days, today included) or `{"start", "end"}` (`YYYYMMDD`); without it, all days count.'

function definitionOf(conditions: ReadConditions) {
  const condition = z.unknown().transform((value, context) => readCondition(value, context, conditions))
  return z.strictObject({
    match: z.enum(['all', 'any']).openapi({ description: 'Whether a user must meet all conditions, or any.' }),
    conditions: z
      .array(condition.openapi({ type: 'object', additionalProperties: true }))
      .min(1)
      .max(MAX_CONDITIONS)
      .openapi({ description: DESCRIPTION }),
  })
}

/** What a cohort is, as it is sent. */
export const Definition = definitionOf(CONDITIONS).openapi('CohortDefinition', {
  example: {
    match: 'all',
    conditions: [{ type: 'did', event: 'Order paid', times: { op: 'at_least', n: 2 }, within: { days: 30 } }],
  },
})

const StoredDefinition = definitionOf(STORED_CONDITIONS)

/** The rule of a stored definition. */
export function parseDefinition(json: string): DefinedRule {
  return StoredDefinition.parse(JSON.parse(json))
}
