import { toDouble } from '../../base/decimal.ts'
import type { Period } from '../../base/time/period.ts'
import { groupFields, nameOf, OTHER } from '../engine/groups.ts'
import type { Asking } from '../engine/report.ts'
import { toDateSeries } from '../engine/series.ts'
import { NOTHING_PAID_CURRENCY } from './contract.ts'
import { askForCurrencies, type RevenueCurrencies } from './currencies.ts'
import { toAdditiveSeries, toSeries } from './figures.ts'
import type { ChargesQuery, RevenueQuery } from './query.ts'
import { askForRevenue, withoutGroups } from './revenue.ts'

/** A question about revenue; the currency is null for the one with the most payments. */
type RevenueParams = Omit<RevenueQuery, 'currency' | 'groups'> & { readonly currency: string | null }

export async function answerRevenue(asked: RevenueParams, asking: Asking) {
  const { currencies, ...found } = await answerCurrencies(asked, asked.currency, asking)
  const { all, groups, total, active } = await askForRevenue(
    { ...asked, currency: found.currency, groups: null },
    asking,
  )
  const isCut = total !== null && total > groups.length
  const other = isCut ? { name: OTHER, yValues: toAdditiveSeries(withoutGroups(all, groups), active) } : null
  return {
    xValues: toDateSeries(asked),
    yValues: toSeries(all, active),
    ...found,
    currencies,
    groups: groups.map((group) => ({ name: nameOf(group.values), yValues: toSeries(group, active) })),
    ...groupFields({ total, other }),
  }
}

/** Finds the currencies of a period, and the one to answer in. */
export async function answerCurrencies(
  { rules, filters, from, to }: ChargesQuery & Period,
  wanted: string | null,
  asking: Asking,
) {
  const { currencies, skipped } = await askForCurrencies({ rules, filters, from, to }, asking)
  const currency = wanted ?? currencies[0]?.currency ?? NOTHING_PAID_CURRENCY
  return { currency, currencies: currencies.map(toWire), skipped }
}

function toWire({ currency, payments, net }: RevenueCurrencies['currencies'][number]) {
  return { currency, payments, net: toDouble(net) }
}
