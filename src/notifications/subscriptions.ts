import { sealPrivateKey } from '../accounts/applications/key-pair.ts'
import type { SealedTable } from '../accounts/applications/reseal.ts'
import { listSavedQuestions } from '../accounts/applications/saved-questions.ts'
import { listMembers } from '../accounts/members.ts'
import { Failure, type Fault, Invalid } from '../base/errors.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import type { AlertState, MessageTarget, SubscriptionRule } from '../storage/subscription.ts'
import { problemOfAddress } from './channels/public-address.ts'
import { newSecret, openSecrets, withNewer } from './channels/webhook-secrets.ts'
import { chatIdOf, hasConsented } from './consents/consents.ts'
import { nextDue } from './moments.ts'
import { hasSeries, isShowable, toSavedAddress } from './saved-series.ts'
import {
  changeSubscriptionRow,
  type DeliveryRow,
  deleteSubscriptionRows,
  insertSubscription,
  replaceSealed,
  type SubscriptionRow,
  selectLatestDeliveries,
  selectSealedOtherwise,
  selectSubscriptions,
} from './sql.ts'

export const MAX_SUBSCRIPTIONS = 200
const SHOWN_DELIVERIES = 5
export const SUBSCRIPTIONS_FULL = `An application has at most ${MAX_SUBSCRIPTIONS} subscriptions. Delete one you no longer need.`
export const NO_SUBSCRIPTION = 'The application has no subscription with this id.'

const NOT_STARTED: AlertState = { isActive: false, names: null }

/** The secrets that sign what webhooks get. */
export const WEBHOOK_SECRETS: SealedTable<string> = {
  select: selectSealedOtherwise,
  replace: replaceSealed,
  start: '',
  owner: 'subscription',
}

export interface Subscription extends SubscriptionRow {
  readonly deliveries: readonly DeliveryRow[]
}

/** Lists the subscriptions of an application, oldest first, with their latest messages. */
export async function listSubscriptions(db: Database, applicationId: number, id?: string): Promise<Subscription[]> {
  const rows = await selectSubscriptions(db, applicationId, id)
  const ids = rows.map((row) => row.id)
  const latest = ids.length === 0 ? [] : await selectLatestDeliveries(db, ids, SHOWN_DELIVERIES)
  return rows.map((row) => ({ ...row, deliveries: latest.filter(({ subscriptionId }) => subscriptionId === row.id) }))
}

/** Throws `not-found`. */
async function findSubscription(db: Database, applicationId: number, id: string): Promise<Subscription> {
  const [found] = await listSubscriptions(db, applicationId, id)
  if (!found) throw new Failure('not-found', NO_SUBSCRIPTION)
  return found
}

interface Subscribing {
  readonly db: BatchDatabase
  readonly applicationId: number
  readonly accountId: string
  readonly now: number
  readonly fetch: typeof fetch
  /** The token of the bot; without one, nothing is sent to chats. */
  readonly token: string | undefined
  /** `WEBHOOK_PORTS` of the deployment. */
  readonly ports: string | undefined
}

interface NewSubscription {
  readonly name: string
  readonly rule: SubscriptionRule
  readonly target: MessageTarget
  /** The address of the service, for links in messages. */
  readonly origin: string
  /** Seals the secret of a webhook. */
  readonly secrets: string
}

/** Returns the secret of a webhook once. Throws `Invalid`, and `conflict` if the application has too many. */
export async function addSubscription(
  { name, rule, target, origin, secrets }: NewSubscription,
  subscribing: Subscribing,
): Promise<{ readonly subscription: Subscription; readonly secret: string | null }> {
  const { db, applicationId, now } = subscribing
  const faults = [...(await ruleFaults(rule, subscribing)), ...(await targetFaults(target, subscribing))]
  if (faults.length > 0) throw new Invalid(faults)
  const secret = target.type === 'webhook' ? newSecret() : null
  const row = {
    id: crypto.randomUUID(),
    applicationId,
    name,
    rule,
    target,
    telegramId: target.type === 'member' ? target.telegram_id : null,
    sealedSecret: secret && sealPrivateKey(secret, secrets),
    origin,
    nextAt: rule.type === 'digest' ? nextDue(rule, now) : now,
    state: NOT_STARTED,
    createdAt: now,
  }
  const [added] = await insertSubscription(db, row, MAX_SUBSCRIPTIONS)
  if (!added) throw new Failure('conflict', SUBSCRIPTIONS_FULL)
  return { subscription: await findSubscription(db, applicationId, row.id), secret }
}

interface SubscriptionPatch {
  readonly name?: string | undefined
  readonly rule?: SubscriptionRule | undefined
  readonly isOn?: boolean | undefined
  readonly snoozedUntil?: number | null | undefined
  /** Makes it due then, once. */
  readonly nextAt?: number | undefined
}

/** Throws `not-found` and `Invalid`. */
export async function changeSubscription(
  id: string,
  { name, rule, isOn, snoozedUntil, nextAt }: SubscriptionPatch,
  subscribing: Subscribing,
): Promise<Subscription> {
  const { db, applicationId, now } = subscribing
  const before = await findSubscription(db, applicationId, id)
  const faults = rule ? await ruleFaults(rule, subscribing) : []
  if (faults.length > 0) throw new Invalid(faults)
  const next = { ...before, ...(rule && { rule }), ...(snoozedUntil !== undefined && { snoozedUntil }) }
  const isOff = isOn === undefined ? before.nextAt === null : !isOn
  // A new name changes nothing else.
  const isPlanned = rule === undefined && isOn === undefined && snoozedUntil === undefined
  await changeSubscriptionRow(db, id, {
    ...(name !== undefined && { name }),
    ...(rule && { rule, state: NOT_STARTED }),
    ...(!isPlanned && { snoozedUntil: next.snoozedUntil, nextAt: isOff ? null : dueAfterSnooze(next, now) }),
    ...(nextAt !== undefined && { nextAt, snoozedUntil: null }),
    ...((rule || isOn || nextAt !== undefined) && { problem: null }),
  })
  return findSubscription(db, applicationId, id)
}

function dueAfterSnooze({ rule, snoozedUntil }: Pick<SubscriptionRow, 'rule' | 'snoozedUntil'>, now: number): number {
  const from = Math.max(now, snoozedUntil ?? 0)
  return rule.type === 'digest' ? nextDue(rule, from) : from
}

export const NO_SECRET = 'Only webhooks have a secret.'
const SECRET_CHANGED = 'The secret is being changed by another request. Try again.'

/** Returns the new secret of a webhook once. Throws `not-found`, and `conflict` for other targets. */
export async function rotateSecret(
  id: string,
  { db, applicationId, now }: Subscribing,
  secrets: string,
): Promise<{ readonly subscription: Subscription; readonly secret: string }> {
  const subscription = await findSubscription(db, applicationId, id)
  const { sealedSecret: sealed } = subscription
  if (sealed === null) throw new Failure('conflict', NO_SECRET)
  const secret = newSecret()
  const stored = withNewer(secret, openSecrets(sealed, secrets) ?? '', now)
  const [replaced] = await replaceSealed(db, { id, sealed, resealed: sealPrivateKey(stored, secrets) })
  if (!replaced) throw new Failure('conflict', SECRET_CHANGED)
  return { subscription, secret }
}

/** Returns what was deleted. Throws `not-found`. */
export async function deleteSubscription(db: BatchDatabase, applicationId: number, id: string): Promise<Subscription> {
  const found = await findSubscription(db, applicationId, id)
  await db.batch(deleteSubscriptionRows(db, id))
  return found
}

async function ruleFaults(rule: SubscriptionRule, { db, applicationId }: Subscribing): Promise<Fault[]> {
  const asked = rule.type === 'digest' ? rule.questions : 'question' in rule ? [rule.question] : []
  if (asked.length === 0) return []
  const saved = await listSavedQuestions(db, applicationId)
  return asked.flatMap((name, index) => {
    const loc = ['body', 'rule', ...(rule.type === 'digest' ? ['questions', index] : ['question'])]
    const question = saved.find((one) => one.name === name)
    const msg = question ? problemOf(toSavedAddress(question.address), rule) : NO_QUESTION
    return msg === null ? [] : [{ loc, msg, type: 'value_error' }]
  })
}

const NO_QUESTION = 'Input should be the name of a saved report'

function problemOf(address: ReturnType<typeof toSavedAddress>, { type }: SubscriptionRule): string | null {
  if (type === 'digest') {
    return isShowable(address)
      ? null
      : 'Input should be a saved report about events, trends, funnels, revenue or users, without a breakdown'
  }
  return hasSeries(address)
    ? null
    : 'Input should be a saved report with one figure a day: events, trends, revenue or the overview, without a breakdown'
}

const NO_CHAT =
  'Input should be a group or channel that an administrator who signed in to the account connected, by sending /connect to the bot'
const NO_MEMBER = 'Input should be the id of a member of the account who signed in inside the messenger'

async function targetFaults(target: MessageTarget, subscribing: Subscribing): Promise<Fault[]> {
  const { db, accountId, now, fetch, token, ports } = subscribing
  if (target.type === 'webhook') {
    const msg = await problemOfAddress(target.url, { fetch, ports })
    return msg === null ? [] : [{ loc: ['body', 'target', 'url'], msg, type: 'value_error' }]
  }
  const [field, msg] = target.type === 'chat' ? ['chat_id', NO_CHAT] : ['telegram_id', NO_MEMBER]
  const chatId = chatIdOf(target)
  const isAllowed = token
    ? await hasConsented({ accountId, chatId }, { db, now, fetch, token })
    : target.type === 'chat' || (await listMembers(db, accountId)).some(({ telegramId }) => telegramId === chatId)
  return isAllowed ? [] : [{ loc: ['body', 'target', field], msg, type: 'value_error' }]
}
