import type { SentEvent } from './event-history.ts'
import { compareTexts, countUsers, type Filter, noteHistory, passes } from './filter-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'

/** The names that occurred, as docs/rules.md (15) has them, computed event by event. Shares no code with the service. */

export interface NamesQuestion extends Period {
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  readonly offset: number
}

export function answerNames(events: readonly SentEvent[], question: NamesQuestion) {
  noteHistory(events)
  const { contains, filters, limit, offset } = question
  const names = [...Map.groupBy(events, ({ event_type }) => event_type)]
    .filter(([name]) => name.includes(contains))
    .map(([name, own]) => {
      const within = own.filter((event) => isIn(event.datetime, question) && passes(event, filters))
      const times = own.map(({ datetime }) => datetime)
      return {
        name,
        events: within.length,
        users: countUsers(within),
        first: Math.min(...times),
        last: Math.max(...times),
      }
    })
    .filter((counts) => counts.events > 0)
    .sort((a, b) => b.events - a.events || compareTexts(a.name, b.name))
  return { names: names.slice(offset, offset + limit), total: names.length }
}
