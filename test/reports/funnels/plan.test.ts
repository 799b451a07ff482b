import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { FunnelQuery } from '../../../src/reports/funnels/query.ts'
import { selectFunnel } from '../../../src/reports/funnels/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { planOf } from '../../support/plan.ts'

const EVENTS_OF_PERIOD = 'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND time>? AND time<?)'
const ENTRY = 'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND time=? AND telegram_id=?)'

const query: FunnelQuery = {
  applicationId: 1,
  steps: ['View', 'Basket', 'Order'],
  windowMilliseconds: 86_400_000,
  filters: [],
  groupBy: [],
  period: { from: 20_030, to: 20_059 },
  before: { from: 20_000, to: 20_029 },
}

async function eventSteps(asked: FunnelQuery): Promise<string[]> {
  const plan = await planOf(selectFunnel(openDatabase(env.DB), asked))
  expect(plan.filter((step) => /SCAN (events|contexts|event_names|e|c|n)\b/.test(step))).toEqual([])
  return plan.filter((step) => / e( |$)/.test(step))
}

it('reads the events of the steps, of the periods and their windows, and those once', async () => {
  expect(await eventSteps(query)).toEqual([EVENTS_OF_PERIOD])
})

it('reads no more where a name comes twice', async () => {
  expect(await eventSteps({ ...query, steps: ['View', 'Basket', 'View'] })).toEqual([EVENTS_OF_PERIOD])
})

it('finds the entry of each user by its key', async () => {
  const groupBy = [{ of: 'context', name: 'country' }] as const
  expect(await eventSteps({ ...query, groupBy })).toEqual([EVENTS_OF_PERIOD, ENTRY])
})

it('sorts once more for each step more', async () => {
  const countSorts = async (steps: FunnelQuery['steps']) => {
    const plan = await planOf(selectFunnel(openDatabase(env.DB), { ...query, steps }))
    return plan.filter((step) => /TEMP B-TREE FOR/.test(step)).length
  }
  expect(await countSorts([...query.steps, 'Thanks'])).toBe((await countSorts(query.steps)) + 1)
})
