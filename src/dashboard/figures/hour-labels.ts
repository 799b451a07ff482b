import { type Clock, toMoment, toTime } from '../words/format.ts'

/** How a plot names hours. */
export function hourLabels(labels: readonly string[], clock: Clock) {
  return {
    of: 'Hour',
    labels,
    toLabel: (label: string) => toMoment(label, clock).slice(0, -':00'.length),
    toMark: (label: string) => toTime(label, clock).slice(0, -':00'.length),
  }
}

/** Hours that have not begun have no figure; of a day, none is to come. */
export function untilNow<T>(labels: readonly string[], data: readonly T[], { now }: Clock): (T | null)[] {
  return data.map((value, place) => (Date.parse(labels[place] ?? '') > now ? null : value))
}
