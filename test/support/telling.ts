import type { SentEvent } from './event-history.ts'

/** What a person needs to see where an answer was wrong: the question, and what had happened, in the order of time. */
export function describeCase(events: readonly SentEvent[], question: unknown, path: string): string {
  const lines = events.toSorted((a, b) => a.datetime - b.datetime).map(toLine)
  return ['', path, toJson(question), ...lines, ''].join('\n')
}

function toLine({ event_id: _, datetime, telegram_id, event_type, ...said }: SentEvent): string {
  return `${new Date(datetime).toISOString()} ${telegram_id} ${toJson(event_type)} ${toJson(said)}`
}

const LONG = 60

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'string' && item.length > LONG ? shorten(item) : item))
}

function shorten(text: string): string {
  return `${text.slice(0, 10)}… ${text.length} characters …${text.slice(-3)}`
}
