import { ownerOf } from '../../access/access.ts'
import { findByHandle } from '../../accounts/applications/applications.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { DEFAULT_REVENUE_RULES, type RevenueRule } from '../../storage/revenue-rule.ts'
import { getRevenueRules, replaceRevenueRules } from './contract.ts'
import { selectRevenueRules, updateRevenueRules } from './sql.ts'

export const getRevenueRulesRoute = operation(
  getRevenueRules,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    const [row] = await selectRevenueRules(db, id)
    return toWire(row?.rules ?? null)
  },
)

export const replaceRevenueRulesRoute = operation(
  replaceRevenueRules,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, body }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    await updateRevenueRules(db, id, body.rules)
    return toWire(body.rules)
  },
)

function toWire(rules: readonly RevenueRule[] | null) {
  const wire = (rules ?? DEFAULT_REVENUE_RULES).map(({ filters, ...rule }) => ({
    ...rule,
    filters: filters.map(({ values, ...filter }) => ({ ...filter, values: [...values] })),
  }))
  return { data: { rules: wire, are_defaults: rules === null }, ...SUCCESS }
}
