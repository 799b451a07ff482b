import { expect, it } from 'vitest'
import { nearestOf } from '../../../src/base/text/nearest.ts'

it.each([
  ['strat', ['end', 'start', 'state'], 'start'],
  ['order PAID', ['Order payd', 'Order paid'], 'Order paid'],
  ['paid', ['pald', 'raid'], 'pald'],
  ['foo', ['of', 'to', 'filters'], null],
  ['limt', ['limit'], 'limit'],
  ['Subscription renewed', ['Subscription expired', 'Subscription'], 'Subscription expired'],
  ['Subscription renewed', ['Order paid'], null],
  ['start', ['start'], null],
  ['', ['a'], null],
  ['a'.repeat(101), [`${'a'.repeat(100)}b`], null],
])('the name meant by %j among %j', (typed, names, nearest) => {
  expect(nearestOf(typed, names)).toBe(nearest)
  expect(nearestOf(typed, names.toReversed())).toBe(nearest)
})
