import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from './failure.ts'

const TIMEOUT_MS = 60_000
/** Between tries of one request. What is sent twice counts once, so trying again is safe. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** A service that asks for a longer pause means another day: a quota is spent. */
const LONGEST_PAUSE_MS = 60_000
const PASSING = new Set([429, 500, 502, 503, 504])

/** A service, and what opens an application there. */
export interface Service {
  /** Without a slash at the end. */
  readonly address: string
  readonly apiKey: string
  /** Project id of the application; null for that of the key. */
  readonly project: string | null
  readonly signal: AbortSignal
}

interface Call extends Omit<RequestInit, 'signal' | 'headers'> {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Tries again while the service is busy or unavailable, for a minute. Throws `CommandFailure` if it stays away. */
export async function requestPatiently(service: Service, call: Call): Promise<Response> {
  let isTold = false
  for (const pause of PAUSES_MS) {
    const response = await request(service, call).catch(faultOf)
    const isAnswer = response instanceof Response
    const asked = isAnswer ? 1000 * Number(response.headers.get('retry-after')) || 0 : 0
    if (isAnswer && (!PASSING.has(response.status) || asked > LONGEST_PAUSE_MS)) return response
    service.signal.throwIfAborted()
    if (!isTold) console.error(`${problemOf(service, response)}. Trying again for a minute; Ctrl-C stops.`)
    isTold = true
    if (isAnswer) await response.body?.cancel()
    await sleep(Math.max(pause, asked), undefined, { signal: service.signal })
  }
  return requestOnce(service, call)
}

/** Throws `CommandFailure` if nothing answers. */
export function requestOnce(service: Service, call: Call): Promise<Response> {
  return request(service, call).catch((error) => {
    service.signal.throwIfAborted()
    throw new CommandFailure(`${problemOf(service, faultOf(error))}. ${AWAY}`)
  })
}

const AWAY = 'Start the service ("npm start"), or name its address, then run this again: it continues where it stopped.'

function faultOf(error: Error & { cause?: { code?: string } }): string {
  return error.cause?.code ?? error.message
}

function problemOf({ address }: Service, answer: Response | string): string {
  if (typeof answer === 'string') return `Nothing answers at ${address} (${answer})`
  return `${address} answers ${answer.status} for now`
}

function request({ address, apiKey, project, signal }: Service, { path, headers, ...init }: Call): Promise<Response> {
  const application = project === null ? {} : { 'x-project-id': project }
  return fetch(`${address}${path}`, {
    ...init,
    headers: { ...headers, ...application, 'x-api-key': apiKey },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
}

/** What the service says about a request that it refused. */
export function refusalOf({ status }: Response, { address }: Pick<Service, 'address'>, answer: object): CommandFailure {
  const { detail } = answer as { detail?: string | readonly { loc: readonly unknown[]; msg: string }[] }
  const [fault] = typeof detail === 'object' ? detail : []
  const sentence = typeof detail === 'string' ? detail : 'it is not Mauve'
  const reason = fault ? `${fault.loc.join('.')}: ${fault.msg}` : sentence
  const hint = status === 401 || status === 403 ? ' Check the address, the key and the application.' : ''
  return new CommandFailure(
    `The service at ${address} refused this with ${status}: ${reason.replace(/\.$/, '')}.${hint}`,
  )
}

/** An empty object for anything but a JSON object. */
export async function objectIn(response: Response): Promise<object> {
  try {
    return (await response.json()) ?? {}
  } catch {
    return {}
  }
}
