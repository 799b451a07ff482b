import { expect, it } from 'vitest'
import { sourceReader } from '../../../src/base/sources.ts'
import { idsIn, withoutIds } from '../../../src/base/text/messenger-ids.ts'

it.each([
  ['ref_7234567890', 'ref_0', [7234567890]],
  ['7234567890', '0', [7234567890]],
  ['a7234567890b-7234567890', 'a0b-0', [7234567890, 7234567890]],
  ['72345678901', '72345678901', [72345678901]],
  ['07234567890', '07234567890', []],
  ['ref_0', 'ref_0', []],
  ['9007199254740993_5', '9007199254740993_5', [5]],
  ['summer5_5-5b', 'summer5_5-5b', [5]],
  ['', '', []],
])('the id in %j', (text, replaced, ids) => {
  expect(withoutIds(text, (id) => id === 7234567890)).toBe(replaced)
  expect(idsIn(text)).toEqual(ids)
})

it('a pattern that matched an id also matches its replacement, which is no referrer', () => {
  for (const pattern of ['ref_{referrer}', '{referrer}', 'r{referrer}d{campaign}', '{source}-{referrer}']) {
    const read = sourceReader([{ pattern, set: { medium: 'x' } }])
    const text = pattern.replace('{referrer}', '7234567890').replace('{campaign}', 'c').replace('{source}', 's')
    const { rule, values } = read(text)
    expect(values.referrer).toBe('7234567890')
    const replaced = read(withoutIds(text, () => true))
    expect(replaced.rule).toBe(rule)
    const source = pattern.includes('{source}') ? values.source : withoutIds(text, () => true)
    expect(replaced.values).toEqual({ ...values, source, referrer: undefined })
  }
})
