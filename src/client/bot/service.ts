import type { BotClientOptions } from './options.ts'

/** The timeout of a request. */
export const REQUEST_TIMEOUT_MS = 10_000

/** The service, as one application sees it. Both reject if it cannot be reached. */
export interface MauveService {
  getConfiguration(): Promise<ServiceAnswer>
  /** Each text is the JSON of one event. */
  collect(events: readonly string[]): Promise<ServiceAnswer>
}

export interface ServiceAnswer {
  readonly status: number
  /** Null if the body is not JSON. */
  readonly body: unknown
  /** What `Retry-After` asks for; null without it. */
  readonly retryAfterMs: number | null
}

export function createService({ host, key, project, fetch: send }: BotClientOptions): MauveService {
  // If an environment variable is missing, the failing request shows it.
  const base = String(host).replace(/\/+$/, '')
  const request = async (path: string, init: RequestInit) => {
    requireHeaderValue(key)
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    // Looked up at each request: tools that observe requests replace the global `fetch`.
    return read(await (send ?? fetch)(`${base}${path}`, { ...init, signal }))
  }
  return {
    getConfiguration: () =>
      request(`/v1/client/config?client=mauve&project=${encodeURIComponent(project)}`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    collect: (events) =>
      request('/v1/client/events', {
        method: 'POST',
        headers: { 'x-api-key': key, 'x-project-id': project, 'content-type': 'application/json' },
        body: `[${events.join()}]`,
      }),
  }
}

/** The runtime's own error would print the key. */
function requireHeaderValue(key: string): void {
  try {
    new Headers({ key })
  } catch {
    throw new TypeError('the key holds characters that no key has')
  }
}

async function read(response: Response): Promise<ServiceAnswer> {
  const seconds = Number(response.headers.get('retry-after') || Number.NaN)
  const text = await response.text()
  return { status: response.status, body: parse(text), retryAfterMs: seconds >= 0 ? seconds * 1000 : null }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether a later attempt may succeed. */
export function isPassing({ status }: ServiceAnswer): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** One fault of a request, with its location. */
interface Fault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

function faultsOf({ body }: ServiceAnswer): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown }
  return Array.isArray(detail) ? (detail as Fault[]).filter((fault) => Array.isArray(fault?.loc)) : []
}

/** The indexes of the refused events; empty if the whole request is refused. */
export function refusedPlaces(answer: ServiceAnswer): number[] {
  return faultsOf(answer).flatMap(({ loc: [, place] }) => (typeof place === 'number' ? place : []))
}

/** The problem, for the console. */
export function explain(answer: ServiceAnswer): string {
  const faults = faultsOf(answer).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  const { detail } = (answer.body ?? {}) as { detail?: unknown }
  return [answer.status, ...(faults.length > 0 ? faults.slice(0, 3) : [detail])].filter(Boolean).join(' ')
}
