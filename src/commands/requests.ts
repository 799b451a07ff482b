import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, createApiClient } from '../client/api/index.ts'
import { CommandFailure } from './failure.ts'

const TIMEOUT_MS = 60_000
/** Between tries of a request. What is sent twice counts once, so trying again is safe. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
/** A service that asks for a longer pause means another day: a quota is spent. */
const LONGEST_PAUSE_MS = 60_000
const TEMPORARY = new Set([429, 500, 502, 503, 504])
const REQUESTS_AT_ONCE = 4

/** A service, and what opens an application there. */
export interface Service {
  /** Without a slash at the end. */
  readonly address: string
  readonly apiKey: string
  /** The application's project id; null for that of the key. */
  readonly project: string | null
  readonly signal: AbortSignal
}

/** What a method of the typed client returns. */
interface Answered<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

interface AskOptions<Data> {
  /** Whether the answer can be one of Mauve's: something else may answer 200 at this address. */
  readonly isOurs: (data: Data) => boolean
  /** Whether to fail at once where nothing answers. */
  readonly isImpatient?: boolean
}

/** Sends a request with the typed client; tries again for a minute while the service is busy or unavailable. Throws `CommandFailure`. */
export async function ask<Data>(
  service: Service,
  call: (api: ApiClient) => Promise<Answered<Data>>,
  { isOurs, isImpatient = false }: AskOptions<NonNullable<Data>>,
): Promise<NonNullable<Data>> {
  const { address, apiKey, project } = service
  const fetch = (request: Request) => requestPatiently(service, request, isImpatient)
  const api = createApiClient({ host: address, key: apiKey, ...(project !== null && { project }), fetch })
  const { data, error, response } = await call(api).catch((error) => {
    throw error instanceof SyntaxError ? new CommandFailure(notOurs(address)) : error
  })
  if (!response.ok) throw refusal(address, response.status, error)
  if (data && isOurs(data)) return data
  throw new CommandFailure(notOurs(address))
}

function notOurs(address: string): string {
  return `${address} is not Mauve: it answers in another form.`
}

async function requestPatiently(service: Service, request: Request, isImpatient: boolean): Promise<Response> {
  const { address, signal } = service
  const send = () => {
    const signals = [signal, AbortSignal.timeout(TIMEOUT_MS)]
    return fetch(request.clone(), { signal: AbortSignal.any(signals) })
  }
  let isReported = false
  for (const pause of isImpatient ? [] : PAUSES_MS) {
    const response = await send().catch(reasonOf)
    const isAnswer = response instanceof Response
    const requested = isAnswer ? 1000 * Number(response.headers.get('retry-after')) || 0 : 0
    if (isAnswer && (!TEMPORARY.has(response.status) || requested > LONGEST_PAUSE_MS)) return response
    signal.throwIfAborted()
    const problem = isAnswer ? `${address} answers ${response.status} for now` : nothingAt(address, response)
    if (!isReported) console.error(`${problem}. Trying again for a minute; Ctrl-C stops.`)
    isReported = true
    if (isAnswer) await response.body?.cancel()
    await sleep(Math.max(pause, requested), undefined, { signal })
  }
  return send().catch((error) => {
    signal.throwIfAborted()
    throw new CommandFailure(`${nothingAt(address, reasonOf(error))}. ${ADVICE}`)
  })
}

const ADVICE =
  'Start the service ("npm start"), or name its address, then run this again: it continues where it stopped.'

function reasonOf(error: Error & { cause?: { code?: string } }): string {
  return error.cause?.code ?? error.message
}

function nothingAt(address: string, reason: string): string {
  return `Nothing answers at ${address} (${reason})`
}

function refusal(address: string, status: number, body: unknown): CommandFailure {
  const { detail } = (body ?? {}) as { detail?: string | readonly { loc: readonly unknown[]; msg: string }[] }
  const [fault] = typeof detail === 'object' ? detail : []
  const sentence = typeof detail === 'string' ? detail : 'it is not Mauve'
  const reason = fault ? `${fault.loc.join('.')}: ${fault.msg}` : sentence
  const hint = status === 401 || status === 403 ? ' Check the address, the key and the application.' : ''
  return new CommandFailure(
    `The service at ${address} refused this with ${status}: ${reason.replace(/\.$/, '')}.${hint}`,
  )
}

interface Working<T, R> {
  readonly signal: AbortSignal
  /** Does the work of one item. The signal is also aborted by the first failure of another item. */
  readonly work: (item: T, signal: AbortSignal) => Promise<R>
  readonly done: (item: T, result: R) => void
}

/** Works on a few items at a time, so that the service is busy while answers travel. Calls `done` in the items' order; throws the first failure. */
export async function inOrder<T, R>(items: AsyncIterable<T> | Iterable<T>, { signal, work, done }: Working<T, R>) {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const waiting: { readonly item: T; readonly result: Promise<R> }[] = []
  const finish = async (most: number) => {
    for (let first = waiting[0]; first && waiting.length > most; first = waiting[0]) {
      const result = await first.result
      signal.throwIfAborted()
      done(first.item, result)
      waiting.shift()
    }
  }
  try {
    for await (const item of items) {
      const result = work(item, either)
      // A failure is thrown in its turn.
      result.catch(() => undefined)
      waiting.push({ item, result })
      await finish(REQUESTS_AT_ONCE - 1)
    }
    await finish(0)
  } catch (error) {
    failed.abort()
    throw error
  }
}

/** What shells make of a process that was ended by Ctrl-C. */
const INTERRUPTED = 130

/** Does work that Ctrl-C ends at any time, to be continued by another run. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of SIGNALS) process.once(name, onSignal)
  try {
    await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.error('\nStopped. Run it again to continue: nothing is counted twice.')
    process.exitCode = INTERRUPTED
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
