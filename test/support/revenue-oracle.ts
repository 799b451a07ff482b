import type { Json, SentEvent } from './event-history.ts'
import { compareTexts, type Filter, groupOf, noteHistory, passes, readProperty, textOf } from './filter-oracle.ts'
import { dateOf, daysOf, groupFields, isIn, labelSeries, type Period, precedingPeriod } from './series-oracle.ts'

/**
 * Revenue as docs/rules.md (23, 24) has it, event by event. Money is counted in whole 10^-40 of a currency, and becomes a double as
 * JavaScript reads its decimal text. Shares no code with the service.
 */

export interface Rule {
  readonly event: string
  readonly filters: readonly Filter[]
  readonly kind: 'sale' | 'renewal' | 'refund'
  readonly amount: string | number
  readonly currency: string
  readonly unit: 'minor' | 'major'
}

export interface RevenueQuestion extends Period {
  readonly rules: readonly Rule[]
  readonly filters: readonly Filter[]
  /** One property, or none. */
  readonly groupBy: readonly string[]
  /** Null for the one with the most payments. */
  readonly currency: string | null
}

const DECIMALS = 40
const DIGITS: Readonly<Record<string, number>> = { XTR: 0, TON: 9, USDT: 6, JPY: 0, KWD: 3 }

/** A payment or a refund that counts. */
export interface Charge {
  readonly event: SentEvent
  readonly isRefund: boolean
  readonly currency: string
  /** In 10^-40 of the currency. */
  readonly amount: bigint
}

/** What an event is by the first rule that matches it; null if none does or if it is left out. */
function chargeOf(event: SentEvent, rules: readonly Rule[]): Charge | 'skipped' | null {
  const rule = rules.find((one) => one.event === event.event_type && passes(event, one.filters))
  if (!rule) return null
  const code = said(event, rule.currency.startsWith('params.') ? rule.currency : null) ?? rule.currency
  const text = typeof rule.amount === 'number' ? String(rule.amount) : said(event, rule.amount)
  if (!/^[A-Za-z0-9]{2,10}$/.test(code) || text === null) return 'skipped'
  const currency = code.toUpperCase()
  const amount = scaled(text, rule.unit === 'minor' ? (DIGITS[currency] ?? 2) : 0)
  return amount === null ? 'skipped' : { event, isRefund: rule.kind === 'refund', currency, amount }
}

function said(event: SentEvent, parameter: string | null): string | null {
  return parameter === null ? null : textOf(readProperty(event, parameter) as Json)
}

/** Null for texts that are no numbers, and for numbers below zero. */
function scaled(text: string, digits: number): bigint | null {
  const match = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const zeros = DECIMALS - fraction.length + Number(exponent) - digits
  const amount = BigInt(`${whole}${fraction}`) * 10n ** BigInt(zeros)
  return sign === '-' && amount > 0n ? null : amount
}

export function chargesOf(events: readonly SentEvent[], rules: readonly Rule[]): Charge[] {
  return events.map((event) => chargeOf(event, rules)).filter((charge) => charge !== null && charge !== 'skipped')
}

export function answerCurrencies(
  history: readonly SentEvent[],
  { rules, currency, filters, ...period }: Pick<RevenueQuestion, 'rules' | 'currency' | 'filters' | keyof Period>,
) {
  noteHistory(history)
  const events = history.filter((event) => isIn(event.datetime, period) && passes(event, filters))
  const charges = chargesOf(events, rules)
  const currencies = [...Map.groupBy(charges, (charge) => charge.currency)]
    .map(([code, own]) => ({ currency: code, payments: paymentsOf(own).length, net: toNumber(netOf(own)) }))
    .sort((a, b) => b.payments - a.payments || compareTexts(a.currency, b.currency))
  return {
    currency: currency ?? currencies[0]?.currency ?? 'XTR',
    currencies,
    skipped: events.filter((event) => chargeOf(event, rules) === 'skipped').length,
  }
}

export function answerRevenue(history: readonly SentEvent[], question: RevenueQuestion) {
  noteHistory(history)
  const { rules, filters, groupBy } = question
  const found = answerCurrencies(history, question)
  const everything = chargesOf(history, rules)
  const charges = everything.filter(({ event, currency }) => currency === found.currency && passes(event, filters))
  const known: Known = { history, question, firsts: firstTimes(everything) }
  const within = charges.filter(({ event }) => isIn(event.datetime, question))
  const names = groupBy.length > 0 ? [...new Set(within.map(({ event }) => groupOf(event, groupBy)[0] as string))] : []
  const groups = names
    .map((name) => {
      const own = charges.filter(({ event }) => groupOf(event, groupBy)[0] === name)
      return { name, yValues: seriesOf(own, known) }
    })
    .sort((a, b) => (b.yValues[1]?.total ?? 0) - (a.yValues[1]?.total ?? 0) || compareTexts(a.name, b.name))
    .slice(0, 20)
  const xValues = labelSeries('date', daysOf(question).map(dateOf))
  const isShown = ({ event }: Charge) => groups.some(({ name }) => groupOf(event, groupBy)[0] === name)
  const other = () => ({
    name: 'other',
    yValues: seriesOf(
      charges.filter((charge) => !isShown(charge)),
      known,
    ).slice(0, 4),
  })
  return {
    ...{ xValues, yValues: seriesOf(charges, known), ...found, groups },
    ...groupFields(names, groupBy, true, other),
  }
}

interface Known {
  readonly history: readonly SentEvent[]
  readonly question: Period
  /** When each user paid for the first time, in any currency. */
  readonly firsts: ReadonlyMap<number, number>
}

function firstTimes(charges: readonly Charge[]): Map<number, number> {
  const byUser = Map.groupBy(paymentsOf(charges), ({ event }) => event.telegram_id)
  return new Map([...byUser].map(([user, own]) => [user, Math.min(...own.map(({ event }) => event.datetime))]))
}

/** Money, or a number of something, divided by a number of users. */
interface Figure {
  readonly part: bigint
  readonly users: number
}

const FIGURES: readonly [string, (charges: readonly Charge[], known: Known, active: number) => Figure][] = [
  ['net', (charges) => ({ part: netOf(charges), users: 1 })],
  ['gross', (charges) => ({ part: sumOf(paymentsOf(charges)), users: 1 })],
  ['refunds', (charges) => ({ part: sumOf(charges.filter(({ isRefund }) => isRefund)), users: 1 })],
  ['payments', (charges) => counted(paymentsOf(charges).length)],
  ['payers', (charges) => counted(usersOf(paymentsOf(charges)))],
  [
    'new_payers',
    (charges, { firsts }) =>
      counted(usersOf(paymentsOf(charges).filter(({ event }) => event.datetime === firsts.get(event.telegram_id)))),
  ],
  ['arpu', (charges, _, active) => ({ part: netOf(charges), users: active })],
  ['arppu', (charges) => ({ part: netOf(charges), users: usersOf(paymentsOf(charges)) })],
]

function seriesOf(charges: readonly Charge[], known: Known) {
  const { history, question } = known
  return FIGURES.map(([name, figureOf]) => {
    const figureIn = (period: Period) =>
      figureOf(
        charges.filter(({ event }) => isIn(event.datetime, period)),
        known,
        new Set(history.filter((event) => isIn(event.datetime, period)).map(({ telegram_id }) => telegram_id)).size,
      )
    const data = daysOf(question).map((day) => doubleOf(figureIn({ ...question, from: day, to: day })))
    const [now, before] = [figureIn(question), figureIn(precedingPeriod(question))]
    return {
      name,
      data_type: 'time_series',
      data,
      length: data.length,
      key_value: roundedOf(now),
      empty: !data.some((value) => value !== 0),
      change: changeOf(now, before),
      total: doubleOf(now),
    }
  })
}

function paymentsOf(charges: readonly Charge[]): Charge[] {
  return charges.filter(({ isRefund }) => !isRefund)
}

function usersOf(charges: readonly Charge[]): number {
  return new Set(charges.map(({ event }) => event.telegram_id)).size
}

function sumOf(charges: readonly Charge[]): bigint {
  return charges.reduce((sum, { amount }) => sum + amount, 0n)
}

export function netOf(charges: readonly Charge[]): bigint {
  return charges.reduce((sum, { amount, isRefund }) => (isRefund ? sum - amount : sum + amount), 0n)
}

const ONE = 10n ** BigInt(DECIMALS)

function counted(count: number): Figure {
  return { part: BigInt(count) * ONE, users: 1 }
}

function doubleOf({ part, users }: Figure): number {
  return users === 0 ? 0 : toNumber(part, users)
}

/** Enough digits that what is cut off does not matter. */
export function toNumber(part: bigint, users = 1): number {
  return Number(`${(part * ONE) / BigInt(users)}e-${2 * DECIMALS}`) + 0
}

/** Halves away from zero. */
function roundedOf({ part, users }: Figure): number {
  return users === 0 ? 0 : Number(dividedBy(part, BigInt(users) * ONE))
}

function changeOf(now: Figure, before: Figure): number {
  const [is, was] = [now, before].map(({ part, users }) => (users === 0 ? 0n : part)) as [bigint, bigint]
  if (was === 0n) return is === 0n ? 0 : is > 0n ? 100 : -100
  const [current, former] = [is * BigInt(before.users || 1), was * BigInt(now.users || 1)]
  return Number(dividedBy(100n * (current - former), former < 0n ? -former : former))
}

/** Divides by a number above zero, to the nearest whole number. */
export function dividedBy(part: bigint, whole: bigint): bigint {
  const size = part < 0n ? -part : part
  const quotient = (2n * size + whole) / (2n * whole)
  return part < 0n ? -quotient : quotient
}
