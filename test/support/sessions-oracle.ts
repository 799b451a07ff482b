import type { SentEvent } from './event-history.ts'
import { type Filter, noteHistory, passes } from './filter-oracle.ts'
import {
  changeOf,
  dateOf,
  daysOf,
  isIn,
  labelSeries,
  numberSeries,
  type Period,
  precedingPeriod,
  type Ratio,
  rounded,
} from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** Sessions as docs/rules.md (13) has them, counted event by event. Shares no code with the service. */

export interface SessionsQuestion extends Period {
  readonly filters: readonly Filter[]
}

/** The events of one visit of a user, in order. */
export type Session = readonly [SentEvent, ...SentEvent[]]

const HALF_AN_HOUR = 30 * 60 * 1000

/** The sessions of all users and all time. */
export function sessionsIn(events: readonly SentEvent[]): Session[] {
  const sessions: [SentEvent, ...SentEvent[]][] = []
  for (const own of Map.groupBy(events, ({ telegram_id }) => telegram_id).values()) {
    let latest: SentEvent | undefined
    for (const event of inOrder(own)) {
      const isLonely = latest === undefined || event.datetime > latest.datetime + HALF_AN_HOUR
      if (isLonely) sessions.push([event])
      else sessions.at(-1)?.push(event)
      latest = event
    }
  }
  return sessions
}

/** Sorts events by time, then by event key, which here is in the order of event ids. */
function inOrder(events: readonly SentEvent[]): SentEvent[] {
  return events.toSorted((a, b) => a.datetime - b.datetime || (a.event_id < b.event_id ? -1 : 1))
}

function lengthOf(session: Session): number {
  return (session.at(-1) as SentEvent).datetime - session[0].datetime
}

/** The sessions that begin in a period. */
function sessionsOfPeriod(events: readonly SentEvent[], { filters, ...period }: SessionsQuestion): Session[] {
  return sessionsIn(events).filter(([first]) => isIn(first.datetime, period) && passes(first, filters))
}

const FIGURES: readonly (readonly [name: string, figure: (sessions: readonly Session[]) => Ratio])[] = [
  ['average_session_length', (sessions) => ({ of: totalOf(sessions), per: 1000 * sessions.length })],
  ['sessions', (sessions) => ({ of: sessions.length, per: 1 })],
  ['sessions_per_user', (sessions) => ({ of: sessions.length, per: usersOf(sessions) })],
]

function totalOf(sessions: readonly Session[]): number {
  return sessions.reduce((sum, session) => sum + lengthOf(session), 0)
}

function usersOf(sessions: readonly Session[]): number {
  return new Set(sessions.map(([{ telegram_id }]) => telegram_id)).size
}

export function answerAverages(events: readonly SentEvent[], question: SessionsQuestion) {
  noteHistory(events)
  const { filters, timeZone } = question
  const now = sessionsOfPeriod(events, question)
  const before = sessionsOfPeriod(events, { filters, ...precedingPeriod(question) })
  const onDay = (day: number) => now.filter(([{ datetime }]) => dayIn(datetime, timeZone) === day)
  return {
    xValues: labelSeries('date', daysOf(question).map(dateOf)),
    yValues: FIGURES.map(([name, figure]) =>
      numberSeries({
        name,
        data: daysOf(question).map((day) => quotientOf(figure(onDay(day)))),
        key_value: rounded(figure(now)),
        change: changeOf(figure(now), figure(before)),
      }),
    ),
    time_zone: timeZone ?? 'UTC',
    status_code: 200,
    message: 'Success',
  }
}

function quotientOf({ of, per }: Ratio): number {
  return per === 0 ? 0 : of / per
}

export function answerLengths(events: readonly SentEvent[], question: SessionsQuestion) {
  noteHistory(events)
  const lengths = sessionsOfPeriod(events, question).map(lengthOf)
  const between = (least: number, most: number) =>
    lengths.filter((length) => length >= least * 1000 && length < most * 1000).length
  const filters = question.filters.map(({ prop, op, values }) => ({
    prop: prop.replace(/^(first\.)?utm$/, '$1start_parameter'),
    op,
    values: values.map(String),
  }))
  return {
    data: {
      filters,
      series: [[between(0, 5), between(5, 10), between(10, 60), between(60, 300), between(300, Number.MAX_VALUE)]],
      xValues: ['0-5 seconds', '5-10 seconds', '11-60 seconds', '1-5 minutes', '5+ minutes'],
    },
    status_code: 200,
    message: 'Success',
  }
}

/** The enterprise summary of the 30 days that end with this one. */
export function answerSummary(events: readonly SentEvent[], handle: string, lastDay: number, timeZone = 'UTC') {
  const period = { from: lastDay - 29, to: lastDay, timeZone }
  const within = events.filter(({ datetime }) => isIn(datetime, period))
  const users = Map.groupBy(inOrder(within), ({ telegram_id }) => telegram_id)
  const premium = [...users.values()].filter((own) => own.at(-1)?.is_premium === true).length
  const sessions = sessionsOfPeriod(events, { ...period, filters: [] })
  const visitors = [...Map.groupBy(sessions, ([{ telegram_id }]) => telegram_id).values()]
  const between = (least: number, most: number) =>
    visitors.filter((own) => totalOf(own) >= least * 1000 * own.length && totalOf(own) < most * 1000 * own.length)
      .length
  return {
    data: {
      premium_users: premium,
      non_premium_users: users.size - premium,
      zero_to_five_seconds: between(0, 5),
      five_to_ten_seconds: between(5, 10),
      eleven_to_sixty_seconds: between(10, 60),
      one_to_five_minutes: between(60, 300),
      five_plus_minutes: between(300, Number.MAX_VALUE),
    },
    handle,
    status_code: 200,
    message: 'Success',
  }
}
