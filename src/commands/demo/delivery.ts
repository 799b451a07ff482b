import { inOrder } from '../in-order.ts'
import type { DemoEvent } from './session.ts'

const EVENTS_A_REQUEST = 500
/** Keeps the service busy while answers travel. */
const REQUESTS_AT_ONCE = 4

interface Delivery {
  readonly send: (events: readonly DemoEvent[]) => Promise<void>
  readonly onSent: (count: number) => void
  readonly signal: AbortSignal
}

/** Sends days of events in their order, a few requests at a time. Throws the first failure. */
export function deliver(days: Iterable<DemoEvent[]>, { send, onSent, signal }: Delivery): Promise<void> {
  const work = async (events: readonly DemoEvent[]) => {
    signal.throwIfAborted()
    await send(events)
  }
  return inOrder(requestsOf(days), { atOnce: REQUESTS_AT_ONCE, work, done: ({ length }) => onSent(length) })
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
