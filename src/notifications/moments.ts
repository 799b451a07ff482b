import { calendarOf } from '../base/time/calendar.ts'
import { MS_PER_HOUR } from '../base/time/days.ts'
import { hoursOf } from '../base/time/hours.ts'
import { weekdayOf } from '../base/time/intervals.ts'
import type { DigestRule, SubscriptionRule } from '../storage/subscription.ts'

/** Figures of a day are complete a minute after it. */
const AFTER_THE_HOUR_MS = 4 * 60_000
/** Less than the time between two runs of cron, so that each one checks. */
const CHECK_EVERY_MS = 4 * 60_000
const MAX_DAYS_AHEAD = 9

/** When a subscription that is checked now is due next. Reports change by the hour at most; the rest is checked by every run of cron. */
export function nextDue(rule: SubscriptionRule, now: number): number {
  if (rule.type === 'digest') return nextDigestAt(rule, now)
  if ('question' in rule) return (Math.floor(now / MS_PER_HOUR) + 1) * MS_PER_HOUR + AFTER_THE_HOUR_MS
  return now + CHECK_EVERY_MS
}

/**
 * The first moment after `now` at which local clocks show this hour, for weekly digests on a Monday. If the hour comes twice, it is the
 * first one; if clocks skip it, the first moment after it.
 */
export function nextDigestAt({ every, hour, time_zone: timeZone }: Omit<DigestRule, 'type'>, now: number): number {
  const calendar = calendarOf(timeZone)
  const today = calendar.dayOf(now)
  for (let day = today; day <= today + MAX_DAYS_AHEAD; day++) {
    const at = hoursOf(calendar, day).find((local) => local.hour >= hour)?.from ?? calendar.startOf(day + 1)
    if (at > now && (every === 'daily' || weekdayOf(day) === 0)) return at
  }
  throw new Error(`No ${hour} o'clock in ${timeZone}`)
}
