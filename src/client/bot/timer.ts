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
export function startUnreferenced(call: () => void, ms: number): unknown {
  const timer: unknown = setTimeout(call, ms)
  const { Deno } = globalThis as { Deno?: { unrefTimer?(timer: unknown): void } }
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  else Deno?.unrefTimer?.(timer)
  return timer
}
