import type { Columns, Span } from '../../columns/columns.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS, type Report } from '../engine/report.ts'
import { type DescribedEvent, describe } from '../events/described.ts'
import { createNewest, type EventIdentity } from '../events/newest.ts'
import type { TimelineCursor } from './contract.ts'
import { createSlots } from './sessions.ts'

/** A question for one page of a user's events, newest first. */
export interface UserEventsQuery {
  readonly telegramId: number
  /** The name of the events; null for all. */
  readonly event: string | null
  readonly limit: number
  /** Only events after this one in the list; null for the first page. */
  readonly before: TimelineCursor | null
}

interface UserEvent extends DescribedEvent {
  /** The number of the event's session, 1 for the user's first one ever. */
  readonly session: number
}

export interface UserEvents {
  /** Events, newest first. */
  readonly events: readonly UserEvent[]
  readonly hasMore: boolean
}

/** Reads a page of a user's events; null without events of the user. All events of a user are in one object. */
export const userEventsReport: Report<UserEventsQuery, UserEvents | null, UserEvents | null> = {
  name: 'events of a user',
  part: readUserEvents,
  result: (parts) => parts.find((part) => part !== null) ?? null,
}

function* readUserEvents(
  columns: Columns,
  query: UserEventsQuery,
  { pageCharacters } = BOUNDS,
): Generator<void, UserEvents | null> {
  const user = columns.userOf(query.telegramId)
  if (user === null) return null
  const span = yield* lifetimeOf(columns, user)
  if (span === null) return null
  const upTo = { from: span.from, to: Math.min(span.to, (query.before?.time ?? span.to) + 1) }
  const { slots, atCursor } = yield* readTimes(columns, user, { ...query, span: upTo })
  // One event more than shown tells whether there are more. Those at the cursor may all have been shown.
  const from = Math.max(upTo.from, slots.startOfLatest(query.limit + 1 + atCursor))
  const found = yield* findNewest(columns, user, { ...query, span: { from, to: upTo.to } })
  const events = firstWithin(pageCharacters, yield* describe(columns, found.slice(0, query.limit)))
  const sessions = slots.sessionsAt(events.map(({ time }) => time))
  return {
    events: events.map((event, index) => ({ ...event, session: sessions[index] as number })),
    hasMore: found.length > events.length,
  }
}

/** The first events that fit, at least one. */
function firstWithin(maxCharacters: number, events: readonly DescribedEvent[]): readonly DescribedEvent[] {
  let characters = 0
  const end = events.findIndex(({ params }, index) => {
    for (const [name, json] of params) characters += name.length + json.length
    return index > 0 && characters > maxCharacters
  })
  return end === -1 ? events : events.slice(0, end)
}

/**
 * The span from the day of the user's first event (or, if that is no longer stored, from the first event of anyone) to
 * the last event of anyone; null if nothing is stored any more.
 */
function* lifetimeOf(columns: Columns, user: number): Generator<void, Span | null> {
  const firstDays = yield* columns.firstDays()
  let [first, to] = [Number.POSITIVE_INFINITY, 0]
  for (const span of columns.names()) [first, to] = [Math.min(first, span.first), Math.max(to, span.last + 1)]
  const from = Math.max(first, columns.calendar.startOf(firstDays[user] as number))
  return from < to ? { from, to } : null
}

interface Reading extends Pick<UserEventsQuery, 'event' | 'before'> {
  readonly span: Span
}

/** Reads when the user had events, and how many of the events asked for are at the exact time of the cursor. */
function* readTimes(columns: Columns, user: number, { span, event, before }: Reading) {
  const { calendar } = columns
  const slots = createSlots(span)
  let atCursor = 0
  // Sessions consist of events of all names.
  for (let day = calendar.dayOf(span.from); day <= calendar.dayOf(span.to - 1); day++) {
    const midnight = calendar.startOf(day)
    for (const { times, codes, names } of columns.timelinesOf(day, { from: user, to: user + 1 })) {
      for (const [index, sinceMidnight] of times.entries()) {
        const time = midnight + sinceMidnight
        if (time < span.from || time >= span.to) continue
        const isWanted = Number(event === null || names[codes[index] as number] === event)
        slots.add(time, isWanted)
        if (time === before?.time) atCursor += isWanted
      }
    }
    yield
  }
  return { slots, atCursor }
}

interface Finding extends Omit<UserEventsQuery, 'telegramId'> {
  readonly span: Span
}

/** Finds the newest events: one more than shown, if there is one. */
function* findNewest(
  columns: Columns,
  user: number,
  { span, event, limit, before }: Finding,
): Generator<void, readonly EventIdentity[]> {
  const newest = createNewest(columns, limit + 1)
  const pace = createPace()
  for (const slice of columns.slicesOf(event, span)) {
    const { segment, from, to } = slice
    const { users } = segment
    const indexes: number[] = []
    for (let index = from; index < to; index++) {
      if (users[index] !== user) continue
      if (before && segment.times[index] === before.time && (segment.keys()[index] as number) >= before.key) continue
      indexes.push(index)
    }
    newest.add(slice, { indexes: Uint32Array.from(indexes), from: 0, to: indexes.length })
    if (pace.isDue(to - from)) yield
  }
  return newest.events()
}
