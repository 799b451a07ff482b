import { beforeAll, describe, expect, it } from 'vitest'
import { expectFaults, get, newUser } from './client.ts'
import { type Answer, ask, collect, DAY_MS, did, findQuietDays, nameOf, pathOf, period, type Query } from './history.ts'

const PATH = '/users/segmentation/aggregated'

const visit = nameOf('Visit')
const [ann, ben, cid] = [newUser(), newUser(), newUser()]
/** Starts of the day before the period, of its two days, and of the day after it. */
let [before, first, second, after] = [0, 0, 0, 0]

const annAtFirst = {
  language: 'en',
  is_premium: false,
  os: 'iOS',
  brand: 'Apple',
  country: 'US',
  start_parameter: 's1',
}
const annAtLast = { ...annAtFirst, language: 'de', is_premium: true, country: 'DE', start_parameter: 's2' }
const asBen = {
  language: 'de',
  is_premium: true,
  os: 'Android',
  brand: 'Samsung',
  country: 'DE',
  start_parameter: 's2',
}
const BRANDS = Array.from({ length: 21 }, (_, index) => `brand ${String(index).padStart(2, '0')}`)

beforeAll(async () => {
  // The period of two days has another of two days before it.
  const start = await findQuietDays(5, 1)
  ;[before, first, second, after] = [1, 2, 3, 4].map((days) => start + days * DAY_MS) as [
    number,
    number,
    number,
    number,
  ]
  await collect([
    did(visit, ann, before, { language: 'fr' }),
    did(visit, ann, first, annAtFirst),
    did(visit, ann, first + 1000, annAtFirst),
    did(visit, ben, first, asBen),
    did(visit, cid, first, {}),
    did(visit, ann, second, annAtLast),
    ...BRANDS.map((brand) => did(visit, newUser(), after, { brand })),
  ])
})

function aggregate(query: Query = {}): Promise<Answer> {
  return ask(PATH, { ...period(first, second), ...query })
}

/** Users by value, in the order of the answer. */
async function count(query: Query): Promise<string> {
  const { xValues, yValues } = await aggregate(query)
  return xValues.data.map((value, index) => `${value}: ${yValues[0]?.data[index]}`).join(', ')
}

describe('an answer (§5, §Aggregated segmentation response)', () => {
  it('names the property that was selected', async () => {
    for (const property of ['language', 'country']) {
      const response = await get(pathOf(PATH, { aggregation_param: property }))
      expect(await response.json()).toMatchObject({ selected_property: property })
    }
  })

  it('has its series in data, and nothing else', async () => {
    const response = await get(pathOf(PATH, period(first)))
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      selected_property: 'language',
      data: { xValues: expect.any(Object), yValues: [expect.objectContaining({ name: 'users' })], time_zone: 'UTC' },
      status_code: 200,
      message: 'Success',
    })
  })

  it('counts each user once, by the value on the latest event in the period', async () => {
    expect(await count({})).toBe('de: 2, (none): 1')
    expect(await count(period(first))).toBe('(none): 1, de: 1, en: 1')
    expect(await count(period(before))).toBe('fr: 1')
  })

  it('is empty if nobody was active', async () => {
    const { xValues, yValues } = await aggregate(period(before - DAY_MS))
    expect(xValues).toMatchObject({ data: [], length: 0, key_value: 0, empty: true })
    expect(yValues).toMatchObject([{ data: [], length: 0, key_value: 0, empty: true }])
  })

  it('compares all users with the preceding period', async () => {
    expect((await aggregate()).yValues).toMatchObject([{ key_value: 3, change: 200 }])
    expect((await aggregate(period(second))).yValues).toMatchObject([{ key_value: 1, change: -67 }])
    expect((await aggregate(period(before))).yValues).toMatchObject([{ key_value: 1, change: 100 }])
  })
})

describe('aggregation_param (§5)', () => {
  it.each([
    ['language', 'de: 2, (none): 1'],
    ['is_premium', 'true: 2, (none): 1'],
    ['os', '(none): 1, Android: 1, iOS: 1'],
    ['brand', '(none): 1, Apple: 1, Samsung: 1'],
    ['country', 'Germany: 2, (none): 1'],
    ['start_parameter', 's2: 2, (none): 1'],
  ])('counts by %s, most users first, then by value', async (aggregation_param, expected) => {
    expect(await count({ aggregation_param })).toBe(expected)
  })

  it('distinguishes premium from other users', async () => {
    const query = { aggregation_param: 'is_premium', ...period(first) }
    expect(await count(query)).toBe('(none): 1, false: 1, true: 1')
  })

  it('is the language by default', async () => {
    expect((await aggregate()).xValues).toEqual((await aggregate({ aggregation_param: 'language' })).xValues)
  })

  it.each(['city', 'device', 'model', 'utm', 'LANGUAGE', ''])('takes no "%s"', async (aggregation_param) => {
    const words = "'language', 'is_premium', 'os', 'brand', 'country' or 'start_parameter'"
    const fault = { loc: ['query', 'aggregation_param'], type: 'enum', msg: `Input should be ${words}` }
    await expectFaults(await get(pathOf(PATH, { aggregation_param })), fault)
  })
})

describe('returned_values_limit (§5, §Limits)', () => {
  const brands = async (query: Query = {}) => aggregate({ aggregation_param: 'brand', ...period(after), ...query })

  it('is 20 by default', async () => {
    expect((await brands()).xValues.data).toEqual(BRANDS.slice(0, 20))
  })

  it.each([1, 20, 21, 100])('may be %s', async (limit) => {
    const { xValues, yValues } = await brands({ returned_values_limit: limit })
    expect(xValues.data).toEqual(BRANDS.slice(0, limit))
    expect(yValues[0]?.data).toHaveLength(Math.min(limit, BRANDS.length))
  })

  it('cuts neither the number of all values nor that of all users', async () => {
    const { xValues, yValues } = await brands({ returned_values_limit: 1 })
    expect([xValues.key_value, yValues[0]?.key_value]).toEqual([21, 21])
  })

  it.each([
    ['0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['-1', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['101', 'less_than_equal', 'Input should be less than or equal to 100'],
  ])('may not be %s', async (limit, type, msg) => {
    const fault = { loc: ['query', 'returned_values_limit'], type, msg }
    await expectFaults(await get(`${PATH}?returned_values_limit=${limit}`), fault)
  })
})

it('names all faults of a query together (§5, §Validation error)', async () => {
  await expectFaults(
    await get(`${PATH}?aggregation_param=age&returned_values_limit=0&start=x&end=y`),
    { loc: ['query', 'aggregation_param'], type: 'enum' },
    { loc: ['query', 'returned_values_limit'], type: 'greater_than_equal' },
    { loc: ['query', 'start'], type: 'value_error' },
    { loc: ['query', 'end'], type: 'value_error' },
  )
  await expectFaults(
    await get(`${PATH}?returned_values_limit=0&start=20250602&end=20250601`),
    { loc: ['query', 'returned_values_limit'], type: 'greater_than_equal' },
    { loc: ['query', 'start'], type: 'value_error' },
  )
})
