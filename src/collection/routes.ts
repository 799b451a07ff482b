import { applicationOf } from '../accounts/access.ts'
import { privateKeyOf } from '../applications/key-pair.ts'
import type { RequestContext } from '../context.ts'
import { Failure } from '../errors.ts'
import { SUCCESS } from '../http/openapi.ts'
import { operation } from '../http/router.ts'
import { inTime } from '../time/in-time.ts'
import { readBody } from './body.ts'
import { collectEvents, NOT_KEPT } from './contract.ts'
import type { Event } from './event.ts'
import { toCalls, toMessages } from './message.ts'
import { readSender } from './sender.ts'

export const collectEventsRoute = operation(
  collectEvents,
  { header: 'x-api-key', scope: 'client', budget: 'collection' },
  async ({ body: events }, { access, env }) => {
    await enqueue(env.EVENTS, toMessages(applicationOf(access).id, events))
    return { ...SUCCESS, accepted: events.length }
  },
  { readBody: readEvents },
)

/** Throws `not-found` before `Invalid`: who has no application has no key that opens a seal. */
function readEvents(body: unknown, { access, env, now, request }: RequestContext): Event[] {
  const { sealedPrivateKey } = applicationOf(access)
  const privateKey = () => privateKeyOf(sealedPrivateKey, env.KEY_SEALING_SECRET)
  return readBody(body, { now, sender: readSender(request), privateKey })
}

/** A queue that is silent for so long is as good as one that fails. */
const QUEUE_PATIENCE_MS = 10_000

/** Where a later call fails the earlier ones stand; the client's resend then counts nothing twice. */
async function enqueue(queue: Queue, messages: readonly string[]): Promise<void> {
  try {
    for (const call of toCalls(messages)) {
      await inTime(queue.sendBatch(call.map((body) => ({ body, contentType: 'text' as const }))), QUEUE_PATIENCE_MS)
    }
  } catch (cause) {
    throw new Failure('unavailable', NOT_KEPT, { cause })
  }
}
