import { createRoute, z } from '@hono/zod-openapi'
import { handleParam, NO_OWN_HANDLE } from '../../accounts/applications/contract.ts'
import { MAX_DECIMAL_DIGITS, parseDecimal } from '../../base/decimal.ts'
import { Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { isOfUser, nameOfProperty } from '../../columns/selection/filter.ts'
import { jsonAnswer, jsonBody, problems } from '../../http/api/answers.ts'
import { DEMO } from '../../http/api/sample.ts'
import { isStorable, issue, NOT_STORABLE, reject } from '../../http/params.ts'
import { DEFAULT_REVENUE_RULES, REVENUE_KINDS, REVENUE_UNITS, type RevenueRule } from '../../storage/revenue-rule.ts'
import { answer, eventParam, label } from '../engine/contract.ts'
import { eventFilterItems } from '../filters/contract.ts'
import { CODE_CHARACTERS, CURRENCY_PATTERN } from './currency-code.ts'

/** The most rules of an application. */
export const MAX_RULES = 10
/** The most filters of a rule. */
export const MAX_FILTERS = 5
const PARAMETER = /^params\../s
const PARAMETER_PATTERN = '^params\\.[^\\x00]+$'

const EVENT = { description: 'Exact name of the event.', example: 'telegram_message' }
const AMOUNT = {
  description: 'The parameter with the amount, `params.<name>`, or a constant number of at least 0.',
  example: 'params.total_amount',
}
const CURRENCY = {
  description: `The parameter with the currency, \`params.<name>\`, or a constant code of ${CODE_CHARACTERS}. Codes are case-insensitive.`,
  example: 'params.currency',
}

/** Points at a missing field, as a schema of `unknown` would take it for one of the wrong type. */
function given(value: unknown, context: z.RefinementCtx, msg: string): never {
  return reject(context, value === undefined ? issue('missing', 'Field required') : issue('value_error', msg))
}

const TOO_MANY_DIGITS = `Input should have at most ${MAX_DECIMAL_DIGITS} digits before its decimal point, and after it`

const amountField = z
  .unknown()
  .transform((value, context): string | number => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
      // The amount of an event with so many digits is not numeric.
      return parseDecimal(String(value)) ? value : reject(context, issue('value_error', TOO_MANY_DIGITS))
    }
    if (isParameter(value)) return isStorable(value) ? value : reject(context, issue('value_error', NOT_STORABLE))
    return given(value, context, "Input should be 'params.<name>' or a number greater than or equal to 0")
  })
  .openapi({
    ...AMOUNT,
    oneOf: [
      { type: 'string', pattern: PARAMETER_PATTERN, example: AMOUNT.example },
      { type: 'number', minimum: 0 },
    ],
  })

const currencyField = z
  .unknown()
  .transform((value, context): string => {
    if (typeof value === 'string' && CURRENCY_PATTERN.test(value)) return value.toUpperCase()
    if (isParameter(value)) return isStorable(value) ? value : reject(context, issue('value_error', NOT_STORABLE))
    return given(value, context, `Input should be 'params.<name>' or a code of ${CODE_CHARACTERS}`)
  })
  .openapi({ ...CURRENCY, type: 'string', pattern: `${CURRENCY_PATTERN.source}|${PARAMETER_PATTERN}` })

function isParameter(value: unknown): value is string {
  return typeof value === 'string' && PARAMETER.test(value)
}

const kind = z.enum(REVENUE_KINDS).openapi({ description: 'Whether the event is a sale, a renewal or a refund.' })
const unit = z.enum(REVENUE_UNITS).openapi({
  description:
    '`minor` if the amount counts the smallest unit of the currency (cents), `major` if the currency itself.',
})

const NOT_OF_EVENT = 'Input should be a property of the event, not of its user'

const NewRevenueRule = z
  .strictObject({
    event: eventParam.openapi(EVENT),
    filters: eventFilterItems
      .max(MAX_FILTERS)
      .default([])
      .superRefine((filters, context) => {
        for (const [index, { property }] of filters.entries()) {
          if (isOfUser(property)) context.addIssue({ ...issue('value_error', NOT_OF_EVENT), path: [index, 'prop'] })
        }
      })
      .openapi({
        maxItems: MAX_FILTERS,
        description: 'Filters on the event, joined by AND as everywhere. Properties of its user are not allowed.',
      }),
    kind,
    amount: amountField,
    currency: currencyField,
    unit,
  })
  .transform(({ filters, ...rule }) => ({
    ...rule,
    filters: filters.map(({ property, operator, values }) => ({
      prop: nameOfProperty(property),
      op: operator,
      values,
    })),
  }))
  .openapi('NewRevenueRule')

declare module '../../base/described.ts' {
  interface Described {
    readonly revenueRule: Readonly<z.output<typeof NewRevenueRule>>
  }
}

const ShownRule = z
  .object({
    event: z.string().openapi(EVENT),
    filters: z
      .array(
        z.object({
          prop: label('Property of the event.', 'params.content'),
          op: label('How values are compared.', 'is'),
          values: z.array(z.string()).openapi({ description: 'The values.', example: ['successful_payment'] }),
        }),
      )
      .openapi({ description: 'Filters on the event.' }),
    kind,
    amount: z.union([z.string(), z.number()]).openapi(AMOUNT),
    currency: z.string().openapi(CURRENCY),
    unit,
  })
  .openapi('RevenueRule', { description: 'Which events are payments or refunds, and where their amounts are.' })

const OwnRules = answer('RevenueRulesAnswer', {
  data: z
    .object({
      rules: z.array(ShownRule).openapi({ description: 'The rules, in the order in which they are tried.' }),
      are_defaults: z.boolean().openapi({
        description: 'Whether the defaults apply because the application has no rules of its own.',
        example: true,
      }),
    })
    .openapi({ description: 'The rules of the application.' }),
})

const route = {
  path: '/applications/{handle}/revenue-rules',
  tags: ['Revenue'],
  responses: { 200: jsonAnswer(OwnRules, 'The rules.'), ...problems({ 404: NO_OWN_HANDLE }) },
}

export const getRevenueRules = createRoute({
  ...route,
  method: 'get',
  operationId: 'getRevenueRules',
  summary: 'Revenue rules',
  description:
    "The rules that decide what counts as revenue. The first rule that matches an event decides; an event that no rule matches is not revenue. By default, rules match the payments and refunds in a bot's messages.",
  sample: { path: { handle: DEMO.handle } },
  request: { params: z.object({ handle: handleParam }) },
})

export const RevenueRules = z
  .strictObject({
    rules: z
      .array(NewRevenueRule)
      .max(MAX_RULES)
      .nullable()
      .openapi({ description: 'The rules. An empty list means no revenue; null restores the defaults.' }),
  })
  .openapi('RevenueRules')

export const replaceRevenueRules = createRoute({
  ...route,
  method: 'put',
  operationId: 'replaceRevenueRules',
  summary: 'Replacing revenue rules',
  description: `Replaces all rules, at most ${MAX_RULES}. They apply to all events, including earlier ones. An unknown field is a 422.`,
  sample: {
    path: { handle: DEMO.handle },
    body: {
      rules: [
        {
          event: 'telegram_message',
          filters: [{ prop: 'params.content', op: 'is', values: ['successful_payment'] }],
          kind: 'sale',
          amount: 'params.total_amount',
          currency: 'params.currency',
          unit: 'minor',
        },
        {
          event: 'telegram_message',
          filters: [{ prop: 'params.content', op: 'is', values: ['refunded_payment'] }],
          kind: 'refund',
          amount: 'params.total_amount',
          currency: 'params.currency',
          unit: 'minor',
        },
        { event: 'Donation', kind: 'sale', amount: 5, currency: 'USD', unit: 'major' },
      ],
    },
  },
  request: { params: z.object({ handle: handleParam }), body: jsonBody(RevenueRules) },
})

/** Reads a body without storing it. Throws `Invalid`. */
export function readRules(body: unknown): readonly RevenueRule[] {
  const read = RevenueRules.safeParse(body, { reportInput: true })
  if (!read.success) throw new Invalid(toFaults(read.error.issues, ['body']))
  return read.data.rules ?? DEFAULT_REVENUE_RULES
}
