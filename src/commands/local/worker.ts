/** What the runtime of `npm start` runs: the Worker as it is deployed, and the queue that replaces the platform's. */
import service from '../../index.ts'

export { ApplicationObject } from '../../index.ts'
export { LocalHealth } from './local-health.ts'
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from './queue.ts'

/** The service listens on loopback only, so that is where all requests come from. */
const ADDRESS = '127.0.0.1'

/**
 * On the platform, the edge sets a request's address, location and URL. Miniflare takes them from headers of the client, so they are
 * replaced here, and a request whose URL differs from its host is refused.
 */
function receive(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
  const host = request.headers.get('host') ?? ''
  if (new URL(request.url).origin !== URL.parse(`http://${host}`)?.origin) {
    return Response.json({ detail: 'The request names another address than its host.' }, { status: 400 })
  }
  const headers = new Headers(request.headers)
  headers.set('cf-connecting-ip', ADDRESS)
  return service.fetch(new Request(request, { headers, cf: {} }), env, context)
}

export default { ...service, fetch: receive } satisfies ExportedHandler<Env>
