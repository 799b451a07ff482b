import { daysLater } from '../base/time/days.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { nextDue } from './moments.ts'
import { advance, deleteOldDeliveries, insertDelivery, postpone, selectDue, selectWaiting } from './sql.ts'

/** What is to be done: an alert is checked, or a message is sent. */
export type NotificationTask =
  | { readonly check: string; readonly deliver?: never }
  | { readonly deliver: string; readonly check?: never }

const AT_ONCE = 200
const MESSAGES_AT_ONCE = 100
const MAX_WAITING = 5_000
/** The days for which messages are stored. */
export const KEPT_DAYS = 30

/**
 * Enqueues what is due. The message of a digest is stored in the same batch in which its subscription is advanced; the queue only wakes
 * who sends it, and the next run wakes again for whatever was not done.
 */
export async function enqueueDue(env: Env, now: number): Promise<{ checks: number; messages: number }> {
  const db = openDatabase(env.DB)
  const checks: string[] = []
  for (let isMore = true; isMore; ) {
    const due = await selectDue(db, now, AT_ONCE)
    for (const { id, rule } of due) if (rule.type !== 'digest') checks.push(id)
    await advanceAll(db, due, now)
    isMore = due.length === AT_ONCE
  }
  const waiting = await selectWaiting(db, now, MAX_WAITING)
  const tasks: NotificationTask[] = [
    ...checks.map((check) => ({ check })),
    ...waiting.map(({ id }) => ({ deliver: id })),
  ]
  await enqueue(tasks, env)
  return { checks: checks.length, messages: waiting.length }
}

async function advanceAll(db: BatchDatabase, due: Awaited<ReturnType<typeof selectDue>>, now: number): Promise<void> {
  const [first, ...rest] = due.flatMap(({ id, rule, revision }) => {
    const nextAt = nextDue(rule, now)
    if (rule.type !== 'digest') return [postpone(db, { id, nextAt })]
    return [
      insertDelivery(db, { subscriptionId: id, revision, kind: 'digest', at: now, content: null }),
      advance(db, { id, revision, changes: { nextAt, snoozedUntil: null } }),
    ]
  })
  if (first) await db.batch([first, ...rest])
}

export async function enqueue(tasks: readonly NotificationTask[], env: Env): Promise<void> {
  for (let from = 0; from < tasks.length; from += MESSAGES_AT_ONCE) {
    await env.NOTIFICATIONS.sendBatch(
      tasks.slice(from, from + MESSAGES_AT_ONCE).map((body) => ({ body: JSON.stringify(body), contentType: 'text' })),
    )
  }
}

/** Messages are shown for a month. */
export async function forgetDeliveries(env: Env, now: number): Promise<number> {
  return (await deleteOldDeliveries(openDatabase(env.DB), daysLater(now, -KEPT_DAYS))).length
}
