import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 10_000
/** A question or an import may keep the runtime from answering for a while, a minute is more than any of them. */
const SILENCES = 6

/** The program that is the runtime, as it comes with Miniflare. */
export function runtimeProgram(): string {
  return createRequire(import.meta.resolve('miniflare'))('workerd').default
}

/** Follows the runtime, whose process Miniflare keeps to itself; to be called before it starts. Returns the one that runs. */
export function followRuntime(): () => ChildProcess | undefined {
  let started: ChildProcess[] = []
  subscribe('child_process', (message) => {
    // It has no name yet.
    started = [...started.filter(isRunning), (message as { process: ChildProcess }).process]
  })
  const program = process.env.MINIFLARE_WORKERD_PATH ?? runtimeProgram()
  return () => started.findLast((one) => one.spawnfile === program && isRunning(one))
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

interface Watching {
  /** Asks the runtime once; it answers, or is silent when the signal ends. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  /** Ends the runtime. Miniflare starts another one. */
  readonly end: () => void
  readonly everyMs?: number
  readonly silences?: number
}

/**
 * Ends a runtime that answered nothing so many times in a row. Times are counted, not seconds: a machine that slept has not been
 * silent. Returns what ends the watch.
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

/** Any answer will do. */
export async function askHealth(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${url}/health`, { headers: { connection: 'close' }, signal })
  await response.arrayBuffer()
}
