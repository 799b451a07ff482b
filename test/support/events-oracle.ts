import type { SentEvent } from './event-history.ts'
import { CONTEXT_PROPERTIES, type Filter, noteHistory, passes, readProperty } from './filter-oracle.ts'
import { sessionsIn } from './sessions-oracle.ts'

/** Single events as docs/rules.md (15, 16) has them, computed event by event. Shares no code with the service. */

/** What every operation tells of an event. */
function tellEvent(event: SentEvent) {
  const fields = CONTEXT_PROPERTIES.filter((field) => field !== 'utm')
  return {
    name: event.event_type,
    time: new Date(event.datetime).toISOString(),
    context: Object.fromEntries(fields.map((field) => [field, readProperty(event, field)])),
    params: Object.fromEntries(Object.entries(event.params ?? {}).filter(([, value]) => value !== null)),
  }
}

/** Keys are in the order of ids in the columns of tests. */
function newestFirst(events: readonly SentEvent[]): SentEvent[] {
  return events.toSorted((a, b) => b.datetime - a.datetime || (a.event_id < b.event_id ? 1 : -1))
}

export interface LatestQuestion {
  /** Null for any event. */
  readonly event: string | null
  readonly filters: readonly Filter[]
  readonly limit: number
}

export function answerLatest(events: readonly SentEvent[], { event, filters, limit }: LatestQuestion) {
  noteHistory(events)
  return newestFirst(events)
    .filter((found) => (event === null || found.event_type === event) && passes(found, filters))
    .slice(0, limit)
    .map((found) => ({ ...tellEvent(found), telegram_id: found.telegram_id }))
}

/** Everything that a user did, newest first. */
export function answerUser(events: readonly SentEvent[], telegramId: number) {
  const sessions = sessionsIn(events.filter(({ telegram_id }) => telegram_id === telegramId))
  return sessions
    .flatMap((session, place) => session.map((event) => ({ ...tellEvent(event), session: place + 1 })))
    .toReversed()
}
