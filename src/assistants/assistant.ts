import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { maskOfAnswer, namesHolderOfIds } from '../questions/filters/masking.ts'

/** Answers a request as the service does over HTTP. */
type Fetch = (request: Request, env: Env, context: Context['executionCtx']) => Response | Promise<Response>

/** The caller behind an assistant. */
export interface Assistant {
  readonly c: Context<AppEnv>
  /** The project that the assistant's address or header names: all of its questions are about that one. */
  readonly projectId: string | null
  readonly fetch: Fetch
}

/** What an operation answered. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Null if it is larger than `MAX_ANSWER_BYTES`. */
  readonly text: string | null
  /** Whether numbers that may be ids of people were masked in it. */
  readonly isMasked?: boolean
}

export function assistantOf(c: Context<AppEnv>, fetch: Fetch): Assistant {
  return { c, projectId: c.req.header('x-project-id')?.trim() || c.req.query('project')?.trim() || null, fetch }
}

/**
 * Asks an operation of this service in the assistant's name, with the same key and from the same network: authentication, budgets,
 * fairness and the log are those of every other request. Where `named` has a property whose values may hold ids of people, these are
 * masked unless the key shows persons.
 */
export async function askInside(
  address: string,
  { c, projectId, fetch }: Assistant,
  named = address,
): Promise<Answered> {
  const headers = new Headers({ 'x-api-key': keyOf(c) })
  const network = c.req.header('cf-connecting-ip')
  if (network) headers.set('cf-connecting-ip', network)
  const url = new URL(address, c.req.url)
  // Not as a header, which cannot hold every text.
  if (projectId !== null) url.searchParams.set('project', projectId)
  const request = new Request(url, { headers })
  const response = await fetch(request, c.env, c.executionCtx)
  const answered = { status: response.status, headers: response.headers, text: await readText(response) }
  return seesPersons(c) || !namesHolderOfIds(named) ? answered : masked(answered)
}

/** Whether the key was issued for assistants that may see individual users. */
export function seesPersons(c: Assistant['c']): boolean {
  return c.get('access').persons === true
}

function masked(answered: Answered): Answered {
  const isJson = answered.headers.get('content-type')?.startsWith('application/json')
  if (answered.text === null || !isJson) return answered
  const text = JSON.stringify(maskIn(JSON.parse(answered.text), maskOfAnswer()))
  return { ...answered, text, isMasked: text !== answered.text }
}

function maskIn(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => maskIn(item, mask))
  if (typeof value !== 'object' || value === null) return value
  // Matrices hold figures as texts.
  const parts = Object.entries(value).map(([name, part]) => [name, name.endsWith('Matrix') ? part : maskIn(part, mask)])
  return Object.fromEntries(parts)
}

/** The header that carries the key. */
export function keyHeaderOf({ req }: Context): 'x-api-key' | 'authorization' {
  return req.header('x-api-key') ? 'x-api-key' : 'authorization'
}

function keyOf(c: Context): string {
  return (c.req.header(keyHeaderOf(c)) ?? '').replace(/^Bearer\s+/i, '')
}

/** More than any assistant reads. Exports stop here. */
export const MAX_ANSWER_BYTES = 1_048_576

async function readText({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (bytes > MAX_ANSWER_BYTES) return null
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
