import { changePercent } from './change.ts'
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

export interface Figures {
  readonly name: string
  readonly data: readonly number[]
  readonly keyValue: number
  /** The headline of the preceding period. */
  readonly before: number
}

export function toNumberSeries({ name, data, keyValue, before }: Figures): NumberSeries {
  return {
    name,
    data_type: 'time_series',
    data: [...data],
    length: data.length,
    key_value: keyValue,
    empty: data.every((value) => value === 0),
    change: wholePercentChange(keyValue, before),
  }
}

/** Rounded half away from zero. */
export function wholePercentChange(now: number, before: number): number {
  const percent = changePercent(now, before)
  return Math.sign(percent) * Math.round(Math.abs(percent)) + 0
}
