import { applyD1Migrations, listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, vi } from 'vitest'

declare global {
  /** Vitest's console, shared by all files of a runtime. */
  var consoleOfTests: Console
  /** Once for all files that share a runtime. */
  var migration: Promise<unknown>
  /** Where files share a runtime, those of the ones before. */
  var objectsOfOthers: ReadonlySet<string>
}

globalThis.consoleOfTests ??= console

/**
 * What was written while a test ran, which is shown only where it fails: to hand each line to Vitest takes about as long as a small
 * request. And a line that an alarm writes while the file exchanges its last words with Vitest would be sent with the next word; there
 * is none, and Vitest would wait for ever (cloudflare/workers-sdk issue 15719).
 */
let written: (() => void)[] = []
const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const
const keep = (method: (typeof METHODS)[number]) => {
  return (...said: unknown[]) => void written.push(() => consoleOfTests[method](...said))
}
globalThis.console = Object.assign(
  Object.create(consoleOfTests),
  Object.fromEntries(METHODS.map((method) => [method, keep(method)])),
)

const databases = [env.DB, env.ACTIVITY_2, env.ACTIVITY_3]
globalThis.migration ??= Promise.all(databases.map((database) => applyD1Migrations(database, env.MIGRATIONS)))
await migration

// The next test is to find the clock, the console and all else as they are.
afterEach(({ task }) => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  if (task.result?.state === 'fail') for (const write of written) write()
  written = []
})

globalThis.objectsOfOthers = new Set((await listDurableObjectIds(env.APPLICATIONS)).map(String))

afterAll(async () => {
  // The next file that shares the runtime is to be alone in it.
  const ids = (await listDurableObjectIds(env.APPLICATIONS)).filter((id) => !objectsOfOthers.has(String(id)))
  await Promise.all(
    ids.map((id) => runInDurableObject(env.APPLICATIONS.get(id), (_, { storage }) => storage.deleteAlarm())),
  )
})
