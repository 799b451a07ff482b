import { app } from './app.ts'
import { consume } from './collection/consumer.ts'
import { wakeRollups } from './rollups/wake.ts'
import { runJob } from './schedule.ts'
import { openDatabase } from './storage/database.ts'

export { RollupObject } from './rollups/rollup-object.ts'

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runJob(controller, env),
  queue: async (batch, env) => {
    const stored = await consume(batch, { db: openDatabase(env.DB), deadLetters: env.DEAD_LETTERS, now: Date.now() })
    await wakeRollups(stored, env.ROLLUPS)
  },
} satisfies ExportedHandler<Env>
