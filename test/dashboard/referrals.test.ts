import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const HOSTILE = '<b>&"'

function opened(telegram_id: number, day: number, said: object = {}) {
  return { event_type: 'visit', telegram_id, datetime: (today - day) * DAY_MS + telegram_id, ...said }
}

const EVENTS = [
  opened(31, 3, { firstname: HOSTILE }),
  opened(32, 2, { start_parameter: 'ref_31' }),
  opened(33, 2, { start_parameter: 'ref_31' }),
  opened(34, 1, { start_parameter: 'ref_32' }),
  opened(35, 1, { start_parameter: 'ref_35' }),
]

/** With a rule by which start parameters name inviters. */
async function visitWithRule(): Promise<Visited> {
  const visited = await openDashboard(EVENTS)
  const rules = JSON.stringify([{ pattern: 'ref_{referrer}' }])
  const handle = visited.home.split('/').at(-1)
  await env.DB.prepare('update applications set sources = ? where handle = ?').bind(rules, handle).run()
  return visited
}

function partAfter(text: string, heading: string): string {
  return text.slice(text.indexOf(`>${heading}</h`))
}

it('the page of acquisition shows referrals as the API does', async () => {
  const visited = await visitWithRule()
  const asked = { ...DAYS, activation_event: 'visit' }
  const { status, text } = await openPage(visited.browser, `${visited.home}/acquisition?${toQuery(asked)}`)
  expect(status).toBe(200)
  const { top, generations } = await askApi(visited, '/referrals', asked)
  expect(generations).toEqual([2, 1])
  expect(top).toMatchObject([{ telegram_id: 31, invited: 2 }, { telegram_id: 32 }])
  const rows = /<tr><th scope="row">.*?<\/tr>/gs
  const shown = top.map((row: Record<string, unknown>) =>
    ['invited', 'activated', 'd7', 'payers', 'net'].map((name) => row[name]).filter((value) => value !== null),
  )
  expect(figuresIn(partAfter(text, 'Top inviters'), rows)).toEqual(shown)
  const referrals = partAfter(text, 'Referrals')
  for (const said of ['60.0%', '0.6', 'Still growing', `${visited.home}/users/31`, '&lt;b&gt;']) {
    expect(referrals).toContain(said)
  }
  expect(text).not.toContain(HOSTILE)
})

it('says how to begin where no rule names inviters', async () => {
  const { browser, home } = await openDashboard(EVENTS)
  const { text } = await openPage(browser, `${home}/acquisition?${toQuery(DAYS)}`)
  expect(partAfter(text, 'Referrals')).toContain('ref_{referrer}')
})

it('the page of a user shows who invited them and whom they invited', async () => {
  const { browser, home } = await visitWithRule()
  const pageOf = async (id: number) => (await openPage(browser, `${home}/users/${id}`)).text
  const both = partAfter(await pageOf(32), 'Referrals')
  expect(both).toContain('They invited 1 user.')
  expect(both).toMatch(new RegExp(`Invited by <a href="${home}/users/31[^>]*"><bdi>&lt;b&gt;`))
  expect(both).toContain(`${home}/users/34`)
  expect(await pageOf(35)).not.toContain('Referrals</h2>')
})
