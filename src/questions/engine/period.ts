import { z } from '@hono/zod-openapi'
import { calendarOfCaller } from '../../access/access.ts'
import type { Fault } from '../../base/errors.ts'
import { countIntervals, type Interval } from '../../base/time/intervals.ts'
import {
  DATE_PATTERN,
  DEFAULT_PERIOD_DAYS,
  MAX_PERIOD_DAYS,
  type Period,
  parseDate,
  resolvePeriod,
} from '../../base/time/period.ts'
import type { RequestContext } from '../../http/context.ts'
import { issue, reject } from '../../http/params.ts'

/** A calendar day in a query, `YYYYMMDD`, as days since 1970 UTC. */
export const dateParam = z
  .string()
  .transform(
    (value, context) => parseDate(value) ?? reject(context, issue('value_error', 'Input should be a day as YYYYMMDD')),
  )
  .openapi({ type: 'string', pattern: `^${DATE_PATTERN}$`, example: '20261120' })

/** What the reference says of a period's first day. */
export const ABOUT_START = `First day, \`YYYYMMDD\`. Defaults to ${DEFAULT_PERIOD_DAYS - 1} days before the end`

/** The parameters of a period. */
export const periodParams = {
  start: dateParam.optional().openapi({ description: `${ABOUT_START}.` }),
  end: dateParam.optional().openapi({
    description: `Last day, \`YYYYMMDD\`, inclusive. Defaults to today. A period has at most ${MAX_PERIOD_DAYS} days.`,
  }),
}

type Query = Readonly<Record<string, string>>
/** The caller whose calendar, and the moment, determine today. */
export type Asker = Pick<RequestContext, 'access' | 'now'>

/** The faults of a query's period. Malformed days are reported by their own parameters. */
export function periodFaults(query: Query, context: Asker): Fault[] {
  return periodFaultsOf(query, context, tooManyDays)
}

/** The faults of a query's period with another limit on its length: `problemOfLength` returns the message, or null. */
export function periodFaultsOf(
  { start, end }: Query,
  { access, now }: Asker,
  problemOfLength: (period: Period) => string | null,
): Fault[] {
  const [first, last] = [start, end].map((text) => (text === undefined ? undefined : parseDate(text)))
  if (first === null || last === null) return []
  const period = resolvePeriod({ start: first, end: last }, calendarOfCaller(access).dayOf(now))
  const problem = period.from > period.to ? 'Input should not be after the end of the period' : problemOfLength(period)
  return problem === null ? [] : [{ loc: ['query', 'start'], msg: problem, type: 'value_error' }]
}

/** The most intervals of a period that is extended to whole ones. */
export const MAX_INTERVALS: Readonly<Record<Interval, number>> = { day: MAX_PERIOD_DAYS, week: 53, month: 24 }

/** The message for a period that has too many intervals, or null. */
export function problemOfLength(period: Period, interval: Interval): string | null {
  const max = MAX_INTERVALS[interval]
  return countIntervals(period, interval) <= max ? null : `The period should have at most ${max} ${interval}s`
}

function tooManyDays({ from, to }: Period): string | null {
  return to - from < MAX_PERIOD_DAYS ? null : `The period should have at most ${MAX_PERIOD_DAYS} days`
}
