import { explain, isPassing, type MauveService, refusedPlaces, type ServiceAnswer } from './service.ts'
import { createRetrying } from './timing.ts'
import { reasonOf, type Warn } from './warning.ts'

interface OutboxOptions {
  readonly service: MauveService
  readonly warn: Warn
  /** The most events in a request. */
  readonly batch: number
}

/** Events that wait to be sent, each as JSON, in memory only. */
export function createOutbox({ service, warn, batch }: OutboxOptions) {
  const retrying = createRetrying()
  let waiting: string[] = []
  let dropped = 0
  /** The most that the service takes from this key, and the size of the next request. */
  let most = batch
  let size = batch

  /** Events stay until a response settles them, so nothing is lost if a runtime ends a request halfway. */
  function remove(events: readonly string[]): void {
    const gone = new Set(events)
    waiting = waiting.filter((event) => !gone.has(event))
  }

  function refuse(events: readonly string[], answer: ServiceAnswer): void {
    remove(events)
    dropped += events.length
    warn('refused', `the service refuses events (${explain(answer)}). They are dropped.`)
  }

  function settle(sent: readonly string[], answer: ServiceAnswer): void {
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
      // A 422 limits the key, a 413 only these events.
      if (answer.status === 422) most = size
      return
    }
    refuse(refused.length > 0 ? refused : sent, answer)
    size = most
  }

  return {
    add: (event: string) => void waiting.push(event),
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
    /** Milliseconds until the service may be asked again. */
    waitMs: retrying.waitMs,
    /** Ends that wait. */
    retryNow: retrying.succeeded,
    /** Sends the oldest events in one request. Never rejects. Events that the service takes or refuses no longer wait. */
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
