const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** The longest that the service may ask to wait. */
const LONGEST_ASKED_MS = 3_600_000

/** When something that failed may be tried again: when the service says so, else after growing pauses. */
export function createRetrying() {
  let failures = 0
  let until = 0
  return {
    /** Milliseconds from now; 0 if it may be tried now. */
    waitMs: () => Math.max(0, until - Date.now()),
    succeeded() {
      failures = 0
      until = 0
    },
    failed(askedMs: number | null = null) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS)
      // Many bots lose the service at the same moment and should not return together.
      const ownMs = pauseMs * (0.75 + Math.random() / 2)
      until = Date.now() + (askedMs === null ? ownMs : Math.min(askedMs, LONGEST_ASKED_MS))
    },
  }
}
