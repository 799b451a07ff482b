import { toDate } from '../../base/time/days.ts'
import { precedingPeriod } from '../../base/time/period.ts'
import type { analyzeTrendsRoute } from '../../questions/trends/routes.ts'
import { endsToday, type View } from '../address.ts'
import type { AnswerTo } from '../application-request.ts'
import { previousSeries } from '../comparison.ts'
import { type Clock, toDay, toMoment, toTime } from '../format.ts'
import { Plot } from './plot.tsx'

export type Trends = AnswerTo<typeof analyzeTrendsRoute>

interface HourPlotShown {
  readonly title: string
  readonly view: View
  readonly clock: Clock
  readonly labels: readonly string[]
  readonly series: Trends['yValues'][number]
  readonly toText: (value: number) => string
  readonly unit?: 'percent'
}

/** A figure of a single day by hour, and of the day before. */
export function HourPlot({ title, view, clock, labels, series, toText, unit }: HourPlotShown) {
  const { data, compared } = series
  const before = view.period ? toDay(toDate(precedingPeriod(view.period).from)) : ''
  return (
    <Plot
      title={`${title} by hour`}
      kind="lines"
      {...hourLabels(labels, clock)}
      toText={toText}
      {...(unit && { unit })}
      isOpen={endsToday(view)}
      series={[
        { name: title, data: untilNow(labels, data, clock) },
        ...(compared
          ? [
              {
                name: previousSeries(view),
                data: compared,
                times: labels.map((label) => `${before}, ${toHour(label, clock)}`),
                isBefore: true,
              },
            ]
          : []),
      ]}
    />
  )
}

/** How a plot names hours. */
export function hourLabels(labels: readonly string[], clock: Clock) {
  return {
    of: 'Hour',
    labels,
    toLabel: (label: string) => toMoment(label, clock).slice(0, -':00'.length),
    toMark: (label: string) => toHour(label, clock),
  }
}

function toHour(label: string, clock: Clock): string {
  return toTime(label, clock).slice(0, -':00'.length)
}

/** Hours that have not begun have no figure; of a day, none is to come. */
export function untilNow<T>(labels: readonly string[], data: readonly T[], { now }: Clock): (T | null)[] {
  return data.map((value, place) => (Date.parse(labels[place] ?? '') > now ? null : value))
}
