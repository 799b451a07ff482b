import { history, type Span } from './history.ts'
import type { DemoEvent } from './session.ts'

const EVENTS_A_REQUEST = 500
/** The service is kept busy while answers travel. */
const REQUESTS_AT_ONCE = 4

export interface Delivery {
  readonly send: (events: readonly DemoEvent[], signal: AbortSignal) => Promise<void>
  readonly onSent: (count: number) => void
  readonly signal: AbortSignal
}

/** Sends a history, oldest day first, a few requests at a time. The first failure ends the others and is thrown. */
export async function deliver(span: Span, { send, onSent, signal }: Delivery): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const batches = batchesOf(span)
  const work = async () => {
    for (let next = batches.next(); !next.done; next = batches.next()) {
      either.throwIfAborted()
      await send(next.value, either)
      onSent(next.value.length)
    }
  }
  const workers = Array.from({ length: REQUESTS_AT_ONCE }, () => work().catch((error) => failed.abort(error)))
  await Promise.all(workers)
  failed.signal.throwIfAborted()
}

function* batchesOf(span: Span): Generator<DemoEvent[]> {
  for (const events of history(span)) {
    for (let from = 0; from < events.length; from += EVENTS_A_REQUEST) yield events.slice(from, from + EVENTS_A_REQUEST)
  }
}
