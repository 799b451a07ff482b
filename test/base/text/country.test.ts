import { expect, it } from 'vitest'
import { toCountryName } from '../../../src/base/text/country.ts'

it.each([
  ['US', 'United States'],
  ['us', 'United States'],
  ['Gb', 'United Kingdom'],
  ['XK', 'Kosovo'],
  ['XX', null],
  ['T1', null],
  ['t1', null],
  ['ZZ', null],
  ['QX', 'QX'],
  ['United States', 'United States'],
  ['USA', 'USA'],
  ['ж', 'ж'],
  [null, null],
])('calls %j %j', (country, name) => {
  expect(toCountryName(country)).toBe(name)
})
