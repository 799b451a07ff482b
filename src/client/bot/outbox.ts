import { createRetrying } from './retrying.ts'
import { type Answer, explain, isPassing, refusedPlaces, type Service } from './service.ts'
import { reasonOf, type Warn } from './warning.ts'

/** Events that wait to be sent, each as JSON. They wait in memory only. */
export interface Outbox {
  add(event: string): void
  /** Loses the oldest. */
  dropOldest(): void
  readonly size: number
  readonly dropped: number
  /** Milliseconds until the service may be asked again. */
  waitMs(): number
  /** Ends that wait. */
  retryNow(): void
  /** Sends the oldest of them in one request. Never rejects. What the service takes or refuses waits no longer. */
  sendBatch(): Promise<void>
}

export interface OutboxOptions {
  readonly service: Service
  readonly warn: Warn
  /** Events in a request at most. */
  readonly batch: number
}

export function createOutbox({ service, warn, batch }: OutboxOptions): Outbox {
  const retrying = createRetrying()
  let waiting: string[] = []
  let dropped = 0
  /** As many as the service takes of this key, and as many as the next request holds. */
  let most = batch
  let size = batch

  /** They stay until an answer says what became of them: where a runtime ends a request in the middle, nothing is lost. */
  function remove(events: readonly string[]): void {
    const gone = new Set(events)
    waiting = waiting.filter((event) => !gone.has(event))
  }

  function refuse(events: readonly string[], answer: Answer): void {
    remove(events)
    dropped += events.length
    warn('refused', `the service refuses events (${explain(answer)}). They are dropped.`)
  }

  function settle(sent: readonly string[], answer: Answer): void {
    if (isPassing(answer)) {
      retrying.failed(answer.retryAfterMs)
      warn('unreachable', `the service does not take events right now (${explain(answer)}). They wait.`)
      return
    }
    retrying.succeeded()
    if (answer.status === 200) {
      remove(sent)
      size = most
      return
    }
    const places = new Set(refusedPlaces(answer))
    const refused = sent.filter((_, place) => places.has(place))
    const isTooLarge = (answer.status === 413 || answer.status === 422) && refused.length === 0
    if (isTooLarge && sent.length > 1) {
      size = Math.ceil(sent.length / 2)
      // Too many for the key; too many bytes are these events alone.
      if (answer.status === 422) most = size
      return
    }
    refuse(refused.length > 0 ? refused : sent, answer)
    size = most
  }

  return {
    add: (event) => void waiting.push(event),
    dropOldest() {
      waiting.shift()
      dropped += 1
    },
    get size() {
      return waiting.length
    },
    get dropped() {
      return dropped
    },
    waitMs: retrying.waitMs,
    retryNow: retrying.succeeded,
    async sendBatch() {
      const sent = waiting.slice(0, size)
      const answer = await service.collect(sent).catch((error) => {
        retrying.failed()
        warn('unreachable', `the service cannot be reached (${reasonOf(error)}). Events wait.`)
      })
      if (answer) settle(sent, answer)
    },
  }
}
