import { type Decimal, decimalOf, subtract, ZERO } from '../../base/decimal.ts'
import { percentChange, perEach, type Quotient, roundedQuotient, toNumber, wholeOf } from '../engine/quotient.ts'
import type { ActiveCounts } from './active-users.ts'
import type { MoneySeries } from './contract.ts'
import type { Revenue, RevenueCounts } from './counts.ts'

type FigureOf = (revenue: Revenue, active: number) => Quotient

/** The series of an answer, in order; `active` is the number of active users at the same time. */
const FIGURES: Readonly<Record<string, FigureOf>> = {
  net: (revenue) => wholeOf(netOf(revenue)),
  gross: ({ gross }) => wholeOf(gross),
  refunds: ({ refunds }) => wholeOf(refunds),
  payments: ({ payments }) => countOf(payments),
  payers: ({ payers }) => countOf(payers),
  new_payers: ({ newPayers }) => countOf(newPayers),
  arpu: (revenue, active) => ratioOf(netOf(revenue), active),
  arppu: (revenue) => ratioOf(netOf(revenue), revenue.payers),
}

function netOf({ gross, refunds }: Revenue): Decimal {
  return subtract(gross, refunds)
}

function countOf(count: number): Quotient {
  return wholeOf(decimalOf(BigInt(count)))
}

/** A sum per user; 0 without users. */
function ratioOf(sum: Decimal, users: number): Quotient {
  return users === 0 ? wholeOf(ZERO) : perEach(sum, users)
}

export function toSeries({ days, whole, before }: RevenueCounts, active: ActiveCounts): MoneySeries[] {
  return Object.entries(FIGURES).map(([name, figureOf]) => {
    const data = days.map((day, index) => numberOf(figureOf(day, active.days[index] ?? 0)))
    const total = figureOf(whole, active.whole)
    return {
      name,
      data_type: 'time_series',
      data,
      length: data.length,
      key_value: roundedQuotient(total),
      empty: data.every((value) => value === 0),
      change: percentChange(total, figureOf(before, active.before)),
      total: numberOf(total),
    }
  })
}

const ADDITIVE = ['net', 'gross', 'refunds', 'payments']

/** The figures that add up over groups. */
export function toAdditiveSeries(...counted: Parameters<typeof toSeries>): MoneySeries[] {
  return toSeries(...counted).filter(({ name }) => ADDITIVE.includes(name))
}

function numberOf(quotient: Quotient): number {
  return toNumber(quotient) ?? 0
}
