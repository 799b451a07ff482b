import { ownerOf } from '../../access/access.ts'
import { findByHandle } from '../../accounts/applications/applications.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { getRevenueRules, replaceRevenueRules } from './contract.ts'
import { type OwnRules, ownRules, readRevenueRules } from './rules.ts'
import { updateRevenueRules } from './sql.ts'

export const getRevenueRulesRoute = operation(
  getRevenueRules,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    return toWire(await readRevenueRules(db, id))
  },
)

export const replaceRevenueRulesRoute = operation(
  replaceRevenueRules,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, body }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    await updateRevenueRules(db, id, body.rules)
    return toWire(ownRules(body.rules))
  },
)

function toWire({ rules, areDefaults }: OwnRules) {
  const wire = rules.map(({ filters, ...rule }) => ({
    ...rule,
    filters: filters.map(({ values, ...filter }) => ({ ...filter, values: [...values] })),
  }))
  return { data: { rules: wire, are_defaults: areDefaults }, ...SUCCESS }
}
