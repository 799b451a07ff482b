import { beforeAll, expect, it, vi } from 'vitest'
import { get, needOwned, newHandle, newUser, owned, post, registrationOf } from './client.ts'

const DAY_MS = 86_400_000
const OVERVIEW_WITHIN_MS = 120_000
const handle = newHandle().slice(1)
const [, , , , key] = owned?.newKeys ?? []
/** Noon, so that a few seconds more or less are the same day. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2

function eventOf(telegramId: number, datetime: number, isPremium: boolean) {
  return { event_type: 'Visit', telegram_id: telegramId, datetime, is_premium: isPremium }
}

const [anna, bert, cleo] = [newUser(), newUser(), newUser()]
/** Anna comes today, Bert 10 days ago (he gives up premium that day), Cleo 40 days ago. */
const EVENTS = [
  eventOf(anna, Date.now(), false),
  eventOf(bert, NOON - 10 * DAY_MS, true),
  eventOf(bert, NOON - 10 * DAY_MS + 1000, false),
  eventOf(cleo, NOON - 40 * DAY_MS, true),
]

/** Monthly active users by days ago, from today on. */
async function monthlyActiveUsers(): Promise<number[]> {
  const response = await get(`/monthly-active-users/timeseries/${handle}?days=45`, key)
  const { timeseries_data } = (await response.json()) as { timeseries_data: Record<string, number> }
  return Object.values(timeseries_data).toReversed()
}

const EXPECTED = [2, ...Array<number>(40).fill(1), 0, 0, 0, 0]

beforeAll(async () => {
  if (key === undefined) return
  const registered = await post('/applications/register', registrationOf(`@${handle}`), { 'x-api-key': key })
  expect(registered.status).toBe(200)
  expect((await post('/v1/client/events', EVENTS, { 'x-api-key': key })).status).toBe(200)
  await vi.waitFor(async () => expect(await monthlyActiveUsers()).toEqual(EXPECTED), { timeout: 60_000, interval: 250 })
})

it('late events count on their own days, in the 30 days that begin with them (§2)', async (context) => {
  needOwned(context)
  expect(await monthlyActiveUsers()).toEqual(EXPECTED)
})

it('premium is what the last event of a day said (§8)', async (context) => {
  needOwned(context)
  const response = await get(`/enterprise/${handle}/premium-timeseries`, key)
  const { data } = (await response.json()) as { data: { premium_users: number; non_premium_users: number }[] }
  const days = data.map((day, index) => [59 - index, day.premium_users, day.non_premium_users] as const)
  expect(days.filter(([, premium, others]) => premium + others > 0)).toEqual([
    [40, 1, 0],
    [10, 0, 1],
    [0, 0, 1],
  ])
})

it('the overview has the growth (§3)', { timeout: OVERVIEW_WITHIN_MS + 10_000 }, async (context) => {
  needOwned(context)
  const { link, name, photo_url: profile_photo } = registrationOf(handle)
  const expected = {
    handle,
    link,
    name,
    profile_photo,
    today_users: 2,
    yesterday_users: 1,
    week_ago_users: 1,
    month_ago_users: 1,
    yesterday_change: 100,
    week_ago_change: 100,
    month_ago_change: 100,
    avg_daily_users_gained: 1 / 30,
  }
  const timing = { timeout: OVERVIEW_WITHIN_MS, interval: 1000 }
  await vi.waitFor(async () => expect(await overviewEntry()).toEqual(expected), timing)
})

async function overviewEntry(): Promise<unknown> {
  const response = await get('/monthly-active-users/growth-trend?limit=1000', key)
  const { data } = (await response.json()) as { data: { handle: string }[] }
  return data.find((entry) => entry.handle === handle)
}
