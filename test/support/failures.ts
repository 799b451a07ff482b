import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'

/** Asks the worker as it is, with these bindings in place of its own, and waits for what it does after the answer. */
export async function requestWith(bindings: Partial<Env>, path: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext()
  const request = new Request(`https://mauve.test${path}`, init)
  const response = await app.fetch(request, { ...env, ...bindings }, context)
  await waitOnExecutionContext(context)
  return response
}

/** A database that takes statements and fails to run them. */
export function databaseAway(message = 'D1_ERROR: D1 is away'): D1Database {
  const fail = () => Promise.reject(new Error(message))
  const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail }
  return { prepare: () => statement, batch: fail } as unknown as D1Database
}

/** A KV namespace or a queue of which every call fails. */
export function rejecting<Binding extends KVNamespace | Queue>(message = 'The binding is away'): Binding {
  return new Proxy({} as Binding, { get: () => () => Promise.reject(new Error(message)) })
}
