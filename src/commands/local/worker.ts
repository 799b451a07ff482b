/** What the runtime of `npm start` runs: the Worker as it is deployed, and the queue that replaces the platform's. */
import service from '../../index.ts'
import { isOwnHost } from './own-hosts.ts'

export { ApplicationObject } from '../../index.ts'
export { LocalHealth } from './local-health.ts'
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from './queue.ts'

/** The address of callers who are not behind a proxy: they count as being on this machine. */
const LOOPBACK = '127.0.0.1'

interface LocalEnv extends Env {
  /** The public address of a proxy in front of this; null without one. */
  readonly PROXIED_AT: string | null
  /** The address on which it listens. */
  readonly LISTENS_ON: string
}

/**
 * On the platform, the edge sets a request's URL, address and location. Here a client could write anything into such headers, so they
 * are replaced. Only for the public address, the last hop that the proxy names is the client.
 */
function receive(request: Request, env: LocalEnv, context: ExecutionContext): Response | Promise<Response> {
  const host = request.headers.get('host') ?? ''
  const url = new URL(request.url)
  if (url.origin !== URL.parse(`http://${host}`)?.origin) {
    return Response.json({ detail: 'The request names another address than its host.' }, { status: 400 })
  }
  if (!isOwnHost(host, { proxiedAt: env.PROXIED_AT, host: env.LISTENS_ON })) {
    return Response.json({ detail: FOREIGN_HOST }, { status: 421 })
  }
  const proxied = env.PROXIED_AT === null ? null : new URL(env.PROXIED_AT)
  const isProxied = host === proxied?.host
  const client = isProxied ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const headers = new Headers(request.headers)
  headers.set('cf-connecting-ip', client || LOOPBACK)
  const target = isProxied ? `${proxied?.origin}${url.pathname}${url.search}` : request.url
  return service.fetch(new Request(new Request(target, request), { headers, cf: {} }), env, context)
}

const FOREIGN_HOST =
  'This service does not answer to the name in the Host header. Start it with MAUVE_ADDRESS=https://NAME if people reach it by that name.'

export default { ...service, fetch: receive } satisfies ExportedHandler<LocalEnv>
