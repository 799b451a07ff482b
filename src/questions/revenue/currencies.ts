import { subtract, ZERO } from '../../base/decimal.ts'
import { compareTexts } from '../../base/text/order.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE, openDictionary } from '../../columns/selection/dictionary.ts'
import { createLargest } from '../engine/largest.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { askInShares, createAnswer } from '../engine/shares.ts'
import { count, keyed, money, orTooMuch, record, same, type TotalOf, together } from '../engine/totals.ts'
import { MAX_CURRENCIES } from './contract.ts'
import { createDayChargeReader } from './day-charges.ts'
import { LaneSums } from './lane-sums.ts'
import { takeCharges } from './passes.ts'
import type { ChargesQuery, CurrenciesQuery } from './query.ts'

/** What was paid in a currency in a period. */
const currencyFigures = record({ currency: same<string>(), payments: count, net: money })

type CurrencyFigures = TotalOf<typeof currencyFigures>

export interface RevenueCurrencies {
  /** Currencies with the most payments first, ties by code. */
  readonly currencies: readonly CurrencyFigures[]
  /** Events that a rule matches but that have no valid amount, or no currency. */
  readonly skipped: number
}

const foundCurrencies = record({
  /** The currencies of a share; null if they are too many. */
  currencies: orTooMuch(keyed(({ currency }) => currency, currencyFigures)),
  skipped: count,
})

type FoundCurrencies = TotalOf<typeof foundCurrencies>

export const revenueCurrenciesReport: Report<CurrenciesQuery, FoundCurrencies, FoundCurrencies> = {
  name: 'currencies of revenue',
  part: countCurrencies,
  result: together(foundCurrencies),
}

/** Asks which currencies a period has. */
export async function askForCurrencies(query: ChargesQuery, { ask }: Pick<Asking, 'ask'>): Promise<RevenueCurrencies> {
  let skipped = 0
  const answers = await askInShares(async (share) => {
    const found = await ask(revenueCurrenciesReport, { ...query, share })
    skipped = found.skipped
    return found.currencies
  })
  const largest = createLargest<CurrencyFigures>(MAX_CURRENCIES, (a, b) => compareTexts(a.currency, b.currency))
  for (const figures of answers.flat()) largest.offer(figures.payments, () => figures)
  return { currencies: largest.items(), skipped }
}

function* countCurrencies(columns: Columns, query: CurrenciesQuery, bounds = BOUNDS): Generator<void, FoundCurrencies> {
  const dictionary = openDictionary(query.share, bounds.dictionary)
  const reader = createDayChargeReader({ columns, ...query, currency: null })
  const net = new LaneSums(0)
  const payments: number[] = []
  const slices = columns.slicesOf(reader.names, spanOf(columns.calendar, query))
  yield* takeCharges(reader, slices, ({ currency, isRefund, count, sum }) => {
    const ordinal = dictionary.ordinalOf([currency])
    if (ordinal === OUTSIDE) return
    net.addTo(ordinal, isRefund ? subtract(ZERO, sum) : sum)
    if (!isRefund) payments[ordinal] = (payments[ordinal] ?? 0) + count
  })
  const answer = createAnswer<CurrencyFigures>(bounds.answerCharacters)
  for (let ordinal = 0; ordinal < dictionary.count; ordinal++) {
    const currency = dictionary.valuesOf(ordinal)[0] as string
    answer.add([currency], { currency, payments: payments[ordinal] ?? 0, net: net.sumOf(ordinal) })
  }
  return { currencies: dictionary.isOverfull ? null : answer.items(), skipped: reader.skipped }
}
