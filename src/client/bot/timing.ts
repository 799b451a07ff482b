/** A timer that is this late is gone: some runtimes end a request's timers with the request. */
const GONE_AFTER_MS = 1_000

/** Calls once, some time from now. Does not keep a process alive. */
export function createTimer(call: () => void) {
  let timer: unknown
  let due = Number.POSITIVE_INFINITY
  const clear = () => {
    clearTimeout(timer as number)
    due = Number.POSITIVE_INFINITY
  }
  return {
    /** Calls after this many milliseconds, or earlier if it was already set to that. */
    set(ms: number) {
      const now = Date.now()
      if (due <= now + ms && now <= due + GONE_AFTER_MS) return
      clear()
      due = now + ms
      timer = startUnreferenced(() => {
        clear()
        call()
      }, ms)
    },
    clear,
  }
}

/** Starts a timer that does not keep the process alive, in the way of each runtime that needs one. */
function startUnreferenced(call: () => void, ms: number): unknown {
  const timer: unknown = setTimeout(call, ms)
  const { Deno } = globalThis as { Deno?: { unrefTimer?(timer: unknown): void } }
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  else Deno?.unrefTimer?.(timer)
  return timer
}

/** The work calls `report` whenever it makes progress. */
type Work = (report: () => void) => Promise<void>

/**
 * Returns a function that runs the work, after any run before it. It does not wait for a run that has not reported for
 * `stalledAfterMs`: runtimes of short requests end whatever a request started, and its promises never settle.
 */
export function oneAtATime(work: Work, stalledAfterMs: number): () => Promise<void> {
  let running: { done: Promise<void>; reportedAt: number } | null = null
  const stalledInMs = () => (running ? running.reportedAt + stalledAfterMs - Date.now() : 0)

  async function start(): Promise<void> {
    const mine = { done: Promise.resolve(), reportedAt: Date.now() }
    running = mine
    mine.done = work(() => {
      mine.reportedAt = Date.now()
    }).finally(() => {
      if (running === mine) running = null
    })
    await mine.done
  }

  return async () => {
    while (running && stalledInMs() > 0) await soonest(running.done, stalledInMs())
    await start()
  }
}

/** Settles with the promise, or after this many milliseconds. */
async function soonest(promise: Promise<void>, ms: number): Promise<void> {
  let timer: unknown
  const late = new Promise<void>((resolve) => {
    timer = startUnreferenced(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer as number)
}

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
