import { expect, it } from 'vitest'
import { pathsReport } from '../../../src/questions/paths/paths.ts'
import { columnsOf } from '../../support/columns.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { runToEnd } from '../../support/parts.ts'

const HALF_AN_HOUR = DAY_MS / 48
const DAYS = 9

/** Somebody who never pauses, with an event every half hour. */
function restless(telegram_id: number, nameOf: (place: number) => string) {
  return Array.from({ length: DAYS * 48 }, (_, place) => ({
    event_id: `${telegram_id} ${place}`,
    event_type: nameOf(place),
    telegram_id,
    datetime: place * HALF_AN_HOUR,
  }))
}

const columns = columnsOf([
  ...restless(1, (place) => (place % 2 === 0 ? 'a' : 'b')),
  ...restless(2, () => 'c'),
  ...restless(3, (place) => `day ${Math.floor(place / 48)}`),
])

it.each([
  ['after', 'a', 5, [4, 5]],
  ['before', 'a', 5, [3, 4]],
  ['after', 'c', 5, [4, 5, 6, 7, 8, 9]],
  ['before', 'c', 5, [-1, 0, 1, 2, 3, 4]],
  ['after', 'day 4', 1, [4, 5]],
  ['after', 'day 4', 3, [4, 5, 6, 7]],
  ['before', 'day 4', 2, [2, 3, 4]],
  ['after', 'never', 5, []],
  // The day before says whether a session begins.
  ['after', null, 5, [3, 4]],
  ['before', null, 5, [4, 5]],
] as const)(
  'paths %s %s in %i steps are read to their own end, not to that of sessions',
  (direction, event, steps, days) => {
    const looked = new Set<number>()
    const recorded = {
      ...columns,
      timelinesOf(...[day, users]: Parameters<typeof columns.timelinesOf>) {
        looked.add(day)
        return columns.timelinesOf(day, users)
      },
    }
    const query = { event, direction, steps, excludesPageviews: false, filters: [], from: 4, to: 4, targets: null }
    runToEnd(pathsReport.part(recorded, query))
    expect([...looked].sort((a, b) => a - b)).toEqual(days)
  },
)
