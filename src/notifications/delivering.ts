import { logError, logInfo } from '../base/log.ts'
import { daysLater, toIso } from '../base/time/days.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import type { DigestRule, MessageContent } from '../storage/subscription.ts'
import { askAs, type Delivering } from './asking.ts'
import { sendToChat } from './channels/messenger.ts'
import type { SendingResult } from './channels/sending.ts'
import { sendToWebhook } from './channels/webhook.ts'
import { openSecrets, signingSecrets } from './channels/webhook-secrets.ts'
import { checkAlert } from './checking.ts'
import { chatIdOf, hasConsented, NO_CONSENT } from './consents/consents.ts'
import { composeDigest } from './digest.ts'
import { digestPeriod } from './digest-period.ts'
import type { NotificationTask } from './due.ts'
import {
  claim,
  type DeliveryOutcome,
  type DueDelivery,
  selectDelivery,
  storeContent,
  updateDelivery,
  updateSubscription,
} from './sql.ts'

/** Longer than composing and sending takes. */
const SENDING_MS = 5 * 60_000
const TRIED_DAYS = 1
const PAUSES_MINUTES = [1, 2, 5, 10, 30, 60, 120, 240]

/** A task that failed comes again after 5, 10 and 20 seconds (`max_retries` in wrangler.toml). */
const RETRY_SECONDS = 5

/** The database says what is to be done and what was: a task that fails too often comes again with cron. */
export async function consumeNotifications(
  { messages }: Pick<MessageBatch, 'messages'>,
  delivering: Omit<Delivering, 'inTurn'>,
): Promise<{ failed: number }> {
  const inTurn = turnsByApplication()
  const outcomes = await Promise.all(
    messages.map(async (message) => {
      try {
        await work(String(message.body), { ...delivering, inTurn })
        return 0
      } catch (error) {
        logError('notification failed', error, { task: String(message.body) })
        message.retry({ delaySeconds: RETRY_SECONDS * 2 ** (message.attempts - 1) })
        return 1
      }
    }),
  )
  return { failed: outcomes.reduce<number>((sum, failed) => sum + failed, 0) }
}

function turnsByApplication(): Delivering['inTurn'] {
  const last = new Map<number, Promise<unknown>>()
  return (applicationId, work) => {
    const before = last.get(applicationId) ?? Promise.resolve()
    const turn = before.then(work)
    last.set(
      applicationId,
      turn.catch(() => undefined),
    )
    return turn
  }
}

async function work(body: string, delivering: Delivering): Promise<void> {
  const task: NotificationTask = JSON.parse(body)
  return task.check === undefined ? deliver(task.deliver, delivering) : checkAlert(task.check, delivering)
}

async function deliver(id: string, delivering: Delivering): Promise<void> {
  const { env, now, inTurn } = delivering
  const db = openDatabase(env.DB)
  const [due] = await selectDelivery(db, id, now())
  if (!due) return
  const { delivery, subscription } = due
  if (!due.mayGet) return finish(db, id, { status: 'failed', answer: OFF, doneAt: now() })
  // What a webhook gets has an identity, so that it may come twice; what a person gets has none.
  if (delivery.status === 'sending' && subscription.target.type !== 'webhook')
    return finish(db, id, { status: 'failed', answer: INTERRUPTED, doneAt: now() })
  if (delivery.content === null) {
    const isComposed = await inTurn(subscription.applicationId, () => compose(due, db, delivering))
    if (!isComposed) return
  }
  const [claimed] = await claim(db, { id, attempts: delivery.attempts, until: now() + SENDING_MS })
  if (!claimed?.content) return
  const sending = await send(due, claimed.content, delivering)
  const outcome = updateDelivery(db, id, { tryAt: null, ...outcomeOf(sending, { ...due, now: now() }) })
  if (sending?.kind !== 'refused' || !sending.isOff) return void (await outcome)
  const { httpStatus, answer } = sending
  // What a webhook answers need not say anything.
  const reason = subscription.target.type === 'webhook' && httpStatus ? `${httpStatus} ${answer}`.trimEnd() : answer
  const off = updateSubscription(db, subscription.id, { nextAt: null, problem: `Switched off: ${reason}` })
  // One without the other would leave the next message to a receiver that asked for none.
  await db.batch([outcome, off])
}

const OFF = 'The subscription is off, or its member was removed.'
const INTERRUPTED = 'The service stopped while it sent this. It may have arrived, so it is not sent again.'

function finish(db: BatchDatabase, id: string, outcome: Partial<DeliveryOutcome>): Promise<void> {
  return updateDelivery(db, id, { tryAt: null, ...outcome }).then(() => undefined)
}

/** Returns whether there is something to send. Throws what the questions throw, for a day. */
async function compose(
  { delivery, subscription, owner }: DueDelivery,
  db: BatchDatabase,
  { now, env }: Delivering,
): Promise<boolean> {
  try {
    const { every, questions } = subscription.rule as DigestRule
    const asked = await askAs(owner, { env, now: delivery.at })
    await storeContent(db, delivery.id, await composeDigest(digestPeriod(every, asked), questions, asked))
    return true
  } catch (error) {
    if (now() < daysLater(delivery.at, TRIED_DAYS)) throw error
    logError('digest not composed', error, { subscription: subscription.id })
    await finish(db, delivery.id, { status: 'failed', answer: NO_FIGURES, doneAt: now() })
    return false
  }
}

const NO_FIGURES = 'The figures could not be counted for a day.'

/** Null if there is no bot to send it. */
async function send(
  { delivery, subscription, owner }: DueDelivery,
  content: MessageContent,
  { env, now, fetch }: Delivering,
): Promise<SendingResult | null> {
  const { target, origin, sealedSecret } = subscription
  if (target.type === 'webhook') {
    const { id, kind, at } = delivery
    const data = {
      subscription: subscription.name,
      ...content.data,
      text: content.text,
      url: `${origin}${content.path}`,
    }
    const body = JSON.stringify({
      id,
      type: kind === 'digest' ? kind : `alert.${kind}`,
      application: owner.handle,
      at: toIso(at),
      data,
    })
    const stored = openSecrets(sealedSecret, env.KEY_SEALING_SECRET)
    if (stored === null)
      return { kind: 'later', httpStatus: null, answer: 'The secret of the webhook cannot be opened.' }
    const secrets = signingSecrets(stored, now())
    const { WEBHOOK_PORTS: ports } = env
    return sendToWebhook({ url: target.url, secrets, id, body, now: now() }, { fetch, ports })
  }
  const { BOT_TOKEN: token } = env
  if (token) {
    const chat = { accountId: owner.accountId, chatId: chatIdOf(target) }
    const hasAgreed = await hasConsented(chat, { db: openDatabase(env.DB), now: now(), fetch, token })
    if (hasAgreed) return sendToChat(target, content, { token, origin, fetch })
    if (hasAgreed === null) return { kind: 'later', httpStatus: null, answer: 'The messenger does not show the chat.' }
    return { kind: 'refused', httpStatus: null, answer: NO_CONSENT, isOff: true }
  }
  logInfo('message shown', { subscription: subscription.id, text: content.text })
  return null
}

/** Every later pause is longer; after a day a message has failed. */
function outcomeOf(
  sending: SendingResult | null,
  { delivery, now }: Pick<DueDelivery, 'delivery'> & { readonly now: number },
): Partial<DeliveryOutcome> {
  if (sending === null) return { status: 'shown', answer: null, doneAt: now }
  const { kind, httpStatus, answer } = sending
  if (kind === 'sent') return { status: 'sent', httpStatus, answer, doneAt: now }
  const pause = (PAUSES_MINUTES[delivery.attempts] ?? PAUSES_MINUTES.at(-1) ?? 0) * 60_000
  const tryAt = now + Math.max(pause, (kind === 'later' && sending.afterMs) || 0)
  if (kind === 'later' && tryAt < daysLater(delivery.at, TRIED_DAYS))
    return { status: 'waiting', httpStatus, answer, tryAt }
  return { status: 'failed', httpStatus, answer, doneAt: now }
}
