import type { BotClientOptions } from './options.ts'

/** What hangs is given up. */
export const REQUEST_TIMEOUT_MS = 10_000

/** The service, as one application sees it. Both reject if it cannot be reached. */
export interface Service {
  getConfiguration(): Promise<Answer>
  /** `events` are the JSON of one each. */
  collect(events: readonly string[]): Promise<Answer>
}

export interface Answer {
  readonly status: number
  /** Null if it is not JSON. */
  readonly body: unknown
  /** What `Retry-After` asks for; null without it. */
  readonly retryAfterMs: number | null
}

export function createService({ host, key, project, fetch: send }: BotClientOptions): Service {
  // Where a variable of the environment is missing, the failing request says it.
  const base = String(host).replace(/\/+$/, '')
  const request = async (path: string, init: RequestInit) => {
    requireHeaderValue(key)
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    // The runtime's own is looked up at each request: whoever observes requests may have put another one in its place.
    return read(await (send ?? fetch)(`${base}${path}`, { ...init, signal }))
  }
  return {
    getConfiguration: () =>
      request(`/v1/client/config?project=${encodeURIComponent(project)}`, {
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

/** What the runtime throws would put the key into the console. */
function requireHeaderValue(key: string): void {
  try {
    new Headers({ key })
  } catch {
    throw new TypeError('the key holds characters that no key has')
  }
}

async function read(response: Response): Promise<Answer> {
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

/** Whether it may be otherwise later. */
export function isPassing({ status }: Answer): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** One thing that is wrong with a request, and where. */
interface Fault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

function faultsOf({ body }: Answer): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown }
  return Array.isArray(detail) ? (detail as Fault[]).filter((fault) => Array.isArray(fault?.loc)) : []
}

/** The places of the events that are refused; none if the request as a whole is. */
export function refusedPlaces(answer: Answer): number[] {
  return faultsOf(answer).flatMap(({ loc: [, place] }) => (typeof place === 'number' ? place : []))
}

/** What is wrong, for the console. */
export function explain(answer: Answer): string {
  const faults = faultsOf(answer).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  const { detail } = (answer.body ?? {}) as { detail?: unknown }
  return [answer.status, ...(faults.length > 0 ? faults.slice(0, 3) : [detail])].filter(Boolean).join(' ')
}
