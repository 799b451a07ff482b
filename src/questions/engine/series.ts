import { toDate } from '../../base/time/days.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import { type AnyFraction, type Fraction, rounded, wholePercentChange } from './change.ts'
import type { LabelSeries, NumberSeries } from './contract.ts'

export interface Labels {
  readonly name: string
  readonly data: readonly string[]
  readonly keyValue: number
}

export function toLabelSeries({ name, data, keyValue }: Labels): LabelSeries {
  const { length } = data
  return { name, data_type: 'time_series', data: [...data], length, key_value: keyValue, empty: length === 0 }
}

/** The days of a period. */
export function toDateSeries(period: Period): LabelSeries {
  const days = daysIn(period).map(toDate)
  return toLabelSeries({ name: 'date', data: days, keyValue: days.length })
}

export interface Figures<Headline = AnyFraction> {
  readonly name: string
  readonly data: readonly number[]
  readonly headline: Headline
  /** The headline of the preceding period. */
  readonly before: Headline
}

export function toNumberSeries({ name, data, headline, before }: Figures): NumberSeries {
  return {
    name,
    data_type: 'time_series',
    data: [...data],
    length: data.length,
    key_value: rounded(headline),
    empty: data.every((value) => value === 0),
    change: wholePercentChange(headline, before),
  }
}

/** A headline that counts something. */
export function countOf(part: number): Fraction {
  return { part, whole: 1 }
}
