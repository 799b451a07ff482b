import { describe, expect, it, vi } from 'vitest'
import { expectFaults, get, needOwned } from './client.ts'
import { aCount, expectFigures } from './figures.ts'

const PATH = '/monthly-active-users/growth-trend'

interface Entry {
  readonly handle: string
  readonly today_users: number
  readonly yesterday_users: number
  readonly week_ago_users: number
  readonly month_ago_users: number
  readonly yesterday_change: number
  readonly week_ago_change: number
  readonly month_ago_change: number
  readonly avg_daily_users_gained: number
}

async function list(query = ''): Promise<Entry[]> {
  const response = await get(PATH + query)
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: Entry[] }).data
}

it('has the envelope (§3)', async () => {
  const response = await get(PATH)
  expectFigures(response)
  expect(await response.json()).toEqual({ data: expect.any(Array), status_code: 200, message: 'Success' })
})

it('has every field of an application, and nothing else (§3, §Growth-trend entry)', async () => {
  const entries = await list()
  expect(entries).not.toEqual([])
  for (const entry of entries) {
    expect(entry).toEqual({
      handle: expect.stringMatching(/^[A-Za-z0-9_]+$/),
      link: expect.any(String),
      name: expect.any(String),
      profile_photo: expect.any(String),
      today_users: aCount,
      yesterday_users: aCount,
      week_ago_users: aCount,
      month_ago_users: aCount,
      yesterday_change: expect.any(Number),
      week_ago_change: expect.any(Number),
      month_ago_change: expect.any(Number),
      avg_daily_users_gained: expect.any(Number),
    })
  }
})

it('has the change in percent, not rounded (§3, §Growth-trend entry)', async () => {
  for (const entry of await list('?limit=1000')) {
    const { today_users, month_ago_users } = entry
    expect(entry.yesterday_change).toBeCloseTo(changeOf(today_users, entry.yesterday_users), 9)
    expect(entry.week_ago_change).toBeCloseTo(changeOf(today_users, entry.week_ago_users), 9)
    expect(entry.month_ago_change).toBeCloseTo(changeOf(today_users, month_ago_users), 9)
    expect(entry.avg_daily_users_gained).toBeCloseTo((today_users - month_ago_users) / 30, 9)
  }
})

function changeOf(today: number, before: number): number {
  if (before === 0) return today > 0 ? 100 : 0
  return ((today - before) / before) * 100
}

it('goes by the users of today, most first, then by handle', async () => {
  const entries = await list('?limit=1000')
  expect(entries).toEqual(entries.toSorted(compare))
})

function compare(a: Entry, b: Entry): number {
  const [first, second] = [a.handle.toLowerCase(), b.handle.toLowerCase()]
  return b.today_users - a.today_users || (first < second ? -1 : Number(first > second))
}

describe('paging (§3, §Limits)', () => {
  it('gives as many as asked for, at most', async () => {
    expect(await list('?limit=1')).toHaveLength(1)
    expect((await list('?limit=2')).length).toBeLessThanOrEqual(2)
    expect((await list()).length).toBeLessThanOrEqual(100)
  })

  it('skips as many as asked for', async () => {
    // The overview may be brought up to date between two answers.
    await vi.waitFor(async () => {
      const [all, rest] = await Promise.all([list('?limit=4'), list('?limit=3&offset=1')])
      expect(rest).toEqual(all.slice(1))
    }, 60_000)
  })

  it.each(['limit=1', 'limit=1000', 'limit=%2B5', 'offset=0'])('takes %s', async (query) => {
    expect(await list(`?${query}`)).not.toEqual([])
  })

  it('gives nothing behind the last one', async () => expect(await list('?offset=9007199254740991')).toEqual([]))

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

it('opens to the plan "standard"', async (context) => {
  expect((await get(PATH, needOwned(context).standardKey)).status).toBe(200)
})
