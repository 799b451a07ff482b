import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { build } from 'esbuild'
import { DEFAULT_CAPTURE } from '../../src/storage/capture-settings.ts'
import { messengerScript } from '../support/messenger.ts'
import { publishedReactScript } from '../support/published-react.ts'

/** What a server has got, since it was asked last. */
interface Got {
  /** The bytes of requests as HTTP/1.1 writes them: heads and bodies. */
  readonly bytes: number
  /** With those that a browser sends before. */
  readonly requests: number
  readonly events: number
}

/** A service that takes everything at once, for a page of another origin. */
export interface Endpoint {
  readonly address: string
  got(): Got
  close(): void
}

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = { key: '2f1b6f8e-4c53-4f0e-9a8d-5b1c7f3e2a10', project: '76b0c5a9-3b77-4f98-916d-0c651497c630' }
/** The headers that the service sends (src/http/for-browsers.ts). */
const FOR_BROWSERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, x-api-key, x-project-id',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-max-age': '86400',
  'content-type': 'application/json',
}

export async function startEndpoint(): Promise<Endpoint> {
  const sockets = new Set<Socket>()
  const seen = { bytes: 0, requests: 0, events: 0 }
  let before = { ...seen }
  const server = createServer(async (request, response) => {
    seen.requests++
    const body = await textOf(request)
    if (request.method === 'POST') seen.events += (JSON.parse(body) as { events?: unknown[] }).events?.length ?? 1
    answer(response, request.method === 'GET' ? configuration(addressOf(server)) : { status_code: 200, accepted: 1 })
  })
  server.on('connection', (socket) => sockets.add(socket))
  await listen(server)
  return {
    address: addressOf(server),
    got() {
      seen.bytes = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      const got = {
        bytes: seen.bytes - before.bytes,
        requests: seen.requests - before.requests,
        events: seen.events - before.events,
      }
      before = { ...seen }
      return got
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, FOR_BROWSERS).end(JSON.stringify(body))
}

function configuration(address: string) {
  return {
    app_name: 'Lemon Shop',
    host: `${address}/v1/client/events`,
    public_key: publicKey.export({ type: 'pkcs1', format: 'pem' }),
    ...DEFAULT_CAPTURE,
  }
}

/** Serves a page with each client, at `/published` and at `/ours`; both set `track`. */
export async function startShop(host: string): Promise<{ readonly address: string; close(): void }> {
  const pages: Record<string, string> = {
    '/published': page(await publishedReactScript({ host, ...KEY })),
    '/ours': page(await ourScript(host)),
  }
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(pages[url] ?? '')
  })
  await listen(server)
  return { address: addressOf(server), close: () => void server.close(() => {}) }
}

function page(client: string): string {
  const scripts = [messengerScript(), client].map((script) => `<script>${script}</script>`)
  return `<!doctype html><meta charset="utf-8"><title>Lemon Shop</title><body></body>${scripts.join('')}`
}

async function ourScript(host: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'ours',
  })
  const start = `${JSON.stringify({ host, ...KEY })}); var track = client.track`
  return `${outputFiles[0]?.text}; var client = ours.createClient(${start}`
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
