import type { DemoEvent } from './session.ts'

const EVENTS_A_REQUEST = 500
/** The service is kept busy while answers travel. */
const REQUESTS_AT_ONCE = 4

export interface Delivery {
  readonly send: (events: readonly DemoEvent[], signal: AbortSignal) => Promise<void>
  readonly onSent: (count: number) => void
  readonly signal: AbortSignal
}

/** Sends days of events in their order, a few requests at a time. The first failure ends the others and is thrown. */
export async function deliver(days: Iterable<DemoEvent[]>, { send, onSent, signal }: Delivery): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const requests = requestsOf(days)
  const work = async () => {
    for (const events of requests) {
      either.throwIfAborted()
      await send(events, either)
      onSent(events.length)
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => work().catch((error) => failed.abort(error))))
  failed.signal.throwIfAborted()
}

function* requestsOf(days: Iterable<DemoEvent[]>): Generator<DemoEvent[]> {
  let waiting: DemoEvent[] = []
  for (const events of days) {
    const all = [...waiting, ...events]
    const whole = all.length - (all.length % EVENTS_A_REQUEST)
    for (let from = 0; from < whole; from += EVENTS_A_REQUEST) yield all.slice(from, from + EVENTS_A_REQUEST)
    waiting = all.slice(whole)
  }
  if (waiting.length > 0) yield waiting
}
