import { applicationOf, collectingScopeOf } from '../accounts/access.ts'
import { VERIFIED_ONLY } from '../accounts/contract.ts'
import { SUCCESS } from '../api/answers.ts'
import { operation } from '../api/operation.ts'
import { privateKeyOf } from '../applications/key-pair.ts'
import type { RequestContext } from '../context.ts'
import { Failure, Invalid } from '../errors.ts'
import { takeFromQuotas } from '../quotas/meter.ts'
import type { Use } from '../quotas/quota.ts'
import { isSilent, isUnopenedSealTold } from '../quotas/unopened-seals.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { hasInitData, isBatch, readBatch } from './batch.ts'
import { type Arrival, type Reading, readBody, type Unreadable } from './body.ts'
import { collectEvents, NOT_KEPT } from './contract.ts'
import { QUEUE_TIMEOUT_MS, toCalls, toMessages } from './message.ts'
import { readSender } from './sender.ts'
import { bytesOf } from './size.ts'

export const collectEventsRoute = operation(
  collectEvents,
  { header: 'x-api-key', scope: 'client', budget: 'collection' },
  async ({ body: { events, leftOut, unreadable, notBefore } }, context) => {
    const { env, access, now, defer } = context
    const collector = { applicationId: applicationOf(access).id, scope: collectingScopeOf(access) }
    const accepted = Math.max(events.length, 1)
    const tellObject = (use: Use, day: number) => objectOf(context).countUse({ ...collector, day }, use)
    try {
      if (unreadable) await refuseOrPretend(unreadable, context)
      await takeFromQuotas({ ...collector, events: accepted, bytes: bytesOf(events), now, defer, tellObject })
      await enqueue(env.EVENTS, toMessages(collector, events))
    } finally {
      await notBefore
    }
    return { ...SUCCESS, accepted, ...(leftOut.length > 0 ? { left_out: leftOut } : {}) }
  },
  { readBody: readEvents },
)

/** How long an answer takes at least while nobody is told of seals that do not open: opening one takes far less. */
const SILENT_ANSWER_MS = 250

interface Body extends Reading {
  /** Ends when the answer may be given. */
  readonly notBefore: Promise<void> | null
}

/** Throws `not-found` before `Invalid`: without an application there is no key that opens a seal. Throws `forbidden`. */
function readEvents(body: unknown, { access, env, now, request }: RequestContext): Body | Promise<Body> {
  const application = applicationOf(access)
  const { id, sealedPrivateKey, botId, verifiedOnly } = application
  const scope = collectingScopeOf(access)
  const canBeVerified = botId !== null && hasInitData(body)
  if (verifiedOnly && scope === 'client' && !canBeVerified) throw new Failure('forbidden', VERIFIED_ONLY)
  const privateKey = () => privateKeyOf(sealedPrivateKey, env.KEY_SEALING_SECRET)
  const arrival: Arrival = { now, scope, sender: readSender(request), privateKey }
  if (isBatch(body)) {
    const { INIT_DATA_PUBLIC_KEYS: publicKeys } = env
    const checking = { ...application, publicKeys }
    return readBatch(body, { arrival, checking }).then((reading) => ({ ...reading, notBefore: null }))
  }
  // Begins before the work whose duration must not show.
  const notBefore = isSilent(id, now) ? scheduler.wait(SILENT_ANSWER_MS) : null
  return { ...readBody(body, arrival), notBefore }
}

/** Throws `Invalid` if the sender is told. Otherwise the request goes on like a good one. */
async function refuseOrPretend({ fault, counts }: Unreadable, context: RequestContext): Promise<void> {
  const { access, now, defer } = context
  const applicationId = applicationOf(access).id
  const tellObject = (seals: number, day: number) => objectOf(context).countUnopenedSeals({ applicationId, day }, seals)
  if (await isUnopenedSealTold({ applicationId, now, counts, defer, tellObject })) throw new Invalid([fault])
}

function objectOf({ access, env }: RequestContext) {
  return env.APPLICATIONS.getByName(String(applicationOf(access).id))
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
