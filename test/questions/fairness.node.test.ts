import { expect, it } from 'vitest'
import { dividedByDay, undivided } from '../../src/base/time/divided-period.ts'
import { openDictionary, TooManyPairs } from '../../src/columns/selection/dictionary.ts'
import { WHOLE } from '../../src/columns/selection/share.ts'
import { replyTo } from '../../src/object/answering.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { columnsOf } from '../support/columns.ts'
import { DAY_MS } from '../support/event-history.ts'

const EVENTS = 20_000
const TODAY = 20_000
/** The most values that may be looked up between two yields. */
const MOST_AT_ONCE = 1_024

/** One segment of events that all differ, of one user: nothing but their values takes many steps. */
const columns = columnsOf(
  Array.from({ length: EVENTS }, (_, index) => ({
    event_id: `event ${index}`,
    event_type: 'paid',
    telegram_id: 1,
    datetime: TODAY * DAY_MS + index,
    params: { order: `order ${index}`, amount: index },
  })),
  { eventsPerSegment: EVENTS },
)

const period = { from: TODAY, to: TODAY }
const before = { from: TODAY - 1, to: TODAY - 1 }
const order = { of: 'params', name: 'order' }
const segments = {
  event: 'paid',
  mode: 'uniques',
  filters: [],
  groupBy: [],
  period: dividedByDay(columns.calendar, period),
  before: undivided(before),
  isFirstTime: false,
  groups: null,
}
const containing = { property: order, operator: 'contains', values: ['99'] }
const RULE = { event: 'paid', filters: [], kind: 'sale', amount: 'params.amount', currency: 'XTR', unit: 'major' }
const filtered = { ...period, filters: [containing] }
const REFUNDS = { ...RULE, filters: [{ prop: 'params.order', op: 'contains', values: ['99'] }], kind: 'refund' }
const retention = {
  startEvent: null,
  returnEvent: null,
  mode: 'n',
  filters: [containing],
  groupBy: null,
  bounds: [TODAY, TODAY + 1],
  groups: null,
}
const paths = { ...filtered, direction: 'after', steps: 2, excludesPageviews: false, targets: null }
const funnel = {
  steps: ['paid', 'paid'],
  order: 'ordered',
  excluded: [],
  windowMilliseconds: DAY_MS,
  filters: [],
  groupBy: [order],
  period,
  before,
  groups: null,
  objects: 1,
  ranges: null,
}

it.each([
  ['event segments by interval', 'by a parameter', { ...segments, groupBy: [order] }],
  ['event segments by interval', 'by two parameters', { ...segments, groupBy: [order, { ...order, name: 'amount' }] }],
  [
    'event segments by interval',
    'of first times, by a parameter',
    { ...segments, isFirstTime: true, groupBy: [order] },
  ],
  ['event segments by interval', 'filtered by a parameter', { ...segments, filters: [containing] }],
  ['funnel', 'by a parameter', funnel],
  ['funnel', 'in strict order, by a parameter', { ...funnel, order: 'strict' }],
  ['funnel', 'filtered by a parameter', { ...funnel, groupBy: [], filters: [containing] }],
  [
    'funnel',
    'in strict order, filtered by a parameter',
    { ...funnel, groupBy: [], order: 'strict', filters: [containing] },
  ],
  ['sessions', 'filtered by a parameter', { ...filtered, before }],
  ['retention', 'filtered by a parameter', retention],
  ['retention', 'after an event, filtered by a parameter', { ...retention, startEvent: 'paid' }],
  ['paths', 'after an event, filtered by a parameter', { ...paths, event: 'paid' }],
  ['paths', 'of sessions, filtered by a parameter', { ...paths, event: null }],
  [
    'property values',
    'of a parameter',
    { ...period, property: order, contains: '', filters: [], limit: 50, share: null },
  ],
  [
    'revenue',
    'by a parameter',
    { ...period, before, filters: [], rules: [RULE], currency: 'XTR', groupBy: order, groups: null },
  ],
  [
    'revenue',
    'by rules with a filter',
    { ...period, before, filters: [], rules: [REFUNDS], currency: 'XTR', groupBy: null, groups: null },
  ],
])('%s %s yield before reading very many values', (name, _, query) => {
  const steps = REPORTS.get(name)?.part(columns, query)
  let taken = 0
  while (!steps?.next().done) taken += 1
  expect(taken).toBeGreaterThanOrEqual(Math.floor(EVENTS / MOST_AT_ONCE))
})

it('pairs of values that exceed one dictionary are rejected, while single values take further passes', () => {
  const pairs = openDictionary(WHOLE)
  const single = openDictionary(WHOLE)
  for (let index = 0; index < 65_536; index++) {
    pairs.ordinalOf([`${index}`, 'pair'])
    single.ordinalOf([`${index}`])
  }
  expect(single.ordinalOf(['one more'])).toBe(0xffff_ffff)
  expect(single.isOverfull).toBe(true)
  expect(pairs.ordinalOf(['7', 'pair'])).toBe(7)
  expect(() => pairs.ordinalOf(['one', 'more'])).toThrow(TooManyPairs)
  expect(replyTo(new TooManyPairs())).toEqual({ kind: 'too many pairs' })
})
