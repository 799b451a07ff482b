import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 10_000
/** Questions and imports may keep the runtime from answering for a while, but never for a minute. */
const SILENCES = 6

/** The runtime's program, which Miniflare installs. */
export function runtimeProgram(): string {
  return createRequire(import.meta.resolve('miniflare'))('workerd').default
}

/** Call this before the runtime starts: Miniflare hides its process. Returns a function that returns the running one. */
export function followRuntime(): () => ChildProcess | undefined {
  let started: ChildProcess[] = []
  subscribe('child_process', (message) => {
    // Its file is not known yet.
    started = [...started.filter(isRunning), (message as { process: ChildProcess }).process]
  })
  const program = process.env.MINIFLARE_WORKERD_PATH ?? runtimeProgram()
  return () => started.findLast((one) => one.spawnfile === program && isRunning(one))
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

interface Watching {
  /** Asks the runtime once. It is silent if it has not answered when the signal ends. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  /** Ends the runtime; Miniflare starts another one. */
  readonly end: () => void
  readonly everyMs?: number
  readonly silences?: number
}

/**
 * Ends a runtime that was silent this many times in a row. Requests are counted instead of seconds, because a machine that sleeps
 * is not silent. Returns a function that ends the watch.
 */
export function watchRuntime({ ask, end, everyMs = EVERY_MS, silences = SILENCES }: Watching): () => void {
  const watch = new AbortController()
  const { signal } = watch
  const run = async () => {
    for (let silent = 0; !signal.aborted; ) {
      const answers = ask(AbortSignal.any([signal, AbortSignal.timeout(everyMs)])).then(
        () => true,
        () => false,
      )
      await sleep(everyMs, undefined, { ref: false, signal })
      silent = (await answers) ? 0 : silent + 1
      if (silent < silences) continue
      console.error(`The runtime has not answered for ${(silences * everyMs) / 1000} s: it is ended and started again.`)
      silent = 0
      end()
    }
  }
  run().catch((error) => {
    if (!signal.aborted) throw error
  })
  return () => watch.abort()
}

/** Any answer shows that the runtime works. */
export async function askHealth(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${url}/health`, { headers: { connection: 'close' }, signal })
  await response.arrayBuffer()
}
