import type { Database } from '../../storage/database.ts'
import { DEFAULT_REVENUE_RULES, type RevenueRule } from '../../storage/revenue-rule.ts'
import { selectRevenueRules } from './sql.ts'

export interface OwnRules {
  readonly rules: readonly RevenueRule[]
  /** Whether the application has no rules of its own. */
  readonly areDefaults: boolean
}

/** Reads the rules that define an application's revenue. */
export async function readRevenueRules(db: Database, applicationId: number): Promise<OwnRules> {
  const [row] = await selectRevenueRules(db, applicationId)
  return ownRules(row?.rules ?? null)
}

/** The application's own rules or, if null, the defaults. */
export function ownRules(rules: readonly RevenueRule[] | null): OwnRules {
  return { rules: rules ?? DEFAULT_REVENUE_RULES, areDefaults: rules === null }
}
