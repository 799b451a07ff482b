import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { getDirectly } from '../../support/direct-request.ts'

const SEGMENTATION = '/events/segmentation?event=Order'
const FUNNEL = '/funnels?events=View&events=Order'

interface Fault {
  readonly loc: (string | number)[]
  readonly msg: string
  readonly type: string
}

let key: string
beforeAll(async () => {
  ;({ key } = await createPlainApplication())
})

async function faultsOf(path: string): Promise<Fault[]> {
  const { detail } = await getDirectly<{ detail: Fault[] }>(path, key)
  return detail
}

const PROPERTIES = [
  'is_premium',
  'language',
  'referrer_type',
  'os',
  'device',
  'brand',
  'model',
  'country',
  'city',
  'write_access',
  'start_parameter',
  'utm',
  'params.<name>',
]
const OPERATORS = [
  'is',
  'is not',
  'contains',
  'does not contain',
  'greater',
  'greater or equal',
  'less',
  'less or equal',
  'set is',
  'set is not',
]

function filters(...items: unknown[]): string {
  return `filters=${encodeURIComponent(JSON.stringify(items))}`
}

const good = { prop: 'os', op: 'is', values: ['ios'] }

describe.each([
  ['segmentation', SEGMENTATION],
  ['funnel', FUNNEL],
])('%s', (_, path) => {
  it.each([
    [
      'a filter that is no JSON',
      'filters=country',
      ['filters'],
      'json_invalid',
      ['line 1, column 1', 'prop', 'op', 'values'],
    ],
    ['JSON that breaks off', 'filters=[{', ['filters'], 'json_invalid', ['line 1, column 3']],
    ['an empty text', 'filters=', ['filters'], 'json_invalid', ['JSON']],
    ['the second of two that is no JSON', `${filters(good)}&filters=x`, ['filters', 1], 'json_invalid', ['JSON']],
    ['a filter that is a number', filters(good, 5), ['filters', 1], 'dict_type', []],
    ['a filter that is null', filters(null), ['filters', 0], 'dict_type', []],
    ['a filter without property', filters({ op: 'is', values: ['x'] }), ['filters', 0, 'prop'], 'missing', []],
    ['an unknown property', filters({ ...good, prop: 'age' }), ['filters', 0, 'prop'], 'enum', PROPERTIES],
    ['a property by its inner name', filters({ ...good, prop: 'name_id' }), ['filters', 0, 'prop'], 'enum', PROPERTIES],
    ['a property that is a number', filters({ ...good, prop: 5 }), ['filters', 0, 'prop'], 'string_type', []],
    ['a filter without operator', filters({ prop: 'os', values: ['x'] }), ['filters', 0, 'op'], 'missing', []],
    ['an unknown operator', filters({ ...good, op: '=' }), ['filters', 0, 'op'], 'enum', OPERATORS],
    ['an operator of every object', filters({ ...good, op: 'toString' }), ['filters', 0, 'op'], 'enum', OPERATORS],
    ['a filter without values', filters({ prop: 'os', op: 'is' }), ['filters', 0, 'values'], 'missing', []],
    ['empty values', filters({ ...good, values: [] }), ['filters', 0, 'values'], 'too_short', ['at least 1 item']],
    ['values that are no list', filters({ ...good, values: 'ios' }), ['filters', 0, 'values'], 'list_type', []],
    [
      'a value that is null',
      filters({ ...good, values: [null] }),
      ['filters', 0, 'values', 0],
      'string_type',
      ['number'],
    ],
    ['a value that is a list', filters({ ...good, values: ['a', []] }), ['filters', 0, 'values', 1], 'string_type', []],
    ['a value with a NUL', filters({ ...good, values: ['a\0'] }), ['filters', 0, 'values', 0], 'value_error', ['NUL']],
    ['half a pair', filters({ ...good, values: ['\ud800'] }), ['filters', 0, 'values', 0], 'value_error', ['half']],
    ['a property with a NUL', filters({ ...good, prop: 'params.\0' }), ['filters', 0, 'prop'], 'value_error', ['NUL']],
    [
      '101 values',
      filters({ ...good, values: new Array(101).fill('x') }),
      ['filters', 0, 'values'],
      'too_long',
      ['100'],
    ],
    [
      '101 values in all',
      filters(...[60, 41].map((count) => ({ ...good, values: new Array(count).fill('x') }))),
      ['filters'],
      'too_long',
      ['100'],
    ],
    [
      'an infinite value',
      'filters=[{"prop":"os","op":"is","values":[1e400]}]',
      ['filters', 0, 'values', 0],
      'string_type',
      ['finite'],
    ],
    ['a day before 1970', 'start=19691231', ['start'], 'value_error', ['YYYYMMDD']],
    ['eleven filters', filters(...new Array(11).fill(good)), ['filters'], 'too_long', ['at most 10 items']],
    ['an unknown group', 'group_by=age', ['group_by', 0], 'enum', PROPERTIES],
    ['an unknown group among others', 'group_by=os,age', ['group_by', 1], 'enum', PROPERTIES],
    ['an empty group', 'group_by=', ['group_by', 0], 'enum', PROPERTIES],
    ['a third group', 'group_by=os&group_by=city&group_by=brand', ['group_by', 2], 'too_long', ['2', ...PROPERTIES]],
    ['a third group after a comma', 'group_by=os,city,brand', ['group_by', 2], 'too_long', ['2']],
    ['an array of groups that breaks off', 'group_by=["os"', ['group_by', 0], 'enum', PROPERTIES],
    ['a group that is a number', 'group_by=[5]', ['group_by', 0], 'string_type', []],
    ['a start after the end', 'start=20261120&end=20261119', ['start'], 'value_error', ['after the end']],
    ['31 February', 'start=20260231', ['start'], 'value_error', ['YYYYMMDD']],
    ['a date in another form', 'end=2026-11-20', ['end'], 'value_error', ['YYYYMMDD']],
    ['a period of 400 days', 'start=20250101&end=20260204', ['start'], 'value_error', ['366']],
  ])('rejects %s', async (_, parameters, place, type, allowed) => {
    const faults = await faultsOf(`${path}&${parameters}`)
    expect(faults).toMatchObject([{ loc: ['query', ...place], type }])
    for (const word of allowed) expect(faults[0]?.msg).toContain(word)
  })

  it('reports all faults together', async () => {
    const wrong = [filters({ prop: 'age', op: '=', values: [] }), 'group_by=a,b,os', 'start=x', 'end=y'].join('&')
    const places = (await faultsOf(`${path}&${wrong}`)).map(({ loc }) => loc.slice(1).join(' '))
    expect(places.sort()).toEqual([
      'end',
      'filters 0 op',
      'filters 0 prop',
      'filters 0 values',
      'group_by 0',
      'group_by 1',
      'group_by 2',
      'start',
    ])
  })
})

it.each([
  ['no event', '/events/segmentation', ['event'], 'missing', []],
  ['an empty event', '/events/segmentation?event=', ['event'], 'string_too_short', ['1 character']],
  ['a long event', `/events/segmentation?event=${'x'.repeat(256)}`, ['event'], 'string_too_long', ['255']],
  ['two events', '/events/segmentation?event=a&event=b', ['event'], 'string_type', []],
  ['an event with a NUL', '/events/segmentation?event=%00', ['event'], 'value_error', ['NUL']],
  ['an unknown mode', `${SEGMENTATION}&mode=total`, ['mode'], 'enum', ['uniques', 'totals', 'average', 'pct_dau']],
  ['no events', '/funnels', ['events'], 'missing', []],
  ['one event', '/funnels?events=View', ['events'], 'too_short', ['at least 2 items']],
  ['one event in a list', '/funnels?events=["View"]', ['events'], 'too_short', ['at least 2 items']],
  ['eleven events', `/funnels?events=${JSON.stringify(new Array(11).fill('a'))}`, ['events'], 'too_long', ['10']],
  ['an empty name', '/funnels?events=["View",""]', ['events', 1], 'string_too_short', ['1 character']],
  ['an empty name among repeated ones', '/funnels?events=&events=b', ['events', 0], 'string_too_short', []],
  ['a name that is a number', '/funnels?events=["View",5]', ['events', 1], 'string_type', []],
  ['a long name', `/funnels?events=a&events=${'x'.repeat(256)}`, ['events', 1], 'string_too_long', ['255']],
  [
    'a list that breaks off, which is one name',
    '/funnels?events=["View"',
    ['events'],
    'too_short',
    ['at least 2 items'],
  ],
  ['a window of zero', `${FUNNEL}&window_seconds=0`, ['window_seconds'], 'greater_than_equal', ['1']],
  ['a window of 367 days', `${FUNNEL}&window_seconds=31622401`, ['window_seconds'], 'less_than_equal', ['31622400']],
  ['half a second', `${FUNNEL}&window_seconds=0.5`, ['window_seconds'], 'int_parsing', []],
])('rejects %s', async (_, path, place, type, allowed) => {
  const faults = await faultsOf(path)
  expect(faults).toMatchObject([{ loc: ['query', ...place], type }])
  for (const word of allowed) expect(faults[0]?.msg).toContain(word)
})

it('reports a too long period that ends today together with other faults', async () => {
  const tooLong = `${SEGMENTATION}&mode=total&start=20200101`
  expect((await faultsOf(tooLong)).map(({ loc }) => loc[1])).toEqual(['mode', 'start'])
})

it('reports a missing event together with other faults', async () => {
  expect(await faultsOf('/events/segmentation?mode=total&start=x')).toHaveLength(3)
})
