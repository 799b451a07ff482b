import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { createKey, getJson, sendJson } from '../../support/client.ts'

interface Rules {
  readonly rules: readonly Record<string, unknown>[]
  readonly are_defaults: boolean
}

const pathOf = (handle: string) => `/applications/${handle}/revenue-rules`

const put = (key: string, handle: string, body: unknown) => sendJson('PUT', pathOf(handle), { key, body })

async function dataOf(answer: Promise<Response>): Promise<Rules> {
  const response = await answer
  expect(response.status).toBe(200)
  const { data, ...envelope } = await response.json<{ data: Rules }>()
  expect(envelope).toEqual({ status_code: 200, message: 'Success' })
  return data
}

async function faultsOf(answer: Promise<Response>): Promise<string[]> {
  const response = await answer
  expect(response.status).toBe(422)
  const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
  return detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`).toSorted()
}

const SALE = {
  event: 'Order paid',
  kind: 'sale',
  amount: 'params.order_total',
  currency: 'params.currency',
  unit: 'major',
}

describe('an application', () => {
  it('has rules for payments in bots by default', async () => {
    const { key, handle } = await createPlainApplication()
    const { rules, are_defaults } = await dataOf(getJson(pathOf(handle), key))
    expect(are_defaults).toBe(true)
    const is = (name: string, value: string) => ({ prop: `params.${name}`, op: 'is', values: [value] })
    const charge = { amount: 'params.total_amount', currency: 'params.currency', unit: 'minor' }
    const paid = is('content', 'successful_payment')
    const notFirst = { ...is('is_first_recurring', 'true'), op: 'is not' }
    const kinds = [
      { kind: 'renewal', filters: [paid, is('is_recurring', 'true'), notFirst] },
      { kind: 'sale', filters: [paid] },
      { kind: 'refund', filters: [is('content', 'refunded_payment')] },
    ]
    const names = ['telegram_message', 'Message', 'message']
    expect(rules).toEqual(names.flatMap((event) => kinds.map((kind) => ({ event, ...charge, ...kind }))))
  })

  it('has the rules stored last, none, or the defaults again', async () => {
    const { key, handle } = await createPlainApplication()
    const defaults = await dataOf(getJson(pathOf(handle), key))
    const donation = { event: 'Donation', filters: [], kind: 'sale', amount: 0.1, currency: 'usd', unit: 'major' }
    const filters = [{ prop: 'country', op: 'is not', values: ['DE', 7, true] }]
    const kept = {
      rules: [
        { ...donation, currency: 'USD' },
        { ...SALE, filters: [{ prop: 'country', op: 'is not', values: ['Germany', '7', 'true'] }] },
      ],
      are_defaults: false,
    }
    expect(await dataOf(put(key, handle, { rules: [donation, { ...SALE, filters }] }))).toEqual(kept)
    expect(await dataOf(getJson(pathOf(`@${handle.toUpperCase()}`), key))).toEqual(kept)
    // What is answered can be put again.
    expect(await dataOf(put(key, handle, { rules: kept.rules }))).toEqual(kept)
    const none = { rules: [], are_defaults: false }
    expect(await dataOf(put(key, handle, { rules: [] }))).toEqual(none)
    expect(await dataOf(getJson(pathOf(handle), key))).toEqual(none)
    expect(await dataOf(put(key, handle, { rules: null }))).toEqual(defaults)
    expect(await dataOf(getJson(pathOf(handle), key))).toEqual(defaults)
    expect(await dataOf(put(key, handle, { rules: defaults.rules }))).toEqual({ ...defaults, are_defaults: false })
  })

  it('shows its rules to its keys of scope read, which cannot change them, and to nobody else', async () => {
    const [own, other] = [await createPlainApplication(), await createPlainApplication()]
    const reading = await createKey(own.accountId, 'read')
    const before = await dataOf(getJson(pathOf(own.handle), own.key))
    expect(await dataOf(getJson(pathOf(own.handle), reading))).toEqual(before)
    expect((await put(reading, own.handle, { rules: [] })).status).toBe(403)
    expect((await getJson(pathOf(own.handle), await createKey(own.accountId, 'client'))).status).toBe(403)
    for (const handle of [own.handle, 'nobody_has_this']) {
      const [shown, changed] = [await getJson(pathOf(handle), other.key), await put(other.key, handle, { rules: [] })]
      expect([shown.status, changed.status]).toEqual([404, 404])
    }
    const limited = await createKey(own.accountId, 'read', other.applicationId)
    expect((await getJson(pathOf(own.handle), limited)).status).toBe(404)
    expect(await dataOf(getJson(pathOf(own.handle), own.key))).toEqual(before)
  })
})

describe('faults', () => {
  it.each<[string, unknown, string[]]>([
    ['no rules', {}, ['body rules: missing']],
    ['no list', { rules: 'all' }, ['body rules: list_type']],
    ['another field', { rules: [], rule: [] }, ['body rule: extra_forbidden']],
    ['a rule that is none', { rules: [SALE, 5] }, ['body rules 1: dict_type']],
    ['too many rules', { rules: new Array(11).fill(SALE) }, ['body rules: too_long']],
    [
      'nothing in a rule',
      { rules: [SALE, {}] },
      ['amount', 'currency', 'event', 'kind', 'unit'].map((field) => `body rules 1 ${field}: missing`),
    ],
    ['a field unknown to rules', { rules: [{ ...SALE, name: 'x' }] }, ['body rules 0 name: extra_forbidden']],
    ['an empty name', { rules: [{ ...SALE, event: '' }] }, ['body rules 0 event: string_too_short']],
    ['another kind', { rules: [{ ...SALE, kind: 'Sale' }] }, ['body rules 0 kind: enum']],
    ['another unit', { rules: [{ ...SALE, unit: null }] }, ['body rules 0 unit: enum']],
    ...['order_total', 'params.', 'country', -1, 1e101, 1e-101, null, ['params.a'], 'params.a\0'].map(
      (amount): [string, unknown, string[]] => [
        `the amount ${JSON.stringify(amount)}`,
        { rules: [SALE, { ...SALE, amount }] },
        ['body rules 1 amount: value_error'],
      ],
    ),
    ...['$', 'X', 'ELEVENCHARS', 'params.', '€€€', 5, null, 'params.\ud800'].map(
      (currency): [string, unknown, string[]] => [
        `the currency ${JSON.stringify(currency)}`,
        { rules: [{ ...SALE, currency }] },
        ['body rules 0 currency: value_error'],
      ],
    ),
    [
      'filters that are none',
      { rules: [SALE, { ...SALE, filters: [{ prop: 'planet', op: 'is', values: [] }, { prop: 'country' }] }] },
      [
        'body rules 1 filters 0 prop: enum',
        'body rules 1 filters 0 values: too_short',
        'body rules 1 filters 1 op: missing',
        'body rules 1 filters 1 values: missing',
      ],
    ],
    [
      'too many filters',
      { rules: [{ ...SALE, filters: new Array(6).fill({ prop: 'country', op: 'is', values: ['DE'] }) }] },
      ['body rules 0 filters: too_long'],
    ],
    [
      'too many values',
      { rules: [{ ...SALE, filters: new Array(2).fill({ prop: 'city', op: 'is', values: new Array(51).fill('a') }) }] },
      ['body rules 0 filters: too_long'],
    ],
    [
      'values that are none',
      { rules: [{ ...SALE, filters: [{ prop: 'city', op: 'is', values: ['a', null, { a: 1 }] }] }] },
      ['body rules 0 filters 0 values 1: string_type', 'body rules 0 filters 0 values 2: string_type'],
    ],
  ])('point at the item: %s', async (_, body, faults) => {
    const { key, handle } = await createPlainApplication()
    expect(await faultsOf(put(key, handle, body))).toEqual(faults)
    expect(await dataOf(getJson(pathOf(handle), key))).toMatchObject({ are_defaults: true })
  })

  it('accepts ten rules with five filters each', async () => {
    const { key, handle } = await createPlainApplication()
    const filters = new Array(5).fill({ prop: 'params.🍋', op: 'contains', values: new Array(20).fill("'; --") })
    const rules = Array.from({ length: 10 }, (_, index) => ({ ...SALE, event: `Event ${index}`, filters }))
    expect(await dataOf(put(key, handle, { rules }))).toEqual({ rules, are_defaults: false })
  })
})
