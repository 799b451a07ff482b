import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../commands/failure.ts'
import type { Options } from './options.ts'
import type { DemoEvent } from './session.ts'

const TIMEOUT_MS = 30_000
/** Between tries of one request. An event sent twice counts once, so trying again is safe. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000]
/** Who asks for a longer pause means another day: a quota is spent. */
const LONGEST_PAUSE_MS = 60_000
const PASSING = new Set([429, 500, 502, 503, 504])

type Service = Pick<Options, 'url' | 'key' | 'project'>
type Call = Omit<RequestInit, 'signal' | 'headers'> & { readonly signal: AbortSignal; readonly path: string }

/** Makes sure, before anything is sent, that the service runs and knows the key. Throws `CommandFailure`. */
export async function requireService(service: Service, signal: AbortSignal): Promise<void> {
  const response = await request(service, { path: '/v1/client/config', signal }).catch((error) => {
    throw awayFrom(service, error, 'Start the service first, in another terminal: npm start')
  })
  if (!response.ok) throw await refusalOf(response, service)
  await response.arrayBuffer()
}

/** Sends up to 500 events. Throws `CommandFailure` where the service refuses them or stays away. */
export async function sendEvents(service: Service, events: readonly DemoEvent[], signal: AbortSignal): Promise<void> {
  const call = { path: '/v1/client/events', method: 'POST', body: JSON.stringify(events), signal }
  const response = await requestPatiently(service, call)
  if (!response.ok) throw await refusalOf(response, service)
  const { accepted } = parseObject(await response.text()) as { accepted?: unknown }
  if (accepted === events.length) return
  throw new CommandFailure(`What answers at ${service.url} is no Mauve: it did not say how many events it took.`)
}

async function requestPatiently(service: Service, call: Call): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await request(service, call).catch(() => null)
    const asked = 1000 * Number(response?.headers.get('retry-after')) || 0
    if (response && (!PASSING.has(response.status) || asked > LONGEST_PAUSE_MS)) return response
    await response?.body?.cancel()
    await sleep(Math.max(pause, asked), undefined, { signal: call.signal })
  }
  return request(service, call).catch((error) => {
    throw awayFrom(service, error, 'See that it runs, then run this again: it goes on, and nothing is counted twice.')
  })
}

function request({ url, key, project }: Service, { path, signal, ...init }: Call): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' }
  return fetch(`${url}${path}`, {
    ...init,
    headers: project === null ? headers : { ...headers, 'x-project-id': project },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
}

function awayFrom({ url }: Service, error: Error & { cause?: { code?: string } }, advice: string): CommandFailure {
  return new CommandFailure(`Nothing answers at ${url} (${error.cause?.code ?? error.message}). ${advice}`)
}

async function refusalOf(response: Response, { url }: Service): Promise<CommandFailure> {
  const text = await response.text()
  const { detail } = parseObject(text) as { detail?: string | readonly { loc: readonly unknown[]; msg: string }[] }
  const [fault] = typeof detail === 'object' ? detail : []
  const told = fault ? `${fault.loc.join('.')}: ${fault.msg}` : (detail ?? text.slice(0, 200))
  const hint = response.status === 401 || response.status === 403 ? ' See --url, --key and --project.' : ''
  return new CommandFailure(`The service at ${url} refused this with ${response.status}: ${told}${hint}`)
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
