import { boundsOf, type Interval } from '../../base/time/intervals.ts'
import type { View } from '../request/address.ts'
import { toFigure } from '../words/format.ts'
import type { Unit } from './declared.ts'

/** The mean of the intervals that are over; null if none is. */
export function averageOf(
  data: readonly (number | null)[],
  { period, today }: View,
  interval: Interval = 'day',
): number | null {
  const ends = period ? boundsOf(period, interval, today).slice(1) : []
  const over = data.slice(0, ends.filter((end) => end <= today).length)
  return over.length === 0 ? null : over.reduce<number>((sum, users) => sum + (users ?? 0), 0) / over.length
}

/** Shows users per interval beside those of the period: a period has fewer users than its intervals together. */
export function usersUnit({ toText }: Unit, data: readonly (number | null)[], view: View, interval?: Interval): Unit {
  const average = interval ? averageOf(data, view, interval) : null
  const perInterval = average === null ? '' : `${toFigure(average)} per ${interval}, `
  return { toText: (users) => `${perInterval}${toText(users)} in the period` }
}

interface Total {
  readonly key_value: number
  readonly total?: number | null | undefined
}

/** The figure of the whole period; null without numeric values. */
export function wholeOf({ key_value: value, total }: Total): number | null {
  return total === undefined ? value : total
}
