import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { expectFaults, get, newUser, post } from './client.ts'
import { aCount } from './figures.ts'

const PATH = '/users/segmentation'

interface User {
  readonly telegram_id: number
  readonly [field: string]: unknown
}

/** Tells the users of this run from all others of the application. */
const utm = `utm_${randomUUID()}`
const MINUTE_MS = 60_000
/** A while ago, on a whole minute. */
const START = Math.floor(Date.now() / MINUTE_MS - 1000) * MINUTE_MS
const IDS = [newUser(), newUser(), newUser(), newUser()] as const
const [anna, bert, cleo, dora] = IDS.toSorted((a, b) => a - b) as [...typeof IDS]
/** Emil came without a start parameter; his language is nobody else's. */
const [emil, quiet] = [newUser(), `x-${randomUUID()}`]
const NAMES = new Map([
  [anna, 'anna'],
  [bert, 'bert'],
  [cleo, 'cleo'],
  [dora, 'dora'],
])

function eventOf(telegramId: number, minute: number, rest: Record<string, unknown> = {}) {
  const datetime = START + minute * MINUTE_MS
  return { event_type: 'Visit', telegram_id: telegramId, datetime, start_parameter: utm, ...rest }
}

const asAnna = {
  is_premium: true,
  language: 'en',
  username: 'anna_lemon',
  firstname: 'Anna',
  lastname: 'Lemon',
  country: 'US',
  city: 'Austin',
  device: 'ios',
  brand: 'Apple',
  model: 'iPhone',
}
const walletOfCleo = { event_type: 'Wallet', params: { wallet: 'EQ1', provider: 'Tonkeeper', balance: 5 } }
const paymentOfDora = { event_type: '[TS] Transaction signed', params: { messages: [{ address: 'EQ2', amount: '7' }] } }

const EVENTS = [
  eventOf(anna, 0, { ...asAnna, session_id: 's1' }),
  eventOf(anna, 1, { ...asAnna, session_id: 's1' }),
  eventOf(anna, 2, { ...asAnna, session_id: 's2', start_parameter: 'later' }),
  eventOf(bert, 0, { is_premium: false, language: 'de', country: 'Germany', city: 'Berlin', session_id: 's1' }),
  eventOf(cleo, 0),
  eventOf(cleo, 1, walletOfCleo),
  eventOf(dora, 0, { language: 'en', ...paymentOfDora }),
]

/** Users of the whole application. */
async function usersOf(query: Record<string, string>): Promise<User[]> {
  const response = await get(`${PATH}?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: User[] }).data
}

function list(query: Record<string, string> = {}): Promise<User[]> {
  return usersOf({ utm, ...query })
}

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)

/** A matcher that takes null too. */
function orNull(type: { asymmetricMatch(value: unknown): boolean }): unknown {
  return expect.toSatisfy((value) => value === null || type.asymmetricMatch(value), 'it, or null')
}

async function names(query: Record<string, string>): Promise<string> {
  return (await list(query)).map((user) => NAMES.get(user.telegram_id)).join(' ')
}

beforeAll(async () => {
  const ofEmil = eventOf(emil, 0, { language: quiet, start_parameter: undefined })
  const response = await post('/v1/client/events', [ofEmil, ...EVENTS])
  expect(await response.json()).toEqual({ status_code: 200, message: 'Success', accepted: EVENTS.length + 1 })
  await vi.waitFor(
    async () => {
      const counts = (await list()).map((user) => user.total_events as number)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(EVENTS.length)
      expect(await usersOf({ language: quiet })).toHaveLength(1)
    },
    { timeout: 60_000, interval: 100 },
  )
})

async function find(telegramId: number): Promise<User | undefined> {
  return (await list()).find((user) => user.telegram_id === telegramId)
}

describe('an answer (§4, §UserSegmentationEntry, §UserSegmentationResponse)', () => {
  it('has the envelope, the page and the users', async () => {
    const response = await get(`${PATH}?utm=${utm}`)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      status_code: 200,
      message: 'Success',
      limit: 20,
      offset: 0,
      data: expect.any(Array),
    })
  })

  it('has every field of a user, and in addition what acquired them, some seconds later', async () => {
    const first = { language: 'en', country: 'United States', brand: 'Apple', start_parameter: utm }
    const additions = {
      ...{ first: expect.objectContaining(first), acquired_by: utm, source: utm },
      ...{ medium: null, campaign: null, content: null, referrer: null },
    }
    await vi.waitFor(async () => expect((await find(anna))?.first).not.toBeNull(), { timeout: 60_000, interval: 200 })
    expect(await find(anna)).toEqual({
      telegram_id: anna,
      language: 'en',
      utm,
      is_premium: true,
      first_active_at: new Date(START).toISOString(),
      last_active_at: new Date(START + 2 * MINUTE_MS).toISOString(),
      country: 'United States',
      city: 'Austin',
      total_events: 3,
      total_sessions: 2,
      username: 'anna_lemon',
      firstname: 'Anna',
      lastname: 'Lemon',
      device: 'ios',
      brand: 'Apple',
      model: 'iPhone',
      ...additions,
    })
  })

  it('has null for what is unknown', async () => {
    const unsaid = { language: null, country: null, city: null, username: null, firstname: null, lastname: null }
    const expected = { ...unsaid, device: null, brand: null, model: null, total_sessions: 0 }
    expect(await find(cleo)).toMatchObject(expected)
    expect(await usersOf({ language: quiet })).toMatchObject([{ telegram_id: emil, utm: null }])
  })

  it('has false for premium if nothing is known', async () => {
    const premiumOf = async (id: number) => (await list()).find((user) => user.telegram_id === id)?.is_premium
    expect([await premiumOf(anna), await premiumOf(bert)]).toEqual([true, false])
    expect([null, false]).toContain(await premiumOf(cleo))
  })

  it.each([
    ['telegram_id', aCount],
    ['language', orNull(expect.any(String))],
    ['utm', orNull(expect.any(String))],
    ['is_premium', orNull(expect.any(Boolean))],
    ['first_active_at', aTime],
    ['country', orNull(expect.any(String))],
    ['city', orNull(expect.any(String))],
    ['total_events', aCount],
    ['total_sessions', aCount],
    ['username', orNull(expect.any(String))],
    ['firstname', orNull(expect.any(String))],
    ['lastname', orNull(expect.any(String))],
    ['last_active_at', aTime],
    ['device', orNull(expect.any(String))],
    ['brand', orNull(expect.any(String))],
    ['model', orNull(expect.any(String))],
  ])('has %s of its type for every user', async (field, type) => {
    for (const user of await usersOf({ limit: '100' })) expect({ value: user[field] }).toEqual({ value: type })
  })

  it('is empty where no user fits', async () => expect(await list({ utm: randomUUID() })).toEqual([]))
})

describe('filters (§4)', () => {
  it.each([
    [{ language: 'en' }, 'anna dora'],
    [{ language: 'EN' }, ''],
    [{ is_premium: 'true' }, 'anna'],
    [{ is_premium: 'false' }, 'bert'],
    [{ country: 'Germany' }, 'bert'],
    [{ country: 'de' }, 'bert'],
    [{ city: 'Austin' }, 'anna'],
    [{ language: 'en', city: 'Austin' }, 'anna'],
    [{ language: 'de', city: 'Austin' }, ''],
    [{ utm: 'later' }, ''],
    [{ language: "' or 1=1 --" }, ''],
  ])('%j', async (filter, expected) => {
    expect(await names({ sort_by: 'language', ...filter })).toBe(expected)
  })

  it.each(['true', '1', 'yes', 'on', 'TRUE', 'Yes', 'oN'])('take %s for true', async (word) => {
    expect(await names({ is_premium: word })).toBe('anna')
  })

  it.each(['false', '0', 'no', 'off', 'FALSE', 'No', 'oFF'])('take %s for false', async (word) => {
    expect(await names({ is_premium: word })).toBe('bert')
  })

  it.each(['2', 'maybe', '', 'null', '-1', 'truetrue'])('do not take "%s" for a boolean', async (word) => {
    const msg = 'Input should be a valid boolean, unable to interpret input'
    await expectFaults(await get(`${PATH}?is_premium=${word}`), {
      loc: ['query', 'is_premium'],
      type: 'bool_parsing',
      msg,
    })
  })

  it('filters that are left out restrict nothing', async () => {
    expect(await usersOf({ language: quiet })).toMatchObject([{ telegram_id: emil }])
    expect(await list({ limit: '1000' })).toHaveLength(4)
    expect((await usersOf({ limit: '1000' })).length).toBeGreaterThan(4)
  })

  it('may have names that no filter has', async () => expect(await list({ colour: 'green' })).toHaveLength(4))
})

const SORT_KEYS =
  "'is_premium', 'curr_balance', 'curr_volume', 'total_events', 'total_sessions', 'language', 'country', 'city' or 'provider'"

describe('sorting (§4)', () => {
  it.each([
    ['is_premium', 'anna bert cleo dora', 'bert anna cleo dora'],
    ['curr_balance', 'cleo anna bert dora', 'anna bert dora cleo'],
    ['curr_volume', 'dora anna bert cleo', 'anna bert cleo dora'],
    ['total_events', 'anna cleo bert dora', 'bert dora cleo anna'],
    ['total_sessions', 'anna bert cleo dora', 'cleo dora bert anna'],
    ['language', 'anna dora bert cleo', 'bert anna dora cleo'],
    ['country', 'anna bert cleo dora', 'bert anna cleo dora'],
    ['city', 'bert anna cleo dora', 'anna bert cleo dora'],
    ['provider', 'cleo anna bert dora', 'cleo anna bert dora'],
  ])(
    'sorting by %s puts missing values last, and ties in order of their ids',
    async (sort_by, descending, ascending) => {
      expect(await names({ sort_by })).toBe(descending)
      expect(await names({ sort_by, sort_order: 'desc' })).toBe(descending)
      expect(await names({ sort_by, sort_order: 'asc' })).toBe(ascending)
    },
  )

  it('is by curr_balance, descending, by default', async () => {
    expect(await names({})).toBe(await names({ sort_by: 'curr_balance', sort_order: 'desc' }))
  })

  it.each(['telegram_id', 'TOTAL_EVENTS', '', 'language; drop table users'])('takes no "%s"', async (sort_by) => {
    const fault = { loc: ['query', 'sort_by'], type: 'enum', msg: `Input should be ${SORT_KEYS}` }
    await expectFaults(await get(`${PATH}?${new URLSearchParams({ sort_by })}`), fault)
  })

  it.each(['ASC', 'up', ''])('goes in no order "%s"', async (order) => {
    const fault = { loc: ['query', 'sort_order'], type: 'enum', msg: "Input should be 'asc' or 'desc'" }
    await expectFaults(await get(`${PATH}?sort_order=${order}`), fault)
  })
})

describe('paging (§4, §Limits)', () => {
  it.each(['total_events', 'provider', 'curr_balance'])('neither repeats nor skips a user (by %s)', async (sort_by) => {
    const pages = await Promise.all(['0', '1', '2', '3', '4'].map((offset) => names({ sort_by, limit: '1', offset })))
    expect(pages.join(' ').trim()).toBe(await names({ sort_by }))
  })

  it.each([
    ['limit', '1'],
    ['limit', '1000'],
    ['limit', '%2B5'],
    ['offset', '0'],
    ['offset', '9007199254740991'],
  ])('takes %s=%s', async (name, value) => {
    const response = await get(`${PATH}?${name}=${value}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ [name]: Number(decodeURIComponent(value)) })
  })

  it.each([
    ['limit', '0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['limit', '-1', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['limit', '1001', 'less_than_equal', 'Input should be less than or equal to 1000'],
    ['limit', '9'.repeat(40), 'less_than_equal', 'Input should be less than or equal to 1000'],
    ['offset', '-1', 'greater_than_equal', 'Input should be greater than or equal to 0'],
  ])('refuses %s=%s', async (name, value, type, msg) => {
    await expectFaults(await get(`${PATH}?${name}=${value}`), { loc: ['query', name], type, msg })
  })
})

it('names all faults of a query together (§4, §Validation error)', async () => {
  await expectFaults(
    await get(`${PATH}?limit=0&offset=x&sort_by=name&sort_order=up&is_premium=perhaps`),
    { loc: ['query', 'limit'], type: 'greater_than_equal' },
    { loc: ['query', 'offset'], type: 'int_parsing' },
    { loc: ['query', 'sort_by'], type: 'enum' },
    { loc: ['query', 'sort_order'], type: 'enum' },
    { loc: ['query', 'is_premium'], type: 'bool_parsing' },
  )
})
