import { DAY_MS, type SentEvent } from './event-history.ts'
import { compareTexts, type Filter, noteHistory, passes } from './filter-oracle.ts'

/** The names that occurred, as docs/rules.md (15) has them, computed event by event. Shares no code with the service. */

export interface NamesQuestion {
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  readonly offset: number
  readonly from: number
  readonly to: number
}

export function answerNames(events: readonly SentEvent[], question: NamesQuestion) {
  noteHistory(events)
  const { contains, filters, limit, offset, from, to } = question
  const names = [...Map.groupBy(events, ({ event_type }) => event_type)]
    .filter(([name]) => name.includes(contains))
    .map(([name, own]) => {
      const within = own.filter(
        (event) => event.datetime >= from * DAY_MS && event.datetime < (to + 1) * DAY_MS && passes(event, filters),
      )
      const times = own.map(({ datetime }) => datetime)
      return {
        name,
        events: within.length,
        users: new Set(within.map(({ telegram_id }) => telegram_id)).size,
        first: Math.min(...times),
        last: Math.max(...times),
      }
    })
    .filter((counts) => counts.events > 0)
    .sort((a, b) => b.events - a.events || compareTexts(a.name, b.name))
  return { names: names.slice(offset, offset + limit), total: names.length }
}
