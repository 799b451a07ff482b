import type { SentEvent } from './event-history.ts'
import { countUsers, type Filter, isCalled, noteHistory, passes } from './filter-oracle.ts'
import { hoursOfDay } from './local-hours.ts'
import { daysOf, type Period } from './series-oracle.ts'

/** Hours of the week as docs/rules.md (7) has them, hour by hour. Shares no code with the service. */

export interface HoursQuestion extends Period {
  readonly event: string
  readonly mode: 'uniques' | 'totals'
  readonly filters: readonly Filter[]
  /** When it is asked. */
  readonly now: number
}

export function answerHours(history: readonly SentEvent[], question: HoursQuestion) {
  noteHistory(history)
  const { event, mode, filters, now, timeZone = 'UTC' } = question
  const members = history.filter((one) => isCalled(one, event) && passes(one, filters))
  const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => [] as number[]))
  for (const day of daysOf(question)) {
    const weekday = (new Date(day * 86_400_000).getUTCDay() + 6) % 7
    for (const { from, to, hour } of hoursOfDay(day, timeZone).filter((one) => one.from <= now)) {
      const own = members.filter(({ datetime }) => datetime >= from && datetime < to)
      const figure = mode === 'totals' ? own.length : countUsers(own)
      cells[weekday]?.[hour]?.push(figure)
    }
  }
  return {
    data: cells.map((row) => row.map((all) => (all.length === 0 ? null : sumOf(all) / all.length))),
    hours: cells.map((row) => row.map(({ length }) => length)),
    time_zone: timeZone,
    status_code: 200,
    message: 'Success',
  }
}

function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0)
}
