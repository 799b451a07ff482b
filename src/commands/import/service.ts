import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '../failure.ts'
import type { BadLine, Parcel } from './batches.ts'

const TIMEOUT_MS = 60_000
/** Between tries of one request. What was sent twice counts once, so trying again is safe. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** Who asks for a longer pause means another day: a quota is spent. */
const LONGEST_PAUSE_MS = 60_000
const PASSING = new Set([429, 500, 502, 503, 504])

/** A service, and what opens an application there. */
export interface Service {
  readonly address: string
  readonly apiKey: string
  /** Project id of the application that is meant. */
  readonly project: string
  readonly signal: AbortSignal
}

/** What became of lines that were sent. */
export interface Sent {
  readonly stored: number
  readonly known: number
  readonly bad: readonly BadLine[]
}

/** The project id of an application of the key's account. Throws `CommandFailure`. */
export async function findProject(service: Omit<Service, 'project'>, application: string): Promise<string> {
  const path = `/applications/${encodeURIComponent(application)}`
  const response = await requestPatiently(service, { path, headers: {} })
  const answer = parse(await response.text())
  const { data } = answer as { data?: { project_id?: unknown } }
  if (response.ok && typeof data?.project_id === 'string') return data.project_id
  throw refusalOf(response, service.address, answer)
}

/** Sends lines of an export. Throws `CommandFailure` where the service refuses all of them, or stays away. */
export async function send(service: Service, parcels: readonly Parcel[]): Promise<Sent> {
  const response = await requestPatiently(service, {
    path: '/import/events',
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'x-project-id': service.project },
    body: parcels.map(({ sent }) => sent).join('\n'),
  })
  const answer = parse(await response.text())
  const { stored, known, refused } = answer as { stored?: number; known?: number; refused?: Refused[] }
  if (!response.ok || stored === undefined || known === undefined || refused === undefined)
    throw refusalOf(response, service.address, answer)
  return { stored, known, bad: refused.map((line) => toBadLine(line, parcels)) }
}

interface Refused {
  readonly line: number
  readonly reason: string
}

function toBadLine({ line, reason }: Refused, parcels: readonly Parcel[]): BadLine {
  const { number = 0, text = '' } = parcels[line - 1] ?? {}
  return { number, reason, text }
}

interface Call extends Omit<RequestInit, 'signal'> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

type Asking = Omit<Service, 'project'>

async function requestPatiently(service: Asking, call: Call): Promise<Response> {
  for (const pause of PAUSES_MS) {
    const response = await request(service, call).catch(() => null)
    const asked = 1000 * Number(response?.headers.get('retry-after')) || 0
    if (response && (!PASSING.has(response.status) || asked > LONGEST_PAUSE_MS)) return response
    await response?.body?.cancel()
    await sleep(Math.max(pause, asked), undefined, { signal: service.signal })
  }
  return request(service, call).catch((error) => {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    throw new CommandFailure(`Nothing answers at ${service.address} (${cause?.code ?? message}). ${AWAY}`)
  })
}

const AWAY = 'See that the service runs, then run this again: it goes on where it stopped.'

function request({ address, apiKey, signal }: Asking, { path, headers, ...init }: Call): Promise<Response> {
  return fetch(`${address}${path}`, {
    ...init,
    headers: { ...headers, 'x-api-key': apiKey },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
}

function refusalOf(response: Response, address: string, answer: unknown): CommandFailure {
  const { detail } = (answer ?? {}) as { detail?: string | readonly { msg: string }[] }
  const told = typeof detail === 'object' ? detail[0]?.msg : detail
  const hint = response.status === 401 || response.status === 403 ? ' See --address and --api-key.' : ''
  return new CommandFailure(
    `The service at ${address} refused this with ${response.status}: ${told ?? 'it is no Mauve'}.${hint}`.replace(
      '..',
      '.',
    ),
  )
}

function parse(text: string): object {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
