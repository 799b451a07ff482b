import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changePercent } from '../../../src/questions/engine/change.ts'
import { DATABASE_AWAY } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createAccount, createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { databaseAway, requestWith } from '../../support/failures.ts'

const PATH = '/monthly-active-users/growth-trend'
const DAY_MS = 86_400_000

interface Entry {
  readonly handle: string
  readonly [field: string]: string | number
}

// Every test has a day of its own, and with it pages of its own.
let today = 30_000

beforeEach(() => {
  today += 100
  vi.setSystemTime(today * DAY_MS + DAY_MS / 2)
})

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  { now: 0, before: 0, percent: 0 },
  { now: 3, before: 0, percent: 100 },
  { now: 0, before: 3, percent: -100 },
  { now: 4, before: 3, percent: 100 / 3 },
])('a change from $before to $now is $percent percent', ({ now, before, percent }) => {
  expect(changePercent(now, before)).toBeCloseTo(percent, 12)
})

it('compares today with yesterday, 7 and 30 days ago', async () => {
  const { handle, key } = await createApplicationWith({ 0: 90, 1: 60, 7: 120, 30: 0 })
  expect(await growthOf(handle, key)).toEqual({
    handle,
    link: `https://t.me/${handle}`,
    name: 'Lemon Shop',
    profile_photo: 'https://example.org/lemon.png',
    today_users: 90,
    yesterday_users: 60,
    week_ago_users: 120,
    month_ago_users: 0,
    yesterday_change: 50,
    week_ago_change: -25,
    month_ago_change: 100,
    avg_daily_users_gained: 3,
  })
})

it('orders applications by users, then by handle, and pages neither repeat nor skip any', async () => {
  const made = [
    await createApplicationWith({ 0: 7 }),
    await createApplicationWith({ 0: 9 }),
    await createApplicationWith({ 0: 7 }),
  ]
  const { key } = await createAccount()
  const pages = [await pageOf(key, 'limit=2'), await pageOf(key, 'limit=2&offset=2')]
  const sevens = [made[0], made[2]].map((application) => application?.handle ?? '').sort()
  expect(
    pages
      .flat()
      .slice(0, 3)
      .map(({ handle }) => handle),
  ).toEqual([made[1]?.handle, ...sevens])
  expect(pages.map((page) => page.length)).toEqual([2, 2])
})

it('counts the users of days without figures instead of showing zero', async () => {
  const { applicationId, handle, key } = await createApplicationWith({ 3: 60, 7: 60, 30: 0 })
  const daysAgoOf = (user: number) => (user < 20 ? 30 : user < 30 ? 29 : 3)
  const visits = Array.from({ length: 60 }, (_, user) => ({
    event_type: 'a',
    telegram_id: 1 + user,
    datetime: (today - daysAgoOf(user)) * DAY_MS,
  }))
  await deliver(messagesOf(applicationId, visits, Date.now()))
  expect(await growthOf(handle, key)).toMatchObject({
    today_users: 40,
    yesterday_users: 60,
    week_ago_users: 60,
    month_ago_users: 0,
  })
})

it('serves a page from KV that is at most 60 s old and is renewed after the response', async () => {
  const { applicationId, handle, key } = await createApplicationWith({ 0: 5 })
  expect(await usersOf(handle, key)).toBe(5)
  await setUsers(applicationId, { 0: 6 })
  expect(await usersOf(handle, key)).toBe(5)
  vi.setSystemTime(Date.now() + 60_000)
  expect(await usersOf(handle, key)).toBe(6)
})

it('answers 503 if a database is unavailable and the cached copy is too old', async () => {
  const { handle, key } = await createApplicationWith({ 0: 5 })
  expect(await usersOf(handle, key)).toBe(5)
  const away = { ACTIVITY_2: databaseAway() } as Partial<Env>
  const ask = (path: string) => requestWith(away, path, { headers: { 'x-api-key': key } })
  vi.setSystemTime(Date.now() + 59_000)
  expect((await ask(PATH)).status).toBe(200)
  vi.setSystemTime(Date.now() + 1_000)
  const refused = await ask(PATH)
  const detail = `${DATABASE_AWAY} Request id: ${refused.headers.get('x-request-id')}`
  expect([refused.status, await refused.json()]).toEqual([503, { detail }])
  expect(refused.headers.get('retry-after')).toBe('5')
  expect((await ask(`${PATH}/${handle}`)).status).toBe(200)
})

describe('the growth of one application', () => {
  it('is its entry in the overview, for any key and any spelling of its handle', async () => {
    const { handle } = await createApplicationWith({ 0: 90, 1: 60, 7: 120, 30: 0 })
    const { key } = await createAccount('standard')
    const entry = await growthOf(handle, key)
    for (const written of [handle, `@${handle.toUpperCase()}`]) {
      const response = await getJson(`${PATH}/${written}`, key)
      expect(await response.json()).toEqual({ data: entry, status_code: 200, message: 'Success' })
      expect(response.headers.get('figures-as-of')).toBe(new Date().toISOString())
    }
  })

  it('is never served from a cache', async () => {
    const { applicationId, handle, key } = await createApplicationWith({ 0: 5 })
    await getJson(`${PATH}/${handle}`, key)
    await setUsers(applicationId, { 0: 6 })
    expect(await (await getJson(`${PATH}/${handle}`, key)).json()).toMatchObject({ data: { today_users: 6 } })
  })

  it('rejects keys of tracking clients, and answers 404 for unknown handles', async () => {
    const { accountId, handle, key } = await createApplicationWith({})
    expect((await getJson(`${PATH}/${handle}`, await createKey(accountId, 'client'))).status).toBe(403)
    const response = await getJson(`${PATH}/nobody_here`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'No application has this handle.' })
  })
})

it.each([
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=1001', 'limit', 'less_than_equal'],
  ['offset=-1', 'offset', 'greater_than_equal'],
  ['limit=many', 'limit', 'int_parsing'],
])('rejects %s', async (parameters, name, type) => {
  const { key } = await createAccount()
  const response = await getJson(`${PATH}?${parameters}`, key)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', name], type }] })
})

/** Monthly active users by days ago. */
type Users = Readonly<Record<number, number>>

async function createApplicationWith(users: Users) {
  const application = await createPlainApplication()
  await setUsers(application.applicationId, users)
  return application
}

async function setUsers(applicationId: number, users: Users): Promise<void> {
  const statement = env.DB.prepare('insert or replace into daily_figures values (?, ?, 1, 0, 0, ?, 0, 0, 0, 0)')
  if (Object.keys(users).length === 0) return
  const rows = Object.entries(users).map(([daysAgo, count]) =>
    statement.bind(applicationId, today - Number(daysAgo), count),
  )
  await env.DB.batch(rows)
}

async function pageOf(key: string, parameters = ''): Promise<Entry[]> {
  const response = await getJson(`${PATH}?${parameters}`, key)
  return (await response.json<{ data: Entry[] }>()).data
}

async function growthOf(handle: string, key: string): Promise<Entry | undefined> {
  return (await pageOf(key)).find((entry) => entry.handle === handle)
}

async function usersOf(handle: string, key: string): Promise<unknown> {
  return (await growthOf(handle, key))?.today_users
}
