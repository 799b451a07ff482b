import { countNewEntries } from './accounts/quotas/new-entries.ts'
import { app } from './app.ts'
import { logJob } from './base/log.ts'
import { utcDayOf } from './base/time/days.ts'
import { consume } from './collection/consumer.ts'
import { DEAD_LETTER_QUEUE, keepDeadLetters } from './collection/dead-letters/dead-letters.ts'
import { consumeNotifications, NOTIFICATION_QUEUE } from './notifications/delivering.ts'
import { wakeObjects } from './questions/rollups/wake.ts'
import { runJob } from './schedule.ts'

export { ApplicationObject } from './object/application-object.ts'

/** Objects are told after the events are stored and not waited for: a silent one must not hold up the queue. */
async function deliver(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<{ objects: number }> {
  const stored = await consume(batch, { env, now: Date.now() })
  const { objects, growth } = stored
  context.waitUntil(
    Promise.all([
      wakeObjects(objects, env.APPLICATIONS),
      countNewEntries(growth, utcDayOf(Date.now()), env.APPLICATIONS),
    ]),
  )
  return { objects: objects.length }
}

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runJob(controller, env),
  queue: async (batch, env, context) => {
    const fields = { messages: batch.messages.length }
    if (batch.queue === DEAD_LETTER_QUEUE) await logJob('dead letters', () => keepDeadLetters(batch, env), fields)
    else if (batch.queue === NOTIFICATION_QUEUE)
      await logJob('notifications', () => consumeNotifications(batch, { env, now: Date.now(), fetch }), fields)
    else await logJob('delivery', () => deliver(batch, env, context), fields)
  },
} satisfies ExportedHandler<Env>
