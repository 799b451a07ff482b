import { bodyOf, refusedOf } from './batch.ts'
import { attempt, say } from './console.ts'
import type { Sender } from './messenger.ts'
import { persist } from './requests.ts'
import type { Kept } from './storage.ts'

/** How long events are gathered. */
const GATHER_MS = 2000
const MAX_BATCH = 50
/** The most events that wait while the service does not respond. */
const MAX_WAITING = 500
/** Browsers let 64 KiB outlive a page; this leaves a little for the page's own requests. */
const KEEPALIVE_BYTES = 60_000

export interface Sending {
  /** Takes events to send; `isFirst` puts them before all others. */
  gather(events: readonly object[], isFirst?: boolean): void
  /** Sends all waiting events now; settles when each was tried once. */
  flush(): Promise<void>
  /** From now on, events wait for the next start of the page. */
  stop(): void
  /** How many events are lost. */
  readonly dropped: number
}

/**
 * Sends events in batches, one at a time. An event waits, also on the device, until a 200. At most 500 wait after a 401, and from
 * a failure to the next attempt. Otherwise there is no limit, so that no burst loses events.
 *
 * @param key Only this page's: stores `[milliseconds of the last change, event, event, …]`.
 * @param isOut Whether the person has opted out, perhaps in another tab.
 */
export function createSending(
  kept: Kept,
  key: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  sender: Sender,
  isOut: () => unknown,
): Sending {
  /** Oldest first, without properties of the user: the device stores only their id. */
  let waiting: object[] = []
  let batch: object[] = []
  let dropped = 0
  let isGathering = false
  let isTurn = false
  let isFlying = false
  let isAway = false
  let isStopped = false
  /** Whether to send a batch that is not full. */
  let isDue = false
  const settle: (() => void)[] = []

  function lose({ length }: readonly object[]): void {
    dropped += length
    if (length) say('events dropped')
  }

  /** Stores and sends together what was recorded in one turn of the event loop. */
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
        // Events that the refusal does not name are sent again.
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
