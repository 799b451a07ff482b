import { boundsOf, type Interval } from '../../base/time/intervals.ts'
import type { View } from '../request/address.ts'
import { toFigure } from '../words/format.ts'

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
export function usersText(total: string, data: readonly (number | null)[], view: View, interval?: Interval): string {
  const average = interval ? averageOf(data, view, interval) : null
  return average === null ? `${total} in the period` : `${toFigure(average)} per ${interval}, ${total} in the period`
}

interface Total {
  readonly key_value: number
  readonly total?: number | null | undefined
}

/** The figure of the whole period; null without numeric values. */
export function wholeOf({ key_value: value, total }: Total): number | null {
  return total === undefined ? value : total
}
