/** A timer that is this late is gone: some runtimes end the timers of a request together with it. */
const GONE_AFTER_MS = 1_000

/** One call at a time, some time from now. It does not keep a process alive. */
export interface Timer {
  /** Calls in so many milliseconds, or earlier if it was set to that before. */
  set(ms: number): void
  clear(): void
}

export function createTimer(call: () => void): Timer {
  let timer: unknown
  let due = Number.POSITIVE_INFINITY
  const clear = () => {
    clearTimeout(timer as number)
    due = Number.POSITIVE_INFINITY
  }
  return {
    set(ms) {
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

/** Starts a timer that keeps no process alive; each runtime has a way of its own to say so, or keeps none alive by timers. */
export function startUnreferenced(call: () => void, ms: number): unknown {
  const timer: unknown = setTimeout(call, ms)
  const { Deno } = globalThis as { Deno?: { unrefTimer?(timer: unknown): void } }
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  else Deno?.unrefTimer?.(timer)
  return timer
}
