import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLIENT, FURTHER } from '../../src/http/assets/assets.ts'

export interface SentEvent {
  readonly event_type: string
  readonly datetime: number
  readonly event_id: string
  readonly session_id: string
  readonly params?: Record<string, unknown>
  readonly [field: string]: unknown
}

interface SentBody {
  readonly init_data?: string
  readonly sent_at: number
  readonly events: SentEvent[]
}

/** How the service answers; null: it is away, and the connection breaks. */
type Behaviour = {
  status?: number
  headers?: Record<string, string>
  json?: object
  delayMs?: number
  until?: Promise<unknown>
} | null

/** The service as a network shows it to a page: it may be away, slow, or refuse. It serves the page, too. */
export interface ClientService {
  readonly url: string
  /** The bodies that came, whatever was answered. */
  readonly bodies: SentBody[]
  /** The events of bodies that were answered with a 200. */
  readonly taken: SentEvent[]
  /** The requests, like `POST /v1/client/events`. */
  readonly requests: string[]
  page: { head: string; policy?: string }
  collecting: (body: SentBody) => Behaviour
  configuring: () => Behaviour
  reset(): void
  close(): void
}

/** For pages of another origin. */
export const ANYWHERE = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
}

const QUIET = { auto_capture: false, auto_capture_tags: [], auto_capture_classes: [], auto_capture_mini_app_events: [] }

/** A configuration with which nothing is captured but what is said here. */
export function configuration(settings: object = {}) {
  return { json: { app_name: 'Lemon Shop', ...QUIET, advanced_tracking_features: [], ...settings } }
}

export async function serveClient(): Promise<ClientService> {
  const server: Server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: ClientService = {
    url,
    bodies: [],
    taken: [],
    requests: [],
    page: { head: '' },
    collecting: () => ({}),
    configuring: () => configuration(),
    reset() {
      for (const list of [service.bodies, service.taken, service.requests]) list.length = 0
      service.page = { head: '' }
      service.collecting = () => ({})
      service.configuring = () => configuration()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path.startsWith('/further.js')) return send(response, FURTHER.text, { 'content-type': 'text/javascript' })
    if (path.startsWith('/client.js')) return send(response, CLIENT.text, { 'content-type': 'text/javascript' })
    if (!path.startsWith('/v1/')) return sendPage(response)
    service.requests.push(`${request.method} ${path}`)
    if (path.startsWith('/v1/client/config')) return answer(response, service.configuring())
    const body = JSON.parse(await read(request)) as SentBody
    service.bodies.push(body)
    const behaviour = service.collecting(body)
    if ((behaviour?.status ?? 200) === 200 && behaviour) service.taken.push(...body.events)
    return answer(response, behaviour)
  }

  function sendPage(response: ServerResponse): void {
    const { head, policy } = service.page
    const text = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Lemon Shop</title>${head}`
    send(response, text, { 'content-type': 'text/html', ...(policy && { 'content-security-policy': policy }) })
  }
  return service
}

async function answer(response: ServerResponse, behaviour: Behaviour): Promise<void> {
  if (!behaviour) return void response.destroy()
  const { status = 200, headers = {}, json = { status_code: status, accepted: 1 }, delayMs = 0, until } = behaviour
  if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs))
  await until
  // A browser itself asks again on a connection that it had already: each request has its own.
  const all = { 'content-type': 'application/json', connection: 'close', ...headers }
  response.writeHead(status, all).end(JSON.stringify(json))
}

function send(response: ServerResponse, text: string, headers: Record<string, string>): void {
  response.writeHead(200, { connection: 'close', ...headers }).end(text)
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
