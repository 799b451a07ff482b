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
globalThis.console = consoleOfTests

const databases = [env.DB, env.ACTIVITY_2, env.ACTIVITY_3]
globalThis.migration ??= Promise.all(databases.map((database) => applyD1Migrations(database, env.MIGRATIONS)))
await migration

// The next test is to find the clock, the console and all else as they are.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

globalThis.objectsOfOthers = new Set((await listDurableObjectIds(env.APPLICATIONS)).map(String))

afterAll(async () => {
  globalThis.console = silentConsole()
  // The next file that shares the runtime is to be alone in it.
  const ids = (await listDurableObjectIds(env.APPLICATIONS)).filter((id) => !objectsOfOthers.has(String(id)))
  await Promise.all(
    ids.map((id) => runInDurableObject(env.APPLICATIONS.get(id), (_, { storage }) => storage.deleteAlarm())),
  )
})

/**
 * A line that an alarm or a delivery writes while the file exchanges its last words with Vitest is sent with the next word.
 * There is none, and Vitest waits for ever (cloudflare/workers-sdk issue 15719).
 */
function silentConsole(): Console {
  return new Proxy(consoleOfTests, { get: () => () => undefined })
}
