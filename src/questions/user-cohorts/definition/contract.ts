import { z } from '@hono/zod-openapi'
import { toFaults } from '../../../base/faults.ts'
import { DATE_PATTERN } from '../../../base/time/period.ts'
import { refTo } from '../../../http/list-params.ts'
import { integer, issue, reject } from '../../../http/params.ts'
import { AMOUNT_OPERATORS, type DefinedRule, TIMES_OPERATORS, type Within } from '../../engine/cohort-rule.ts'
import { eventParam } from '../../engine/contract.ts'
import { toEventName } from '../../engine/event-name.ts'
import { dateParam } from '../../engine/period.ts'
import { eventFilterItems, wholeFilter } from '../../filters/contract.ts'
import { STEPS, WINDOW_SECONDS } from '../../funnels/contract.ts'
import { ORDERS } from '../../funnels/query.ts'
import { toCurrency } from '../../revenue/currency.ts'
import { CODE_CHARACTERS, CURRENCY_PATTERN } from '../../revenue-rules/currency-code.ts'
import { figureCondition } from '../figures/contract.ts'
import { MAX_LISTED } from './list.ts'

/** The most conditions of a definition. */
export const MAX_CONDITIONS = 5
/** In JSON. A list of more is not repeated in answers. */
export const MAX_WRITTEN = 10_000
/** The most days of a condition about the last days. */
export const MAX_DAYS = 3_650
const MAX_TIMES = 1_000_000_000

const DAY = {
  type: 'string',
  pattern: `^${DATE_PATTERN}$`,
  description: 'A day, `YYYYMMDD`.',
  example: '20261120',
} as const

const within = z
  .unknown()
  .pipe(
    z.strictObject({
      days: integer({ min: 1, max: MAX_DAYS }).optional(),
      start: dateParam.optional(),
      end: dateParam.optional(),
    }),
  )
  .transform(({ days, start, end }, context): Within => {
    if (days !== undefined && start === undefined && end === undefined) return { days }
    if (days !== undefined || start === undefined || end === undefined) {
      return reject(context, issue('value_error', "Input should have either 'days', or 'start' and 'end'"))
    }
    if (start > end) return reject(context, issue('value_error', "'start' should not be after 'end'"))
    return { start, end }
  })
  .openapi('Within', {
    description: 'The days that count; by default all.',
    oneOf: [
      {
        type: 'object',
        properties: {
          days: { type: 'integer', minimum: 1, maximum: MAX_DAYS, description: 'The last days, today included.' },
        },
        required: ['days'],
        additionalProperties: false,
      },
      { type: 'object', properties: { start: DAY, end: DAY }, required: ['start', 'end'], additionalProperties: false },
    ],
    example: { days: 30 },
  })
  .optional()

const NO_CURRENCY = `Input should be the code of a currency: ${CODE_CHARACTERS}`

const telegramId = integer({ min: 1 })

/** Messenger ids, checked without a schema: for very many, that would take many times as long as reading them. */
function idList({ least, most }: { readonly least: number; readonly most: number }) {
  return z
    .unknown()
    .transform((value, context): Float64Array => {
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
    .openapi({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      minItems: least,
      maxItems: most,
      description: 'Messenger ids.',
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

function kind<const T extends string>(type: T) {
  return z.literal(type).openapi({ description: `Always \`${type}\`.` })
}

function usersCondition(telegramIds: ReturnType<typeof idList>) {
  return z
    .strictObject({ type: kind('users'), telegram_ids: telegramIds })
    .transform(({ type, telegram_ids: telegramIds }) => ({ type, telegramIds }))
}

const CONDITIONS = [
  z
    .strictObject({
      type: kind('did'),
      event: eventParam.openapi({ description: 'Name of the event.', example: 'Order paid' }),
      filters: eventFilterItems.default([]).openapi({ description: 'Filters on the event, joined by AND.' }),
      times: z
        .strictObject({
          op: z.enum(TIMES_OPERATORS).openapi({ description: 'How the number is compared.' }),
          n: integer({ min: 0, max: MAX_TIMES }).openapi({ description: 'The number.' }),
        })
        .default({ op: 'at_least', n: 1 })
        .openapi({ description: 'How often; by default at least once.' }),
      within,
    })
    .transform(({ event, within, ...rest }) => ({ ...rest, event: toEventName(event), within }))
    .openapi('DidCondition', { description: 'Had the event that often.' }),
  z
    .strictObject({ type: kind('first_seen'), within })
    .transform(({ type, within }) => ({ type, within }))
    .openapi('FirstSeenCondition', { description: 'Had their first event in these days.' }),
  z
    .strictObject({ type: kind('property'), ...wholeFilter.shape })
    .transform(({ type, ...written }) => ({ type, filter: wholeFilter.toFilter(written) }))
    .openapi('PropertyCondition', { description: 'This property of their latest event matches, as in filters.' }),
  z
    .strictObject({
      type: kind('revenue'),
      op: z.enum(AMOUNT_OPERATORS).openapi({ description: 'How the amount is compared.' }),
      amount: z.number().openapi({ description: 'In major units.' }),
      currency: z
        .string()
        .transform((code, context) => toCurrency(code) ?? reject(context, issue('value_error', NO_CURRENCY)))
        .openapi({ type: 'string', pattern: CURRENCY_PATTERN.source, description: 'Its code.', example: 'XTR' }),
      within,
    })
    .transform(({ within, ...rest }) => ({ ...rest, within }))
    .openapi('RevenueCondition', { description: 'Their payments less refunds meet the comparison.' }),
  z
    .strictObject({
      type: kind('funnel'),
      events: z.array(eventParam).min(STEPS.min).max(STEPS.max).openapi({ description: 'The steps, in order.' }),
      window_seconds: integer({ min: 1, max: WINDOW_SECONDS.max })
        .default(WINDOW_SECONDS.byDefault)
        .openapi({ description: 'The most seconds from the first step to the last.' }),
      order: z.enum(ORDERS).default('ordered').openapi({ description: 'As in funnels.' }),
      reached: integer({ min: 1, max: STEPS.max }).openapi({
        description: 'The step, from 1 to the number of events.',
      }),
      and_stopped: z.boolean().default(false).openapi({ description: 'Whether they reached no later step.' }),
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
    })
    .openapi('FunnelCondition', { description: 'Reached this step of a funnel.' }),
] as const

const figure = figureCondition.openapi('FigureCondition', {
  description: "Are those whom a figure of a question's answer counts.",
})

/** For the document: the generator does not see the types of choices that are transformed. */
const CHOICES = {
  did: 'DidCondition',
  first_seen: 'FirstSeenCondition',
  property: 'PropertyCondition',
  revenue: 'RevenueCondition',
  funnel: 'FunnelCondition',
  users: 'UsersCondition',
  figure: 'FigureCondition',
}

const mapping = Object.fromEntries(Object.entries(CHOICES).map(([type, name]) => [type, refTo(name).$ref]))

function definitionOf(users: ReturnType<typeof usersCondition>) {
  const condition = z
    .discriminatedUnion('type', [...CONDITIONS, users, figure])
    .openapi({ discriminator: { propertyName: 'type', mapping } })
  return z.strictObject({
    match: z.enum(['all', 'any']).openapi({ description: 'Whether a user must meet all conditions, or any.' }),
    conditions: z.array(condition).min(1).max(MAX_CONDITIONS).openapi({ description: 'The conditions.' }),
  })
}

/** What a cohort is, as it is sent. */
export const Definition = definitionOf(
  usersCondition(idList({ least: 1, most: MAX_WRITTEN })).openapi('UsersCondition', {
    description: `Are listed: up to ${MAX_WRITTEN.toLocaleString('en')} here, as CSV more.`,
  }),
).openapi('CohortDefinition', {
  example: {
    match: 'all',
    conditions: [{ type: 'did', event: 'Order paid', times: { op: 'at_least', n: 2 }, within: { days: 30 } }],
  },
})

declare module '../../../base/described.ts' {
  interface Described {
    readonly cohortRule: z.output<typeof Definition>
  }
}

interface ShownUsers {
  readonly type: 'users'
  readonly telegram_ids?: readonly number[]
  /** How many, in place of a long list. */
  readonly listed?: number
}

type SentCondition = z.input<typeof Definition>['conditions'][number]
type ShownCondition = Exclude<SentCondition, { type: 'users' }> | ShownUsers

const { users: _, ...OTHERS } = CHOICES

/** A condition as answers show it: as it was sent, but for long lists of users. */
export const ShownCondition = (z.unknown() as z.ZodType<ShownCondition, ShownCondition>).openapi({
  oneOf: [
    ...Object.values(OTHERS).map(refTo),
    {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['users'], description: 'Always `users`.' },
        telegram_ids: { type: 'array', items: { type: 'integer' }, description: 'Messenger ids.' },
        listed: { type: 'integer', description: 'How many, in place of a long list.' },
      },
      required: ['type'],
      additionalProperties: false,
    },
  ],
})

/** CSV lists more users, and whoever is erased leaves. */
const StoredDefinition = definitionOf(usersCondition(idList({ least: 0, most: MAX_LISTED })))

/** The rule of a stored definition. */
export function parseDefinition(json: string): DefinedRule {
  return StoredDefinition.parse(JSON.parse(json))
}
