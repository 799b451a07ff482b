const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** A service that asks for more is asked again nevertheless. */
const LONGEST_ASKED_MS = 3_600_000

/** When something that failed may be tried again: when the service says so, else after growing pauses. */
export interface Retrying {
  /** Milliseconds from now; 0 where nothing has to be waited for. */
  waitMs(): number
  succeeded(): void
  failed(askedMs?: number | null): void
}

export function createRetrying(): Retrying {
  let failures = 0
  let until = 0
  return {
    waitMs: () => Math.max(0, until - Date.now()),
    succeeded() {
      failures = 0
      until = 0
    },
    failed(askedMs = null) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS)
      // Many bots lose the service at the same moment; they are not to come back at the same one.
      const ownMs = pauseMs * (0.75 + Math.random() / 2)
      until = Date.now() + (askedMs === null ? ownMs : Math.min(askedMs, LONGEST_ASKED_MS))
    },
  }
}
