import { countNewEntries } from './accounts/quotas/new-entries.ts'
import { app } from './app.ts'
import { logJob } from './base/log.ts'
import { consume } from './collection/consumer.ts'
import { keepDeadLetters } from './collection/dead-letters/dead-letters.ts'
import { consumeNotifications } from './notifications/delivering.ts'
import { wakeObjects } from './questions/rollups/wake.ts'
import { runJob } from './schedule.ts'
import { inJurisdiction } from './storage/application-objects.ts'
import { countOne } from './storage/handing-over.ts'

export { ApplicationObject } from './object/application-object.ts'

/** Objects are told after the events are stored and not waited for: a silent one must not hold up the queue. */
async function deliver(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<{ objects: number }> {
  const stored = await consume(batch, { env, now: Date.now() })
  const { objects, growth } = stored
  context.waitUntil(
    Promise.all([wakeObjects(objects, env.APPLICATIONS), countNewEntries(growth, Date.now(), env.APPLICATIONS)]),
  )
  return { objects: objects.length }
}

/** Queues other than that of events, as metrics name them: the ends of their names, whose beginnings are the operator's choice. */
const QUEUES = ['dead-letters', 'notifications'] as const

export default {
  fetch: (request: Request, env, context) => app.fetch(request, inJurisdiction(env), context),
  scheduled: (controller, env) => runJob(controller, inJurisdiction(env)),
  queue: async (batch, bound, context) => {
    const env = inJurisdiction(bound)
    const fields = { messages: batch.messages.length }
    const name = QUEUES.find((end) => batch.queue.endsWith(end)) ?? 'events'
    let outcome = 'failed'
    try {
      if (name === 'dead-letters') await logJob('dead letters', () => keepDeadLetters(batch, env), fields)
      else if (name === 'notifications')
        await logJob('notifications', () => consumeNotifications(batch, { env, now: Date.now, fetch }), fields)
      else await logJob('delivery', () => deliver(batch, env, context), fields)
      outcome = 'done'
    } finally {
      const labels = `{queue="${name}",outcome="${outcome}"}`
      countOne(`mauve_deliveries_total${labels}`, { env, context, now: Date.now() })
    }
  },
} satisfies ExportedHandler<Env>
