import { applicationOf } from '../../access/access.ts'
import { toDouble } from '../../base/decimal.ts'
import type { Period } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { nameOf } from '../groups.ts'
import { question } from '../operation.ts'
import type { Asking } from '../question.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { toDateSeries } from '../series.ts'
import { getRevenue, NOTHING_PAID_CURRENCY } from './contract.ts'
import { askForCurrencies, type RevenueCurrencies, revenueCurrenciesReport } from './currencies.ts'
import { toSeries } from './figures.ts'
import { groupGrossReport } from './largest-groups.ts'
import type { ChargesQuery, RevenueQuery } from './query.ts'
import { askForRevenue, revenueReport } from './revenue.ts'

export const getRevenueRoute = question(
  getRevenue,
  async ({ query: params }, asking) => {
    const { id } = applicationOf(asking.access)
    const { rules } = await readRevenueRules(asking.db, id)
    const [grouped] = params.group_by
    const { period, before } = asking
    const { filters, currency = null } = params
    const asked = { rules, filters, currency, groupBy: grouped?.property ?? null, ...period, before }
    return { ...(await answerRevenue(asked, asking)), groupBy: grouped?.name ?? '', ...SUCCESS }
  },
  { reports: [revenueReport, revenueCurrenciesReport, groupGrossReport] },
)

/** A question about revenue; the currency is null for the one with the most payments. */
type AskedRevenue = Omit<RevenueQuery, 'currency' | 'groups'> & { readonly currency: string | null }

export async function answerRevenue(asked: AskedRevenue, asking: Asking) {
  const { currencies, ...found } = await answerCurrencies(asked, asked.currency, asking)
  const { all, groups, active } = await askForRevenue({ ...asked, currency: found.currency, groups: null }, asking)
  return {
    xValues: toDateSeries(asked),
    yValues: toSeries(all, active),
    ...found,
    currencies,
    groups: groups.map((group) => ({ name: nameOf(group.values), yValues: toSeries(group, active) })),
  }
}

/** The currencies of a period, and the one that an answer is about. */
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
