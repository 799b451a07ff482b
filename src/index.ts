import { app } from './app.ts'
import { consume } from './collection/consumer.ts'
import { openDatabase } from './storage/database.ts'

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(batch, { db: openDatabase(env.DB), deadLetters: env.DEAD_LETTERS }),
} satisfies ExportedHandler<Env>
