import { expect, it } from 'vitest'
import { WaitingLists } from '../../src/object/waiting-lists.ts'

function listing(ids: number) {
  const rule = {
    match: 'all' as const,
    revenueRules: [],
    conditions: [{ type: 'users' as const, telegramIds: new Float64Array(ids) }],
  }
  return { cohorts: [['a', rule]] as const }
}

it('lets questions wait whose cohorts list up to 2,000,000 users together, and any number of others', () => {
  const lists = new WaitingLists()
  const half = listing(1_000_000)
  expect([half, half, listing(1)].map((question) => lists.hasRoomFor(question))).toEqual([true, true, false])
  expect([{}, {}].map((question) => lists.hasRoomFor(question))).toEqual([true, true])
  lists.leave(half)
  expect([listing(1_000_000), listing(1)].map((question) => lists.hasRoomFor(question))).toEqual([true, false])
})
