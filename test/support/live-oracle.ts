import type { SentEvent } from './event-history.ts'
import { countUsers, type Filter, noteHistory, passes } from './filter-oracle.ts'

/** Users active now as docs/rules.md (11) has it: after five minutes ago, up to now. Shares no code with the service. */
export function answerLive(
  history: readonly SentEvent[],
  { filters, now }: { filters: readonly Filter[]; now: number },
) {
  noteHistory(history)
  const isLive = ({ datetime }: SentEvent) => datetime > now - 5 * 60 * 1000 && datetime <= now
  const live = history.filter((event) => isLive(event) && passes(event, filters))
  return countUsers(live)
}
