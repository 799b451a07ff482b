import { expect, it } from 'vitest'
import { nearestName } from '../../src/dashboard/nearest-name.ts'

it.each([
  ['Order payd', ['Order', 'Order paid', 'Ordered'], 'Order paid'],
  ['order paid', ['Order paid'], 'Order paid'],
  ['Ordr', ['Order', 'Ort'], 'Order'],
  ['Order paid', ['Order paid', 'Order pait'], null],
  ['Checkout', ['Order paid', 'Session start'], null],
  ['ab', ['ac'], null],
  ['', ['a'], null],
  ['Покпка', ['Покупка'], 'Покупка'],
])('of %j among %j is %j', (typed, names, nearest) => {
  expect(nearestName(typed, names)).toBe(nearest)
})
