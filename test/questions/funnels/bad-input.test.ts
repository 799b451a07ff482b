import { beforeAll, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { getDirectly } from '../../support/direct-request.ts'

interface Fault {
  readonly loc: (string | number)[]
  readonly msg: string
  readonly type: string
}

let key: string
beforeAll(async () => {
  ;({ key } = await createPlainApplication())
})

const LONG = 'x'.repeat(256)

it.each([
  ['an excluded step', 'exclude=View', [['exclude', 0, 'value_error']]],
  [
    'one among others, as JSON',
    'exclude=["Leave","Order","View"]',
    [
      ['exclude', 1, 'value_error'],
      ['exclude', 2, 'value_error'],
    ],
  ],
  [
    'one that is a step once control characters are spaces',
    'events=A%20B&exclude=A%09B',
    [['exclude', 0, 'value_error']],
  ],
  ['an unknown order', 'order=loose', [['order', 'enum']]],
  ['two orders', 'order=any&order=strict', [['order', 'enum']]],
  ['six excluded names', 'exclude=["a","b","c","d","e","f"]', [['exclude', 'too_long']]],
  ['an empty one', 'exclude=', [['exclude', 0, 'string_too_short']]],
  [
    'one that is too long, and a step',
    `exclude=${LONG}&exclude=View`,
    [
      ['exclude', 0, 'string_too_long'],
      ['exclude', 1, 'value_error'],
    ],
  ],
  ['numbers', 'exclude=[1]', [['exclude', 0, 'string_type']]],
  [
    'an excluded step among other faults',
    'exclude=View&window_seconds=0&group_by=age',
    [
      ['exclude', 0, 'value_error'],
      ['group_by', 0, 'enum'],
      ['window_seconds', 'greater_than_equal'],
    ],
  ],
])('rejects %s', async (_, parameters, expected) => {
  const { detail } = await getDirectly<{ detail: Fault[] }>(`/funnels?events=View&events=Order&${parameters}`, key)
  const told = detail.map(({ loc, type }) => [...loc.slice(1), type])
  expect(told.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual(expected)
})

it.each([
  ['no excluded names', 'exclude=[]'],
  ['five, one of them twice', 'exclude=["a","b","c","d","a"]'],
  ['any event as a name like others', 'exclude=_active'],
  ['one name that begins like an array', 'exclude=[TS] Transaction signed'],
  ['an array that breaks off, which is a name', 'exclude=["a'],
])('accepts %s', async (_, parameters) => {
  expect(await getDirectly(`/funnels?events=View&events=Order&${parameters}`, key)).toMatchObject({ status_code: 200 })
})
