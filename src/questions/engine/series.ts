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

export interface Figures<Headline = AnyFraction, Figure extends number | null = number> {
  readonly name: string
  readonly data: readonly Figure[]
  readonly headline: Headline
  /** The headline of the preceding period. */
  readonly before: Headline
}

/** Converts figures to a series, which is `empty` if each figure is null or 0. */
export function toNumberSeries<Figure extends number | null>({
  name,
  data,
  headline,
  before,
}: Figures<AnyFraction, Figure>): Omit<NumberSeries, 'data'> & { data: Figure[] } {
  return {
    name,
    data_type: 'time_series',
    data: [...data],
    length: data.length,
    key_value: rounded(headline),
    empty: data.every((value) => value === null || value === 0),
    change: wholePercentChange(headline, before),
  }
}

/** A headline that is a count. */
export function countOf(part: number): Fraction {
  return { part, whole: 1 }
}
