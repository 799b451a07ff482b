import { expect, it } from 'vitest'
import { answerOf } from '../support/browsing.ts'
import { askApi, openPage as open, openDashboard } from '../support/dashboard.ts'

const MINUTE_MS = 60_000

it('shows who was active in the last five minutes and the newest events, also as the fragment that the script asks for', async () => {
  const now = Date.now()
  const event = (telegram_id: number, minutes: number) => {
    return { telegram_id, event_type: `Look ${telegram_id}`, datetime: now - minutes * MINUTE_MS }
  }
  const visited = await openDashboard([event(7, 1), event(7, 2), event(8, 4), event(9, 6), event(10, 600)])
  const { browser, home } = visited
  const { data } = await askApi(visited, '/users/live')
  expect(data.users).toBe(2)
  const filters = JSON.stringify([{ prop: 'country', op: 'is', values: ['Chile'] }])
  expect((await askApi(visited, '/users/live', { filters })).data.users).toBe(0)
  const page = await open(browser, `${home}/events/live`)
  const [, address = ''] = /data-live="([^"]*)"/.exec(page.text) ?? []
  const fragment = await open(browser, address)
  for (const { status, text } of [page, fragment]) {
    expect(status).toBe(200)
    expect(text).toContain('<data value="2">2</data>')
    expect([...text.matchAll(/<bdi title="(Look \d+)"/g)].map(([, name]) => name)).toEqual(
      [7, 7, 8, 9, 10].map((id) => `Look ${id}`),
    )
  }
  expect(fragment.text).not.toContain('<html')
  // Home and Events say how many in their headers, which the script keeps up to date. Elsewhere the link is but a link.
  for (const path of [home, `${home}/events`, `${home}/events?event=Look+7`]) {
    const { text } = await open(browser, path)
    const [, counted = '', shown] =
      /<a class="live" href="[^"]*\/events\/live"[^>]* data-live="([^"]*)">(.*?)<\/a>/.exec(text) ?? []
    expect(shown).toContain('<data value="2">2</data>')
    expect(await open(browser, counted)).toMatchObject({ status: 200, text: shown })
  }
  const elsewhere = (await open(browser, `${home}/funnels`)).text
  expect(elsewhere).toMatch(/<a class="live"/)
  expect(elsewhere).not.toContain('data-live=')
  const other = await openDashboard()
  expect((await answerOf(other.browser.open(`${home}/events/live/now`))).status).toBe(404)
  expect((await open(other.browser, `${other.home}/events/live`)).text).toContain('<data value="0">0</data>')
})
