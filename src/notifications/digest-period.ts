import { toDate } from '../base/time/days.ts'
import { firstDayOf, intervalOf } from '../base/time/intervals.ts'
import { type Period, precedingPeriod } from '../base/time/period.ts'
import type { DigestRule } from '../storage/subscription.ts'
import type { Asked } from './asking.ts'
import { toDateWords, toShortDate, toWeekday } from './words.ts'

const WEEK_DAYS = 7

/** The days that a digest is about, those before that it compares them with, and what people call both. */
export interface DigestPeriod {
  readonly kind: 'today' | DigestRule['every']
  readonly period: Period
  readonly before: Period
  readonly when: string
  readonly whenBefore: string
}

type Clock = Pick<Asked, 'calendar' | 'context'>

/** A day of the application, or its last whole week. */
export function digestPeriod(kind: DigestPeriod['kind'], { calendar, context }: Clock): DigestPeriod {
  const today = calendar.dayOf(context.now)
  if (kind === 'weekly') {
    const monday = firstDayOf(intervalOf(today, 'week') - 1, 'week')
    const period = { from: monday, to: monday + WEEK_DAYS - 1 }
    const when = `${toShortDate(toDate(period.from))} to ${toShortDate(toDate(period.to))}`
    return { kind, period, before: precedingPeriod(period), when, whenBefore: 'the week before' }
  }
  const isOver = kind === 'daily'
  const day = isOver ? today - 1 : today
  const weekday = toWeekday(toDate(day))
  return {
    kind,
    period: { from: day, to: day },
    before: { from: day - WEEK_DAYS, to: day - WEEK_DAYS },
    when: `${toDateWords(toDate(day))}${isOver ? '' : ' so far'}`,
    whenBefore: `${isOver ? 'the' : 'on the whole'} ${weekday} before`,
  }
}
