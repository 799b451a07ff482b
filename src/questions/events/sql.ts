import { and, eq } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { users } from '../../storage/schema.ts'

/** A user of an application. */
export interface EventUser {
  readonly applicationId: number
  readonly telegramId: number
}

/** When a user was first active, in milliseconds; no row for a user who was never seen. */
export function selectFirstActivity(db: Database, { applicationId, telegramId }: EventUser) {
  return db
    .select({ time: users.firstActiveAt })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)))
}
