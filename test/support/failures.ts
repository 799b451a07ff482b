import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { app } from '../../src/app.ts'

/** Asks the worker as it is, with these bindings in place of its own, and waits for what it does after the answer. */
export async function requestWith(bindings: Partial<Env>, path: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext()
  const request = new Request(`https://mauve.test${path}`, init)
  const response = await app.fetch(request, { ...env, ...bindings }, context)
  await waitOnExecutionContext(context)
  return response
}

/** The database itself, and the statements that it is asked. */
export function recordedDatabase(): { DB: D1Database; asked: string[] } {
  const asked: string[] = []
  const prepare = (text: string) => {
    asked.push(text)
    return env.DB.prepare(text)
  }
  return { DB: { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as D1Database, asked }
}

/** A database that takes statements and fails to run them. */
export function databaseAway(message = 'D1_ERROR: D1 is away'): D1Database {
  return databaseThat(() => Promise.reject(new Error(message)))
}

/** A database that takes statements and never says what became of them. */
export function silentDatabase(): D1Database {
  return databaseThat(never)
}

function databaseThat(answer: () => Promise<never>): D1Database {
  const statement = { bind: () => statement, all: answer, run: answer, raw: answer, first: answer }
  return { prepare: () => statement, batch: answer } as unknown as D1Database
}

/** A database in which something else happens before its next batch. */
export function beforeBatch(database: D1Database, work: () => Promise<unknown>): D1Database {
  let done: Promise<unknown> | undefined
  const batch = async (statements: D1PreparedStatement[]) => {
    done ??= work()
    await done
    return database.batch(statements)
  }
  return { prepare: (text: string) => database.prepare(text), batch } as D1Database
}

/** A KV namespace, a queue or a stub of an object that never answers a call. */
export function silent<Binding extends object>(): Binding {
  return new Proxy({} as Binding, { get: () => never })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

/**
 * Lets time fly until this is answered; tells how many seconds it would have taken at most. Needs fake timers:
 * `vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })`. A second passes only when the real database has answered all
 * that it was asked, so that no busy machine makes it look silent.
 */
export async function inFastTime<T>(answer: Promise<T>): Promise<{ answer: T; seconds: number }> {
  let isAnswered = false
  const done = () => {
    isAnswered = true
  }
  answer.then(done, done)
  let seconds = 0
  while (!isAnswered) {
    await env.DB.prepare('select 1').run()
    await scheduler.wait(1)
    if (vi.getTimerCount() === 0) continue
    await vi.advanceTimersByTimeAsync(1_000)
    seconds++
  }
  return { answer: await answer, seconds }
}

/** A KV namespace or a queue whose calls all fail. */
export function rejecting<Binding extends KVNamespace | Queue>(message = 'The binding is away'): Binding {
  return new Proxy({} as Binding, { get: () => () => Promise.reject(new Error(message)) })
}
