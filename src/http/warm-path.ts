import type { Context } from 'hono'
import { EntryCache } from '../storage/memory.ts'
import type { AppEnv } from './context.ts'

// Shortcuts for the warm path. Each is more complex than the plain way and stays only while it gains at least five percent
// of the requests per second of a warm client configuration (npm run bench -- --only config). Two more are elsewhere: a
// key in memory is not looked up (api/api-key.ts, a fifth), and a configuration is made once (client-config/routes.ts, a tenth
// together with its JSON).

/** Returns the last result while the argument is the same. Opening the database for each request cost a tenth. */
export function rememberLast<A, R>(make: (argument: A) => R): (argument: A) => R {
  let last: { readonly argument: A; readonly result: R } | undefined
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: make(argument) }
    return last.result
  }
}

const MAX_TEXTS = 1_000
/** Longer texts would only fill the memory. */
const MAX_CHARACTERS = 50

/** Caches results by short texts. Hashing the key of each request cost a tenth. */
export function rememberTexts<T>(make: (text: string) => T): (text: string) => T {
  const results = new EntryCache<T>(MAX_TEXTS)
  return (text) => (text.length <= MAX_CHARACTERS ? results.getOrSet(text, make) : make(text))
}

/** A JSON response created with all of its headers. Adding them one by one afterwards cost a tenth. */
export function answerAtOnce(c: Context<AppEnv>, value: object, status = 200): Response {
  const headers = c.get('headers')
  headers['content-type'] = 'application/json'
  c.set('hasHeaders', true)
  return new Response(jsonOf(value), { status, headers })
}

/** The JSON of values that never change, by their identity. */
const texts = new WeakMap<object, string>()

/** A frozen value never changes, so its JSON is made once. */
function jsonOf(value: object): string {
  if (!Object.isFrozen(value)) return JSON.stringify(value)
  const known = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, known)
  return known
}
