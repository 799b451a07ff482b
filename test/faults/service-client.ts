import { Agent, request } from 'node:http'

/** A running service, and a key of its account. */
export interface Service {
  readonly url: string
  readonly key: string
}

/** One of the two applications of a run, which get the same events. */
export interface Application {
  /** Null for the application of the key. */
  readonly project: string | null
  readonly objects: number
}

const ANSWER_LIMIT_MS = 15_000
const PHONES = 250
const agent = new Agent({ keepAlive: true })

interface Post {
  readonly events: readonly object[]
  /** Before the answer is there. */
  readonly hangsUp?: boolean
  /** A number that says which of many phones sends, so that no budget of an address is spent. */
  readonly phone?: number
}

/** Sends events to an application. Returns the status of the answer, or 0 if there is none. */
export function post({ url, key }: Service, { project }: Application, sending: Post): Promise<number> {
  const { events, hangsUp = false, phone = 0 } = sending
  const body = JSON.stringify(events)
  const headers = {
    'x-api-key': key,
    ...(project && { 'x-project-id': project }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cf-connecting-ip': `10.0.0.${phone % PHONES}`,
  }
  return new Promise((resolve) => {
    const asked = request(`${url}/v1/client/events`, { method: 'POST', agent, headers, timeout: ANSWER_LIMIT_MS })
    asked.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(0)).on('close', () => resolve(0))
    asked.end(body, () => {
      if (hangsUp) setTimeout(() => asked.destroy(), 1)
    })
  })
}

export interface Answer {
  /** 0 if there is none. */
  readonly status: number
  readonly text: string
  /** Its header `figures-as-of`, in milliseconds since 1970; NaN if it has none. */
  readonly asOf: number
}

const QUESTION_LIMIT_MS = 60_000

/** Asks about an application; never throws. */
export async function ask(
  { url, key }: Service,
  { project }: Application,
  path: string,
  method = 'GET',
): Promise<Answer> {
  const headers = { 'x-api-key': key, ...(project && { 'x-project-id': project }) }
  try {
    const response = await fetch(url + path, { method, headers, signal: AbortSignal.timeout(QUESTION_LIMIT_MS) })
    const text = await response.text()
    return { status: response.status, text, asOf: Date.parse(response.headers.get('figures-as-of') ?? '') }
  } catch {
    return { status: 0, text: '', asOf: Number.NaN }
  }
}

/** Asks the worker itself something about its state; null if it does not answer. */
export async function askWorker<T>(url: string, path: string, body?: unknown): Promise<T | null> {
  const sent = body !== undefined && { method: 'POST', body: JSON.stringify(body) }
  try {
    const response = await fetch(url + path, { ...sent, signal: AbortSignal.timeout(QUESTION_LIMIT_MS) })
    return response.ok ? ((await response.json()) as T) : null
  } catch {
    return null
  }
}
