import { bodyOf, refusedOf } from './batch.ts'
import { attempt, say } from './console.ts'
import type { Sender } from './messenger.ts'
import { persist } from './requests.ts'
import type { Kept } from './storage.ts'

/** How long events are gathered. */
const GATHER_MS = 2000
const MAX_BATCH = 50
/** So many wait while the service does not answer. */
const MAX_WAITING = 500
/** A body of 64 KiB may outlive its page; what the page itself sends in that way has a little left. */
const KEEPALIVE_BYTES = 60_000

export interface Sending {
  /** Takes events to be sent: new ones, or such as go before all others. */
  gather(events: readonly object[], isFirst?: boolean): void
  /** Sends what waits, now; settles when all was tried once. */
  flush(): Promise<void>
  /** From now on events wait for the next start of the page. */
  stop(): void
  /** How many events are lost. */
  readonly dropped: number
}

/**
 * Sends events in batches, one at a time; an event waits until a 200, on the device as well. While the service does not
 * answer, which is from a failure to the next attempt, and after a 401, at most 500 wait. While it answers, however slowly,
 * there is no bound, so that no burst loses anything.
 *
 * @param key Of this page alone: `[milliseconds of the last change, event, event, …]` is kept there.
 * @param isOut Whether the person wants nothing sent, as they may have said in another tab.
 */
export function createSending(
  kept: Kept,
  key: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  sender: Sender,
  isOut: () => unknown,
): Sending {
  /** Oldest first, without what is said of their user, of whom nothing but the id is kept on the device. */
  let waiting: object[] = []
  let batch: object[] = []
  let dropped = 0
  let isGathering = false
  let isTurn = false
  let isFlying = false
  let isAway = false
  let isStopped = false
  /** Whether also a batch that is not full is to go. */
  let isDue = false
  const settle: (() => void)[] = []

  function lose({ length }: readonly object[]): void {
    dropped += length
    if (length) say('events dropped')
  }

  /** What is recorded in one turn of the page is kept, and goes out, together. */
  function endTurn(): void {
    isTurn = false
    if (isOut()) waiting = []
    if (isAway || isStopped) lose(waiting.splice(0, waiting.length - MAX_WAITING))
    const { length } = waiting
    attempt(() => kept.set(key, length ? JSON.stringify([Date.now(), ...waiting]) : null), say)
    isDue = length > 0 && (isDue || document.hidden)
    if (!isFlying && !isStopped && (isDue || length >= MAX_BATCH)) fly()
    if (!isFlying || isAway) for (const resolve of settle.splice(0)) resolve()
  }

  async function fly(): Promise<void> {
    isFlying = true
    const [status, text] = await persist(url, makeRequest, () => {
      isAway = true
      endTurn()
    })
    isFlying = isAway = false
    if (status === 401) isStopped = true
    else if (status) {
      const done = status === 200 ? batch : refusedOf(text, batch)
      waiting = waiting.filter((event) => !done.includes(event))
      if (status !== 200) {
        // What the service has not named goes out again.
        isDue = true
        lose(done)
      }
    }
    endTurn()
  }

  function makeRequest(): RequestInit | undefined {
    isAway = false
    batch = isOut() ? [] : waiting.slice(0, MAX_BATCH)
    while (batch[0]) {
      const body = bodyOf(sender, batch, Date.now())
      const keepalive = new Blob([body]).size <= KEEPALIVE_BYTES
      if (keepalive || !batch[1]) {
        isDue = isDue && waiting.length > batch.length
        return { method: 'POST', headers, body, keepalive }
      }
      batch.splice(batch.length / 2)
    }
    return undefined
  }

  function flush(): Promise<void> {
    return new Promise((resolve) => {
      settle.push(resolve)
      isDue = true
      endTurn()
    })
  }

  return {
    gather(events, isFirst) {
      waiting[isFirst ? 'unshift' : 'push'](...events)
      if (!isGathering)
        setTimeout(() => {
          isGathering = false
          flush()
        }, GATHER_MS)
      isGathering = true
      if (!isTurn) queueMicrotask(endTurn)
      isTurn = true
    },
    flush,
    stop() {
      isStopped = true
    },
    get dropped() {
      return dropped
    },
  }
}
