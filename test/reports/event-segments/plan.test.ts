import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { EventSegmentsQuery } from '../../../src/reports/event-segments/query.ts'
import { selectActiveUsers, selectSegments } from '../../../src/reports/event-segments/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { planOf } from '../../support/plan.ts'

const EVENTS_OF_PERIOD = 'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND time>? AND time<?)'
const DAYS_OF_PERIOD = /^SEARCH (user_days|a|d) USING PRIMARY KEY \(application_id=\? AND day[>=]/

const country = { of: 'context', name: 'country' } as const
const amount = { of: 'params', name: 'amount' } as const
const plain = {
  applicationId: 1,
  event: 'Order',
  filters: [],
  groupBy: [],
  from: 20_030,
  to: 20_059,
  before: { from: 20_000, to: 20_029 },
}

const QUESTIONS = [
  ['an event', {}],
  ['an event, filtered', { filters: [{ property: amount, operator: 'greater', values: ['5'] }] }],
  [
    'an event, filtered by context',
    { filters: [{ property: country, operator: 'is not', values: ['Germany', 'India'] }] },
  ],
  ['an event, grouped', { groupBy: [country, amount] }],
  ['any event', { event: null }],
  ['any event, grouped', { event: null, groupBy: [country] }],
  ['any event, filtered', { event: null, filters: [{ property: amount, operator: 'set is', values: ['5'] }] }],
] as const

describe.each(QUESTIONS)('%s', (_, parts) => {
  it.each(['uniques', 'totals', 'average', 'pct_dau'] as const)(
    'reads nothing but the periods for %s',
    async (mode) => {
      const query = { ...plain, mode, ...parts } as EventSegmentsQuery
      const plan = await planOf(selectSegments(openDatabase(env.DB), query))
      const events = plan.filter((step) => / e( |$)/.test(step))
      const days = plan.filter((step) => /user_days| a( |$)/.test(step))
      expect(new Set(events)).toEqual(new Set(days.length > 0 && events.length === 0 ? [] : [EVENTS_OF_PERIOD]))
      for (const step of days) expect(step).toMatch(DAYS_OF_PERIOD)
      expect(plan.filter((step) => /SCAN (events|user_days|contexts|event_names|e|c|n|a)\b/.test(step))).toEqual([])
    },
  )
})

it.each(['uniques', 'totals', 'average'] as const)('sorts nothing to tell %s day by day', async (mode) => {
  const plan = await planOf(selectSegments(openDatabase(env.DB), { ...plain, mode }))
  expect(plan.filter((step) => /GROUP BY|ORDER BY/.test(step))).toEqual([])
})

it('counts the users of each day in the order in which they lie', async () => {
  const plan = await planOf(selectActiveUsers(openDatabase(env.DB), { ...plain, mode: 'pct_dau' }))
  expect(plan.filter((step) => /GROUP BY|ORDER BY/.test(step))).toEqual([])
  expect(plan.filter((step) => DAYS_OF_PERIOD.test(step))).toHaveLength(3)
})
