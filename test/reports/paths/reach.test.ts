import { expect, it } from 'vitest'
import { daysOfWholePaths } from '../../../src/reports/paths/reach.ts'
import { columnsOf } from '../../support/columns.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { runToEnd } from '../../support/parts.ts'

const HALF_AN_HOUR = DAY_MS / 48
const DAYS = 9

/** Somebody who never pauses, with these names one after another, over and over. */
function restless(telegram_id: number, names: readonly string[]) {
  return Array.from({ length: DAYS * 48 }, (_, place) => ({
    event_id: `${telegram_id} ${place}`,
    event_type: names[place % names.length] as string,
    telegram_id,
    datetime: place * HALF_AN_HOUR,
  }))
}

const columns = columnsOf([...restless(1, ['a', 'b']), ...restless(2, ['c'])])

it.each([
  ['after', 'a', { from: 4, to: 5 }],
  ['before', 'a', { from: 3, to: 4 }],
  ['after', 'c', { from: 4, to: 8 }],
  ['before', 'c', { from: 0, to: 4 }],
  ['after', 'never', { from: 4, to: 4 }],
] as const)('paths %s %s are followed as far as they go, not as far as sessions do', (direction, event, days) => {
  const query = { event, direction, steps: 5, filters: [], from: 4, to: 4, targets: null }
  expect(runToEnd(daysOfWholePaths(columns, query))).toEqual(days)
})
