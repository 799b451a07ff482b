import { Invalid } from '../base/errors.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import type { AlertRule, AlertState, MessageContent } from '../storage/subscription.ts'
import { check, type Finding, Unchecked } from './alerts.ts'
import { type Asked, askAs, type Delivering } from './asking.ts'
import { enqueue } from './due.ts'
import {
  advance,
  deliveryId,
  insertDelivery,
  type SubscriptionRow,
  selectSubscription,
  updateState,
  updateSubscription,
} from './sql.ts'

/** Checks an alert. If it starts or ends, its message is stored in the same batch as its new state, then enqueued. */
export async function checkAlert(id: string, { env, inTurn, ...delivering }: Delivering): Promise<void> {
  const now = delivering.now()
  const db = openDatabase(env.DB)
  const [found] = await selectSubscription(db, id)
  if (!found || found.subscription.rule.type === 'digest') return
  const { subscription, owner } = found
  const asked = await askAs(owner, { env, now })
  const rule = subscription.rule as AlertRule
  const finding = await inTurn(subscription.applicationId, () => checked(subscription, rule, { asked, db }))
  if (!finding) return
  const kind = kindOf(subscription.state, finding)
  const state: AlertState = { isActive: finding.isActive, names: finding.names }
  const { revision } = subscription
  if (kind === null) {
    const isSame = JSON.stringify(state) === JSON.stringify(subscription.state) && subscription.problem === null
    if (!isSame) await updateState(db, { id, revision, changes: { state, problem: null } })
    return
  }
  const content = contentOf(finding, { subscription, asked })
  await db.batch([
    insertDelivery(db, { subscriptionId: id, revision, kind, at: now, content }),
    advance(db, { id, revision, changes: { state, problem: null, snoozedUntil: null } }),
  ])
  await enqueue([{ deliver: deliveryId(id, revision) }], env)
}

/** Null if it cannot be checked now; the subscription says so if it cannot be checked at all. */
async function checked(
  subscription: SubscriptionRow,
  rule: AlertRule,
  { asked, db }: { asked: Asked; db: BatchDatabase },
) {
  try {
    return await check(rule, subscription, asked)
  } catch (error) {
    if (!(error instanceof Unchecked || error instanceof Invalid)) throw error
    const problem = error instanceof Unchecked ? error.message : 'The saved report cannot be answered any more.'
    await updateSubscription(db, subscription.id, { problem })
    return null
  }
}

function kindOf({ isActive }: AlertState, finding: Finding) {
  if (finding.isNoticed) return 'noticed' as const
  if (finding.isActive === isActive) return null
  return finding.isActive ? ('started' as const) : ('ended' as const)
}

function contentOf(
  { text, data, page }: Finding,
  { subscription, asked }: { readonly subscription: SubscriptionRow; readonly asked: Asked },
): MessageContent {
  const { name, handle } = asked.application
  const home = `/dashboard/${handle}`
  return {
    text: `${name}: ${subscription.name}\n${text}`,
    path: page === '' || page.startsWith('?') ? `${home}${page}` : `${home}/${page}`,
    data,
  }
}
