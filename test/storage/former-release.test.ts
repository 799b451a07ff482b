import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { loadFormerRelease } from '../support/dump.ts'
import { settle } from '../support/objects.ts'
import recorded from './former-release.json'
import dump from './former-release.sql?raw'

/** Of the demo account there, which exists nowhere else. */
const KEY = '0e975b5b-ff15-43dd-a47a-101014d2bc25'
const APPLICATION_ID = 1

/** By address. What a release adds to an answer is not in them. */
const ANSWERS: Readonly<Record<string, object>> = recorded

beforeAll(() => loadFormerRelease(dump))

it('answers everything as the release before did', async () => {
  for (const [path, answer] of Object.entries(ANSWERS)) {
    const response = await getJson(path, KEY)
    expect([response.status, await response.json()], path).toMatchObject([200, answer])
  }
})

it('counts the same daily figures', async () => {
  const figures = async () => {
    const { results } = await env.DB.prepare('select * from daily_figures order by day').all<{ day: number }>()
    return new Map(results.map((row) => [row.day, row]))
  }
  const before = await figures()
  expect(before.size).toBeGreaterThan(30)
  const everything = `insert into changes values (${APPLICATION_ID}, 1, 0, -1, 0, 0, 8640000000000000, 1, 1)`
  await env.DB.batch([env.DB.prepare('delete from daily_figures'), env.DB.prepare(everything)])
  await settle(APPLICATION_ID)
  const after = await figures()
  expect([...before].map(([day]) => after.get(day))).toEqual([...before.values()])
})

it('knows what the release before was sent, and goes on from there', async () => {
  const order = { event_type: 'Order', telegram_id: 7_000_000_001, datetime: Date.UTC(2026, 10, 10), session_id: 's1' }
  await deliver(
    messagesOf(APPLICATION_ID, [
      { ...order, event_id: 'order-1' },
      { ...order, event_id: 'order-3' },
    ]),
  )
  const total = () =>
    env.DB.prepare('select total_events from users where telegram_id = 7000000001').first('total_events')
  expect(await total()).toBe(3)
})
