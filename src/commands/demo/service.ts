import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../failure.ts'
import type { Options } from './options.ts'
import type { DemoEvent } from './session.ts'

const PATIENCE_MS = 30_000
/** Between tries of one request. An event sent twice counts once, so that trying again is safe. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000]
const PASSING = new Set([429, 500, 502, 503, 504])

type Service = Pick<Options, 'url' | 'key' | 'project'>

interface Call {
  readonly path: string
  readonly init: RequestInit
  readonly signal: AbortSignal
}

/** Makes sure, before anything is sent, that the service runs and knows the key. Throws `CommandFailure`. */
export async function requireService(service: Service, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${service.key}` }
  const response = await callOnce(service, { path: '/v1/client/config', init: { headers }, signal }).catch((error) => {
    signal.throwIfAborted()
    throw new CommandFailure(
      `Nothing answers at ${service.url} (${reasonOf(error)}). Start the service first, in another terminal: npm start`,
    )
  })
  if (!response.ok) throw await refusalOf(response, service)
  await response.arrayBuffer()
}

/** Sends up to 500 events. Throws `CommandFailure` where the service refuses them or stays away. */
export async function sendEvents(service: Service, events: readonly DemoEvent[], signal: AbortSignal): Promise<void> {
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(events) }
  const response = await callPatiently(service, { path: '/v1/client/events', init, signal })
  if (!response.ok) throw await refusalOf(response, service)
  const { accepted } = parseObject(await response.text()) as { accepted?: unknown }
  if (accepted === events.length) return
  throw new CommandFailure(`What answers at ${service.url} is no Mauve: it did not say how many events it took.`)
}

async function callPatiently(service: Service, call: Call): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await callOnce(service, call).catch(() => null)
    if (response && !PASSING.has(response.status)) return response
    await sleep(Math.max(pause, await retryAfterMs(response)), undefined, { signal: call.signal })
  }
  return callOnce(service, call).catch((error) => {
    call.signal.throwIfAborted()
    throw new CommandFailure(
      `The service at ${service.url} stopped answering (${reasonOf(error)}). ` +
        'See that it runs, then run this again: it goes on, and nothing is counted twice.',
    )
  })
}

function callOnce({ url, project }: Service, { path, init, signal }: Call): Promise<Response> {
  const headers = { ...init.headers, ...(project === null ? {} : { 'x-project-id': project }) } as HeadersInit
  return fetch(`${url}${path}`, {
    ...init,
    headers,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
}

/** What is read to its end frees its connection for the next try. */
async function retryAfterMs(response: Response | null): Promise<number> {
  await response?.arrayBuffer().catch(() => null)
  const seconds = Number(response?.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, PATIENCE_MS) : 0
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  const { code } = (cause ?? {}) as { code?: string }
  return code ?? message
}

async function refusalOf(response: Response, { url }: Service): Promise<CommandFailure> {
  const detail = firstDetail(await response.text())
  const hint = response.status === 401 || response.status === 403 ? ' See --url, --key and --project.' : ''
  return new CommandFailure(`The service at ${url} refused this with ${response.status}: ${detail}${hint}`)
}

/** The sentence of a problem, or the first fault with its place. */
function firstDetail(text: string): string {
  const { detail } = parseObject(text) as Problem
  if (typeof detail === 'string') return detail
  const [fault] = Array.isArray(detail) ? detail : []
  return fault ? `${fault.loc?.join('.')}: ${fault.msg}` : text.slice(0, 200) || 'no word of explanation'
}

interface Problem {
  readonly detail?: string | readonly { readonly loc?: readonly unknown[]; readonly msg?: string }[]
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
