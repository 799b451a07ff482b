import { eq } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { applications } from '../../storage/schema.ts'

export function selectRevenueRules(db: Database, applicationId: number) {
  return db.select({ rules: applications.revenueRules }).from(applications).where(eq(applications.id, applicationId))
}

export function updateRevenueRules(db: Database, applicationId: number, rules: readonly RevenueRule[] | null) {
  return db.update(applications).set({ revenueRules: rules }).where(eq(applications.id, applicationId))
}
