import fc from 'fast-check'
import { askPeriod, type Parameter, toPath } from './asking.ts'
import { DAY_MS, type MadeHistory, type SentEvent } from './event-history.ts'
import type { LtvQuestion } from './ltv-oracle.ts'
import {
  type Asked,
  type AskedHistory,
  askedHistories,
  askFilters,
  filtersOf,
  periodOf,
  propertyOf,
} from './made-up-questions.ts'
import type { RevenueQuestion, Rule } from './revenue-oracle.ts'

const NAMES = ['telegram_message', 'message', 'Message', 'Order', 'visit']
const PARAM_NAMES = ['content', 'total_amount', 'currency', 'is_recurring', 'is_first_recurring', 'price', 'plan']

/** Numbers, texts that are numbers, and others; with up to nine decimals. */
const AMOUNTS = [
  ...[0, 1, 5, 250, 0.1, 0.2, 0.7, 1.005, 12.5, 0.000000001, 123456789.98765433, 1e21, 4_503_599_627_370_497],
  ...['0.1', '0.2', '250', '12.5', '1e2', '2.5E-3', '0.123456789', '99999999999999999999.999999999', '-0', '0.0'],
  ...['12.5x', '', ' 5', '05', '.5', '+5', '1.', 'NaN', -3, '-0.000000001', true, null, [5], { a: 1 }, undefined],
]
const CURRENCIES = [
  ...['XTR', 'XTR', 'XTR', 'xtr', 'USD', 'usd', 'TON', 'TON', 'USDT', 'KWD', 'JPY', 'POINTS', 840],
  ...['', 'X', ' XTR', 'ELEVENCHARS', '€', null, true, undefined],
]

const param = <T>(...values: T[]) => fc.constantFrom(...values)

const params = fc
  .record({
    content: param(
      'successful_payment',
      'successful_payment',
      'successful_payment',
      'refunded_payment',
      'text',
      undefined,
    ),
    total_amount: param<unknown>(...AMOUNTS),
    currency: param<unknown>(...CURRENCIES),
    is_recurring: param<unknown>(true, 'true', false, undefined, undefined),
    is_first_recurring: param(true, false, undefined, undefined),
    price: param<unknown>(...AMOUNTS),
    plan: param('a', 'b', 'c', undefined),
  })
  .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)))

/** With these, each event of a name may be a payment. */
const paidParams = fc.record<Record<string, unknown>>({
  content: fc.constant('successful_payment'),
  total_amount: param<unknown>(1, 5, 250, 0.1, '12.5', 123456789.98765433),
  currency: param('XTR', 'XTR', 'xtr'),
})

/** Both ends of a day, and moments within it that events share. */
const timeOfDay = fc.constantFrom(0, 0, 1, DAY_MS / 2, DAY_MS / 2, DAY_MS - 1)

/** Payments, refunds and visits of a few users on these days, often at the same instant. */
export function paymentsOn(days: readonly number[]): fc.Arbitrary<MadeHistory> {
  return fc.constantFrom(fc.option(params), fc.option(params), paidParams).chain((some) => withParams(days, some))
}

function withParams(days: readonly number[], some: fc.Arbitrary<unknown>): fc.Arbitrary<MadeHistory> {
  const event = fc.record({
    event_type: fc.constantFrom(...NAMES, 'telegram_message', 'telegram_message', 'Order'),
    telegram_id: fc.integer({ min: 1, max: 7 }),
    datetime: fc.tuple(fc.constantFrom(...days), timeOfDay).map(([day, time]) => day * DAY_MS + time),
    country: fc.constantFrom('a', 'b', '(none)', undefined),
    is_premium: fc.constantFrom(true, false, undefined),
    params: some,
  })
  return fc.array(event, { minLength: 1, maxLength: 40, size: 'max' }).chain((events) =>
    fc
      .shuffledSubarray(
        events.map((_, place) => place),
        { minLength: events.length },
      )
      .map((ids) => ({
        events: events.map((one, place) => ({ ...one, event_id: `event ${ids[place]}` }) as SentEvent),
        names: NAMES,
        path: NAMES,
        telling: ['country', 'params.plan'],
        windows: [],
        paramNames: PARAM_NAMES,
      })),
  )
}

/** A day, and days, weeks or months after it. */
export const madePayments: fc.Arbitrary<MadeHistory> = fc
  .tuple(
    fc.constantFrom('2024-02-28', '2024-12-30', '2026-01-01', '2026-10-31'),
    fc.shuffledSubarray([0, 1, 2, 3, 7, 8, 30, 31, 60], { minLength: 1 }),
  )
  .chain(([date, offsets]) => paymentsOn(offsets.map((offset) => Date.parse(date) / DAY_MS + offset)))

const is = (name: string, value: string) => ({ prop: `params.${name}`, op: 'is' as const, values: [value] })

/** The defaults, as docs/rules.md (22) says. */
export const DEFAULT_RULES: readonly Rule[] = ['telegram_message', 'Message', 'message'].flatMap((event): Rule[] => {
  const charge = { event, amount: 'params.total_amount', currency: 'params.currency', unit: 'minor' as const }
  const paid = is('content', 'successful_payment')
  const notFirst = { ...is('is_first_recurring', 'true'), op: 'is not' as const }
  return [
    { ...charge, kind: 'renewal', filters: [paid, is('is_recurring', 'true'), notFirst] },
    { ...charge, kind: 'sale', filters: [paid] },
    { ...charge, kind: 'refund', filters: [is('content', 'refunded_payment')] },
  ]
})

const rule: fc.Arbitrary<Rule> = fc.record({
  event: fc.constantFrom('telegram_message', 'Order', 'Order', 'visit', 'never'),
  filters: fc.constantFrom<Rule['filters']>(
    [],
    [],
    [is('plan', 'a')],
    [{ ...is('plan', 'b'), op: 'is not' }],
    [{ prop: 'country', op: 'is', values: ['a', '(none)'] }],
    [is('content', 'refunded_payment'), is('plan', 'a')],
  ),
  kind: fc.constantFrom('sale', 'renewal', 'refund'),
  amount: fc.constantFrom<string | number>('params.total_amount', 'params.price', 'params.never', 0.1, 5, 1e-7),
  currency: fc.constantFrom('params.currency', 'params.currency', 'XTR', 'TON', 'EUR', 'params.plan'),
  unit: fc.constantFrom('minor', 'major'),
})

/** All events of several names, whatever they are. */
const plainRules: fc.Arbitrary<readonly Rule[]> = fc.constantFrom('sale', 'refund').map((kind) =>
  (['telegram_message', 'Order', 'visit'] as const).map(
    (event, index): Rule => ({
      event,
      filters: [],
      kind: index === 1 ? (kind as Rule['kind']) : 'sale',
      amount: 'params.total_amount',
      currency: index === 0 ? 'params.currency' : 'XTR',
      unit: 'major',
    }),
  ),
)

export const madeRules: fc.Arbitrary<readonly Rule[]> = fc.oneof(
  { weight: 1, arbitrary: plainRules },
  { weight: 2, arbitrary: fc.constant(DEFAULT_RULES) },
  { weight: 3, arbitrary: fc.array(rule, { maxLength: 5 }) },
)

/** Rules as queries have them, with values as texts. */
export function toQueryRules(rules: readonly Rule[]) {
  return rules.map((rule) => ({
    ...rule,
    filters: rule.filters.map((filter) => ({ ...filter, values: filter.values.map(String) })),
  }))
}

interface HowMany {
  readonly questions: number
  /** One for all questions of a history, if it is given. */
  readonly rules?: fc.Arbitrary<readonly Rule[]>
}

export function askedRevenues(
  histories: fc.Arbitrary<MadeHistory>,
  { questions, rules = madeRules }: HowMany,
): fc.Arbitrary<AskedHistory<RevenueQuestion>> {
  return rules.chain((own) => askedHistories(histories, (history) => revenueOf(history, own), questions))
}

const currency = fc.constantFrom(null, null, null, 'XTR', 'TON', 'USD', '840', 'NONE')

function commonOf(history: MadeHistory, rules: readonly Rule[]) {
  return {
    rules: fc.constant(rules),
    filters: filtersOf(history),
    groupBy: fc.array(propertyOf(history), { maxLength: 1 }),
    currency,
  }
}

function revenueOf(history: MadeHistory, rules: readonly Rule[]): fc.Arbitrary<Asked<RevenueQuestion>> {
  return fc
    .tuple(fc.record(commonOf(history, rules)), periodOf(history, [1, 2, 3, 7, 31]))
    .chain(([common, period]) => {
      const question = { ...common, ...period }
      return askFilters(question.filters).map((asked) => ({
        question,
        path: toPath('/revenue', [...parametersOf(question), ...asked]),
      }))
    })
}

function parametersOf({ from, to, currency, groupBy }: RevenueQuestion): Parameter[] {
  const all: Parameter[] = [
    ...askPeriod({ from, to }),
    ['currency', currency?.toLowerCase() ?? ''],
    ['group_by', groupBy.length > 0 ? JSON.stringify(groupBy) : ''],
  ]
  return all.filter(([, value]) => value !== '')
}

/** Days that periods have, by the length of their intervals. */
const LENGTHS = { day: [1, 2, 3, 7, 31], week: [1, 2, 7, 8, 60], month: [1, 2, 31, 62, 90] }

export function askedLtvs(
  histories: fc.Arbitrary<MadeHistory>,
  { questions, rules = madeRules, today }: HowMany & { readonly today?: number },
): fc.Arbitrary<AskedHistory<LtvQuestion>> {
  return rules.chain((own) => askedHistories(histories, (history) => ltvOf(history, own, today), questions))
}

function ltvOf(history: MadeHistory, rules: readonly Rule[], now?: number): fc.Arbitrary<Asked<LtvQuestion>> {
  return fc.constantFrom('day' as const, 'week' as const, 'month' as const).chain((interval) =>
    fc
      .tuple(fc.record(commonOf(history, rules)), periodOf(history, LENGTHS[interval]), fc.constantFrom(400, 0, 0, -1))
      .chain(([common, period, after]) => {
        const question = { ...common, ...period, interval, today: now ?? period.to + after }
        return askFilters(question.filters).map((asked) => ({
          question,
          path: toPath('/revenue/ltv', [['interval', interval], ...parametersOf(question), ...asked]),
        }))
      }),
  )
}
