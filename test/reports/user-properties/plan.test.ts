import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { AGGREGATION_PARAMS } from '../../../src/reports/user-properties/contract.ts'
import { selectValues } from '../../../src/reports/user-properties/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { planOf } from '../../support/plan.ts'

it.each(AGGREGATION_PARAMS)('reads no days but those of the period, and those once, for %s', async (property) => {
  const query = { applicationId: 1, property, limit: 20, from: 20_000, to: 20_029 }
  const plan = await planOf(selectValues(openDatabase(env.DB), query))
  expect(plan.filter((step) => step.includes('user_days'))).toEqual([
    'SEARCH user_days USING PRIMARY KEY (application_id=? AND day>? AND day<?)',
  ])
  expect(plan.filter((step) => step.includes('contexts'))).toEqual([
    'SEARCH contexts USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})
