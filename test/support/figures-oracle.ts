import { dayIn } from './zones.ts'

/** What a brute-force computation needs to know of an event. */
export interface PlainEvent {
  readonly event_type: string
  readonly telegram_id: number
  /** Milliseconds since 1970 UTC. */
  readonly datetime: number
  readonly is_premium?: boolean
}

/** The figures of one day of a time zone, counted event by event as docs/rules.md (1, 3) has them. Ties within an instant must not matter. */
export function figuresOf(day: number, events: readonly PlainEvent[], timeZone = 'UTC') {
  const dayOf = ({ datetime }: PlainEvent) => dayIn(datetime, timeZone)
  const onDay = events.filter((event) => dayOf(event) === day)
  const inMonth = events.filter((event) => dayOf(event) <= day && dayOf(event) > day - 30)
  const users = distinct(onDay.map(userOf))
  const premium = users.filter((user) => lastOf(onDay.filter((event) => userOf(event) === user)).is_premium === true)
  return {
    day,
    active_users: users.length,
    monthly_active_users: distinct(inMonth.map(userOf)).length,
    new_users: users.filter((user) => dayOf(firstOf(events.filter((event) => userOf(event) === user))) === day).length,
    premium_users: premium.length,
    non_premium_users: users.length - premium.length,
    events: onDay.length,
  }
}

function userOf(event: PlainEvent): number {
  return event.telegram_id
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function firstOf(events: readonly PlainEvent[]): PlainEvent {
  return events.reduce((first, event) => (event.datetime < first.datetime ? event : first))
}

function lastOf(events: readonly PlainEvent[]): PlainEvent {
  return events.reduce((last, event) => (event.datetime > last.datetime ? event : last))
}
