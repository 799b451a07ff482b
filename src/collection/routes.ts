import { applicationOf } from '../accounts/access.ts'
import { SUCCESS } from '../api/answers.ts'
import { operation } from '../api/operation.ts'
import { privateKeyOf } from '../applications/key-pair.ts'
import type { RequestContext } from '../context.ts'
import { Failure, type Fault, Invalid } from '../errors.ts'
import { takeFromQuotas } from '../quotas/meter.ts'
import type { Use } from '../quotas/quota.ts'
import { isUnopenedSealTold } from '../quotas/unopened-seals.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { type Reading, readBody } from './body.ts'
import { collectEvents, NOT_KEPT } from './contract.ts'
import { QUEUE_TIMEOUT_MS, toCalls, toMessages } from './message.ts'
import { readSender } from './sender.ts'

export const collectEventsRoute = operation(
  collectEvents,
  { header: 'x-api-key', scope: 'client', budget: 'collection' },
  async ({ body: { events, leftOut, unreadable } }, context) => {
    const collector = { applicationId: applicationOf(context.access).id, scope: context.access.scope }
    if (unreadable) await refuseOrPretend(unreadable, context)
    const messages = toMessages(collector, events)
    const accepted = Math.max(events.length, 1)
    await takeFromQuotas({ ...collector, events: accepted, bytes: bytesOf(messages), ...countingIn(context) })
    await enqueue(context.env.EVENTS, messages)
    return { ...SUCCESS, accepted, ...(leftOut.length > 0 ? { left_out: leftOut } : {}) }
  },
  { readBody: readEvents },
)

/** Throws `not-found` before `Invalid`: without an application there is no key that opens a seal. */
function readEvents(body: unknown, { access, env, now, request }: RequestContext): Reading {
  const { sealedPrivateKey } = applicationOf(access)
  const privateKey = () => privateKeyOf(sealedPrivateKey, env.KEY_SEALING_SECRET)
  return readBody(body, { now, scope: access.scope, sender: readSender(request), privateKey })
}

/** Throws `Invalid` if the sender is told. Otherwise the request goes on like a good one, so that its duration tells nothing. */
async function refuseOrPretend(fault: Fault, context: RequestContext): Promise<void> {
  const { id } = applicationOf(context.access)
  const count = () => objectOf(id, context).countUnopenedSeal(id)
  const isTold = await isUnopenedSealTold({ applicationId: id, now: context.now, defer: context.defer, count })
  if (isTold) throw new Invalid([fault])
}

/** What counting for the quotas needs of a request. */
function countingIn(context: RequestContext) {
  const { id } = applicationOf(context.access)
  const report = (use: Use) => objectOf(id, context).countUse(id, use)
  return { now: context.now, defer: context.defer, report }
}

function objectOf(applicationId: number, { env }: RequestContext) {
  return env.ROLLUPS.getByName(String(applicationId))
}

function bytesOf(messages: readonly string[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
}

/** If a later call fails the earlier ones stand. That is harmless: a resend counts nothing twice. */
async function enqueue(queue: Queue, messages: readonly string[]): Promise<void> {
  try {
    for (const call of toCalls(messages)) {
      const sent = queue.sendBatch(call.map((body) => ({ body, contentType: 'text' as const })))
      await withTimeout(sent, QUEUE_TIMEOUT_MS)
    }
  } catch (cause) {
    throw new Failure('unavailable', NOT_KEPT, { cause })
  }
}
