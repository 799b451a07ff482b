import type { Handler } from 'hono'
import { type ApplicationAccess, applicationOf, collectingScopeOf } from '../access/access.ts'
import { keyId } from '../access/api-keys.ts'
import { VERIFIED_ONLY } from '../access/refusals.ts'
import { readKeyPair } from '../accounts/applications/first-key-pair.ts'
import { privateKeyOf } from '../accounts/applications/key-pair.ts'
import { isReported } from '../accounts/new-keys.ts'
import { findSpentQuotas, takeFromQuotas } from '../accounts/quotas/meter.ts'
import { quotaSpent, shareOf, type Use } from '../accounts/quotas/quota.ts'
import { isSealReported, isSilent } from '../accounts/quotas/unopened-seals.ts'
import { Failure, Invalid } from '../base/errors.ts'
import type { Event } from '../base/event.ts'
import { logError } from '../base/log.ts'
import { ACCEPTED, SUCCESS } from '../http/api/answers.ts'
import { operation } from '../http/api/operation.ts'
import type { AppEnv, RequestContext } from '../http/context.ts'
import { mainObject } from '../storage/application-objects.ts'
import { collectSdkEvents } from './analytics-sdk/contract.ts'
import type { EventArrival } from './arrival.ts'
import {
  type BodyReading,
  hasInitData,
  isBatch,
  isSealed,
  readBatch,
  readBody,
  readSdkBody,
  type Unreadable,
} from './body.ts'
import { collectEvents, NOT_KEPT } from './contract.ts'
import { bytesOf } from './event-batch.ts'
import { rememberAccepted } from './known/accepted.ts'
import { hasNewUsers } from './known/known.ts'
import { sendMessages, toMessages } from './message.ts'
import { readSender } from './sender.ts'

export const collectEventsRoute = operation(
  collectEvents,
  { header: 'x-api-key', scope: 'client', budget: 'collection' },
  async ({ body: { events, leftOut, unreadable, notBefore } }, context) => {
    const accepted = Math.max(events.length, 1)
    try {
      if (unreadable) await refuseOrPretend(unreadable, context)
      await collect({ events, isSilent: notBefore !== null }, context)
    } finally {
      await notBefore
    }
    return { ...SUCCESS, accepted, ...toldOf(leftOut) }
  },
  { readBody: readEvents },
)

export const collectSdkEventsRoute = operation(
  collectSdkEvents,
  { header: 'tga-auth-token', scope: 'client', budget: 'collection' },
  async ({ body: { events, leftOut } }, context) => {
    await collect({ events, isSilent: false }, context)
    return { ...ACCEPTED, accepted: events.length, ...toldOf(leftOut) }
  },
  { readBody: readSdkEvents, takesGzip: true },
)

/**
 * How many events of each name `@telegram-apps/analytics` sends until the page is loaded again; all of those that are missing here. A session
 * ends once.
 */
export const sdkThreshold: Handler<AppEnv> = (c) => c.json({ 'app-hide': 1 })

/**
 * What `@telegram-apps/analytics` asks for besides, and reports as an error if it is missing: two parts of a puzzle for the device
 * (1.4), and the place for its fingerprint (1.6). They are empty, and nothing of the request is stored.
 */
export const SDK_EXTRAS = [
  '/c3e068ebf11840ed3fc311a6f2df80b20fa05d25',
  '/aee7c93a9ae7930fb19732325d2c560c53849aa7',
  '/events/fingerprint',
]

export const sdkExtra: Handler<AppEnv> = (c) => c.body(null, 204)

/** Throws `not-found`, `forbidden` and `Invalid`. */
function readSdkEvents(body: unknown, context: RequestContext): BodyReading {
  return readSdkBody(body, arrivalOf(applicationOf(context.access), context, { canBeVerified: false }))
}

function toldOf(leftOut: BodyReading['leftOut']) {
  return leftOut.length > 0 ? { left_out: leftOut } : {}
}

interface Collecting {
  readonly events: readonly Event[]
  /** Whether the answer must reveal nothing about the events. */
  readonly isSilent: boolean
}

/** Throws `too-many` if a quota is spent, `unavailable` if the queue does not take the events. */
async function collect({ events, isSilent }: Collecting, context: RequestContext): Promise<void> {
  const { env, access, now, defer } = context
  const applicationId = applicationOf(access).id
  const scope = collectingScopeOf(access)
  const share = shareOf(scope, events[0]?.properties.verified === true)
  const reportToObject = (use: Use, day: number) => objectOf(context).countUse(day, use, 'request')
  const use = { events: events.length, bytes: bytesOf(events) }
  const taking = { applicationId, share, ...use, now, defer, reportToObject }
  const spent = findSpentQuotas(taking)
  if (spent.includes('newUsers') && (await hasNewUsers(events, { applicationId, env, now }))) {
    if (isSilent) return
    throw quotaSpent('newUsers', now)
  }
  await takeFromQuotas(taking)
  try {
    await sendMessages(env.EVENTS, toMessages({ applicationId, scope, spent }, events))
  } catch (cause) {
    throw new Failure('unavailable', NOT_KEPT, { cause })
  }
  rememberAccepted(applicationId, events)
  reportNewKey(events.at(-1), context)
}

/** For the page that waits for a new key's first event. If the object does not answer, the next event is reported. */
function reportNewKey(event: Event | undefined, context: RequestContext): void {
  const { access, now, defer } = context
  if (!event || !isReported(access, now)) return
  const { name, telegramId, time } = event
  const reporting = objectOf(context).noteEventOfKey(keyId(access.keyHash), { name, telegramId, time })
  defer(reporting.catch((error) => logError('event of a key not told', error)))
}

/** The least duration of an answer to a sealed event while failures are not reported. Opening and queueing one takes less. */
const SILENT_ANSWER_MS = 250

interface Body extends BodyReading {
  /** Resolves when the answer may be sent. */
  readonly notBefore: Promise<void> | null
}

/** Throws `not-found` before `Invalid`: without an application there is no key that opens a seal. Throws `forbidden`. */
function readEvents(body: unknown, context: RequestContext): Body | Promise<Body> {
  const application = applicationOf(context.access)
  const { id, sealedPrivateKey } = application
  if (sealedPrivateKey !== '' || !isSealed(body)) return readEventsOf(application, body, context)
  // Its key pair may be younger than this copy of it.
  return readKeyPair(context.db, id).then((pair) => readEventsOf({ ...application, ...pair }, body, context))
}

function readEventsOf(application: ApplicationAccess, body: unknown, context: RequestContext): Body | Promise<Body> {
  const { env, now } = context
  const { id, botId } = application
  const arrival = arrivalOf(application, context, { canBeVerified: botId !== null && hasInitData(body) })
  if (isBatch(body)) {
    const { INIT_DATA_PUBLIC_KEYS: publicKeys } = env
    const checking = { ...application, publicKeys }
    return readBatch(body, { arrival, checking }).then((reading) => ({ ...reading, notBefore: null }))
  }
  // Begins before the work whose duration must not show.
  const notBefore = isSilent(id, now) && isSealed(body) ? scheduler.wait(SILENT_ANSWER_MS) : null
  return { ...readBody(body, arrival), notBefore }
}

/** Throws `forbidden` for events that nobody can verify. */
function arrivalOf(
  { sealedPrivateKey, verifiedOnly }: ApplicationAccess,
  { access, env, now, request }: RequestContext,
  { canBeVerified }: Checkable,
): EventArrival {
  const scope = collectingScopeOf(access)
  if (verifiedOnly && scope === 'client' && !canBeVerified) throw new Failure('forbidden', VERIFIED_ONLY)
  const privateKey = () => (sealedPrivateKey === '' ? '' : privateKeyOf(sealedPrivateKey, env.KEY_SEALING_SECRET))
  return { now, scope, sender: readSender(request), privateKey }
}

interface Checkable {
  readonly canBeVerified: boolean
}

/** Throws `Invalid` if the sender is told. Otherwise the answer is that of a good event: nothing is stored, but a spent quota is reported. */
async function refuseOrPretend({ fault, counts }: Unreadable, context: RequestContext): Promise<void> {
  const { access, now, defer } = context
  const applicationId = applicationOf(access).id
  const countInObject = (seals: number, day: number) => objectOf(context).countUnopenedSeals(day, seals)
  if (await isSealReported({ applicationId, now, counts, defer, countInObject })) throw new Invalid([fault])
}

function objectOf({ access, env }: RequestContext) {
  return mainObject(applicationOf(access).id, env.APPLICATIONS)
}
