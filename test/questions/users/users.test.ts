import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readUsers } from '../../../src/questions/users/stored-users.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { getJson } from '../../support/client.ts'
import { type Crowd, type CrowdUser, createCrowd } from '../../support/crowd.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { listUsers, storedFields } from '../../support/user-list.ts'

const SORT_KEYS = [
  'is_premium',
  'curr_balance',
  'curr_volume',
  'total_events',
  'total_sessions',
  'language',
  'country',
  'city',
  'provider',
]

type Parameters = Record<string, string>

async function listIds(crowd: Crowd, parameters: Parameters = {}): Promise<number[]> {
  return (await listUsers(crowd.key, { limit: '1000', ...parameters })).map((user) => user.telegram_id)
}

/** Missing values last in either order, ties by id. */
function sorted(users: readonly CrowdUser[], sortBy: string, sortOrder: string): number[] {
  const direction = sortOrder === 'asc' ? 1 : -1
  return users
    .toSorted(
      (a, b) =>
        Number(a[sortBy] === null) - Number(b[sortBy] === null) ||
        direction * compare(a[sortBy], b[sortBy]) ||
        a.telegram_id - b.telegram_id,
    )
    .map((user) => user.telegram_id)
}

function compare(a: unknown, b: unknown): number {
  const isText = typeof a === 'string' && typeof b === 'string'
  return isText ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a) - Number(b)
}

/** Where a request is wrong, and how. */
async function faultsOf(query: string): Promise<[where: string, kind: string][]> {
  const { key } = await createPlainApplication()
  const response = await getJson(`/users/segmentation?${query}`, key)
  if (response.status === 200) return []
  expect(response.status).toBe(422)
  const { detail } = await response.json<{ detail: { loc: string[]; type: string }[] }>()
  return detail.map(({ loc, type }) => [loc.join('.'), type])
}

it('shows every field of every user', async () => {
  const crowd = await createCrowd(50)
  const shown = await listUsers(crowd.key, { limit: '1000' })
  expect(shown.map(storedFields).toSorted((a, b) => a.telegram_id - b.telegram_id)).toEqual(
    crowd.users.map(({ provider, curr_balance, curr_volume, ...user }) => user),
  )
})

describe('sorting', () => {
  it.each(
    SORT_KEYS.flatMap((sortBy) => [
      [sortBy, 'asc'],
      [sortBy, 'desc'],
    ]),
  )('by %s, %s', async (sort_by, sort_order) => {
    const crowd = await createCrowd(60, sort_order === 'asc' ? [1] : [1, 2, 3, 2])
    expect(await listIds(crowd, { sort_by, sort_order })).toEqual(sorted(crowd.users, sort_by, sort_order))
  })

  it.each(['first_active_at', 'last_active_at', 'username'])('also sorts found users by %s', async (by) => {
    const crowd = await createCrowd(30, [1, 2, 3, 2])
    // All of a crowd have a username, and none another name.
    const sort_by = by === 'username' ? 'name' : by
    const found = async (sort_order: string) => {
      const response = await getJson(`/users?${new URLSearchParams({ sort_by, sort_order, limit: '30' })}`, crowd.key)
      const { data } = await response.json<{ data: { telegram_id: number }[] }>()
      return data.map(({ telegram_id }) => telegram_id)
    }
    for (const order of ['asc', 'desc']) expect(await found(order)).toEqual(sorted(crowd.users, by, order))
    expect((await getJson(`/users/segmentation?sort_by=${sort_by}`, crowd.key)).status).toBe(422)
  })

  it('is by balance, largest first, by default', async () => {
    const crowd = await createCrowd(60)
    expect(await listIds(crowd)).toEqual(sorted(crowd.users, 'curr_balance', 'desc'))
    expect(await listIds(crowd, { sort_by: 'city' })).toEqual(sorted(crowd.users, 'city', 'desc'))
  })
})

describe('filters', () => {
  type Filter = [parameters: Parameters, holds: (user: CrowdUser) => boolean]

  it.each<Filter>([
    [{ language: 'en' }, (user) => user.language === 'en'],
    [{ utm: 'spring' }, (user) => user.utm === 'spring'],
    [{ is_premium: 'true' }, (user) => user.is_premium === true],
    [{ is_premium: 'false' }, (user) => user.is_premium === false],
    [{ country: 'United States' }, (user) => user.country === 'United States'],
    [{ country: 'us' }, (user) => user.country === 'United States'],
    [{ city: 'Zürich' }, (user) => user.city === 'Zürich'],
    [{ language: 'en', is_premium: 'yes' }, (user) => user.language === 'en' && user.is_premium === true],
    [
      { country: 'France', city: 'Ōsaka', utm: 'autumn', language: 'en' },
      ({ country, city, utm, language }) =>
        country === 'France' && city === 'Ōsaka' && utm === 'autumn' && language === 'en',
    ],
  ])('keep to %j', async (parameters, holds) => {
    const crowd = await createCrowd(80)
    const expected = sorted(crowd.users.filter(holds), 'total_events', 'asc')
    expect(expected).not.toEqual([])
    expect(await listIds(crowd, { ...parameters, sort_by: 'total_events', sort_order: 'asc' })).toEqual(expected)
  })

  it.each([
    [{ language: 'EN' }],
    [{ language: '' }],
    [{ country: 'Atlantis' }],
    [{ city: "' or 1=1 --" }],
    [{ utm: 'spr' }],
  ])('find nobody by %j', async (parameters) => {
    expect(await listIds(await createCrowd(20), parameters)).toEqual([])
  })

  it('accept every spelling of a boolean', async () => {
    const crowd = await createCrowd(20)
    const premium = crowd.users.filter((user) => user.is_premium === true).length
    const others = crowd.users.filter((user) => user.is_premium === false).length
    const counts = async (words: string[]) =>
      Promise.all(words.map(async (word) => (await listIds(crowd, { is_premium: word })).length))
    expect(await counts(['true', 'TRUE', 'True', '1', 'yes', 'YES', 'on', 'On'])).toEqual(Array(8).fill(premium))
    expect(await counts(['false', 'False', 'FALSE', '0', 'no', 'nO', 'off', 'OFF'])).toEqual(Array(8).fill(others))
  })
})

describe('paging', () => {
  it('finds every page of three databases, also one far down the list', async () => {
    const crowd = await createCrowd(60, [1, 2, 3, 2])
    const expected = sorted(crowd.users, 'country', 'desc')
    const reading = { env, directory: openDatabase(env.DB) }
    const query = { applicationId: crowd.applicationId, filters: {}, sortBy: 'country', sortOrder: 'desc' } as const
    for (let offset = 0; offset < 65; offset += 3) {
      const page = await readUsers({ ...query, limit: 4, offset }, reading, 3)
      expect(page.map((user) => user.telegram_id)).toEqual(expected.slice(offset, offset + 4))
    }
  })

  it.each([1, 7, 10, 20, 21])('neither repeats nor skips a user in pages of %i', async (size) => {
    const crowd = await createCrowd(20)
    const pages: number[][] = []
    for (let offset = 0; offset < 20; offset += size) {
      pages.push(await listIds(crowd, { sort_by: 'language', limit: String(size), offset: String(offset) }))
    }
    expect(pages.flat()).toEqual(sorted(crowd.users, 'language', 'desc'))
  })

  it('reports its page, by default the first 20 users', async () => {
    const crowd = await createCrowd(30)
    const read = async (query: string) => {
      const response = await getJson(`/users/segmentation${query}`, crowd.key)
      const { data, ...rest } = await response.json<{ data: unknown[] }>()
      return { ...rest, users: data.length }
    }
    const success = { status_code: 200, message: 'Success' }
    expect(await read('')).toEqual({ ...success, limit: 20, offset: 0, users: 20 })
    expect(await read('?limit=7&offset=25')).toEqual({ ...success, limit: 7, offset: 25, users: 5 })
    expect(await read('?offset=30')).toEqual({ ...success, limit: 20, offset: 30, users: 0 })
    expect(await read('?offset=9007199254740991')).toMatchObject({ users: 0 })
  })
})

it.each<[query: string, faults: [string, string][]]>([
  ['limit=0', [['query.limit', 'greater_than_equal']]],
  ['limit=1', []],
  ['limit=1000', []],
  ['limit=1001', [['query.limit', 'less_than_equal']]],
  ['limit=abc', [['query.limit', 'int_parsing']]],
  ['limit=', [['query.limit', 'int_parsing']]],
  ['limit=1.5', [['query.limit', 'int_parsing']]],
  ['limit=99999999999999999999', [['query.limit', 'less_than_equal']]],
  ['offset=-1', [['query.offset', 'greater_than_equal']]],
  ['offset=0', []],
  ['is_premium=maybe', [['query.is_premium', 'bool_parsing']]],
  ['is_premium=', [['query.is_premium', 'bool_parsing']]],
  ['sort_by=telegram_id', [['query.sort_by', 'enum']]],
  ['sort_by=', [['query.sort_by', 'enum']]],
  ['sort_order=up', [['query.sort_order', 'enum']]],
  ['nobody_knows=this', []],
  [
    'limit=0&offset=-1&is_premium=maybe&sort_by=x&sort_order=y',
    [
      ['query.is_premium', 'bool_parsing'],
      ['query.sort_by', 'enum'],
      ['query.sort_order', 'enum'],
      ['query.limit', 'greater_than_equal'],
      ['query.offset', 'greater_than_equal'],
    ],
  ],
])('answers %s with the faults %j', async (query, faults) => {
  expect(await faultsOf(query)).toEqual(faults)
})

it('shows the users of one application only, even if others have the same ones', async () => {
  const [one, other, empty] = [await createCrowd(5), await createCrowd(9), await createPlainApplication()]
  await deliver(
    messagesOf(one.applicationId, [{ event_type: 'a', telegram_id: 1, datetime: Date.now(), city: 'Oslo' }]),
  )
  expect(await listIds(other, { city: 'Oslo' })).toEqual([])
  expect((await listIds(one)).length).toBe(5)
  expect((await listIds(other)).length).toBe(9)
  expect(await listUsers(empty.key)).toEqual([])
})
