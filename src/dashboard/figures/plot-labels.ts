import type { TrendInterval } from '../../base/time/divided-period.ts'
import { endsToday, hasOpenInterval, type View } from '../request/address.ts'
import { type Clock, toMoment, toTime, toWeekday } from '../words/format.ts'

/** How a plot names days. */
export function dayLabels(labels: readonly string[], view: View) {
  return { of: 'Day', labels, toLabel: toWeekday, isOpen: endsToday(view) }
}

interface LabelledIntervals {
  readonly interval: TrendInterval
  /** The first days of the intervals; for hours, the moments at which they begin. */
  readonly labels: readonly string[]
}

/** How a plot names intervals of any length. */
export function intervalLabels({ interval, labels }: LabelledIntervals, view: View, clock: Clock) {
  const isOpen = isLastOpen(view, interval)
  if (interval !== 'hour') return { of: 'From', labels, toLabel: toWeekday, isOpen }
  return {
    of: 'Hour',
    labels,
    isOpen,
    toLabel: (label: string) => toMoment(label, clock).slice(0, -':00'.length),
    toMark: (label: string) => toTime(label, clock).slice(0, -':00'.length),
  }
}

/** Whether the last interval of a view that has figures is not over. */
export function isLastOpen(view: View, interval: TrendInterval): boolean {
  return interval === 'hour' ? endsToday(view) : hasOpenInterval(view, interval)
}

/** Hours that have not begun have no figure; of a day, none is to come. */
export function untilNow<T>(labels: readonly string[], data: readonly T[], { now }: Clock): (T | null)[] {
  return data.map((value, place) => (Date.parse(labels[place] ?? '') > now ? null : value))
}
