import { applicationOf } from '../accounts/access.ts'
import { privateKeyOf } from '../applications/key-pair.ts'
import { Failure } from '../errors.ts'
import { SUCCESS } from '../http/openapi.ts'
import { operation } from '../http/router.ts'
import { readBody } from './body.ts'
import { collectEvents } from './contract.ts'
import { toCalls, toMessages } from './message.ts'
import { readSender } from './sender.ts'

export const collectEventsRoute = operation(
  collectEvents,
  { header: 'x-api-key', scope: 'client', budget: 'collection' },
  async ({ body }, { access, env, now, request }) => {
    const application = applicationOf(access)
    const privateKey = () => privateKeyOf(application.sealedPrivateKey, env.KEY_SEALING_SECRET)
    const events = readBody(body, { now, sender: readSender(request), privateKey })
    await enqueue(env.EVENTS, toMessages(application.id, events))
    return { ...SUCCESS, accepted: events.length }
  },
  { readsBody: true },
)

/** Where a later call fails the earlier ones stand; the client's resend then counts nothing twice. */
async function enqueue(queue: Queue, messages: readonly string[]): Promise<void> {
  try {
    for (const call of toCalls(messages)) {
      await queue.sendBatch(call.map((body) => ({ body, contentType: 'text' as const })))
    }
  } catch (cause) {
    throw new Failure('unavailable', 'The events could not be kept right now. Send them again.', { cause })
  }
}
