import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { getJson, sendJson } from '../support/client.ts'
import { askApi, figuresIn, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const ROW = /<tr><th scope="row">.*?<\/tr>/gs
const HOSTILE = '<b>&"'

/** In the order of the columns. */
const FIGURES = [
  ...['users', 'activated', 'd1', 'd7', 'd30', 'payers', 'net', 'single_event', 'peak_per_minute'],
  ...['sessions_per_user', 'median_session_seconds', 'premium', 'verified'],
]

function opened(telegram_id: number, day: number, start_parameter?: string, said: object = {}) {
  const datetime = (today - day) * DAY_MS
  return {
    event_type: 'visit',
    telegram_id,
    datetime,
    country: HOSTILE,
    ...(start_parameter && { start_parameter }),
    ...said,
  }
}

const params = { content: 'successful_payment', currency: 'XTR', total_amount: 250 }

const EVENTS = [
  opened(1, 3, 'ad'),
  opened(1, 2),
  opened(1, 2, undefined, { event_type: 'telegram_message', params }),
  opened(2, 3, 'ad'),
  opened(3, 1),
  opened(4, 9, 'ad'),
]

async function open({ browser, home }: Visited, asked: Record<string, string> = {}) {
  return openPage(browser, `${home}/acquisition?${toQuery({ ...DAYS, ...asked })}`)
}

describe('the page of acquisition', () => {
  it('shows the figures of the API', async () => {
    const visited = await visit(EVENTS)
    for (const asked of [{}, { by: 'acquired_by', activation_event: 'telegram_message' }, { by: 'first.country' }]) {
      const { status, text } = await open(visited, asked)
      expect(status).toBe(200)
      const { all, data } = await askApi(visited, '/acquisition', { ...DAYS, ...asked })
      expect(all.users).toBe(3)
      const shown = [all, ...data].map((row) => FIGURES.map((name) => row[name]).filter((value) => value !== null))
      expect(figuresIn(text, ROW)).toEqual(shown)
      expect(text).toContain(`<data value="${all.net}">★`)
      expect(text).not.toContain(HOSTILE)
    }
  })

  it('says so if there are no new users', async () => {
    const { status, text } = await open(await visit(EVENTS), { start: toDate(today - 5), end: toDate(today - 4) })
    expect(status).toBe(200)
    expect(text).toContain('No new users in this period')
  })

  it('points at the invalid field', async () => {
    const { status, text } = await open(await visit(), { by: 'country' })
    expect(status).toBe(422)
    expect(text).toContain('id="by-faults"')
  })

  it('is about first events that pass the filters, and a row opens other pages about its users', async () => {
    const visited = await visit(EVENTS)
    const filters = '{"prop":"acquired_by","op":"is","values":["ad"]}'
    const { text } = await open(visited, { filters })
    const { all, data } = await askApi(visited, '/acquisition', { ...DAYS, filters })
    expect(all.users).toBe(2)
    expect(figuresIn(text, ROW).map(([users]) => users)).toEqual([all, ...data].map(({ users }) => users))
    for (const page of ['', '/retention', '/funnels']) {
      const [, address = ''] = text.match(new RegExp(`<a href="(${visited.home}${page}\\?[^"]*source[^"]*)"`)) ?? []
      const { searchParams } = new URL(address.replaceAll('&amp;', '&'), 'https://x.invalid')
      expect(searchParams.getAll('filters')).toEqual([filters, '{"prop":"source","op":"is","values":["ad"]}'])
      expect((await openPage(visited.browser, address.replaceAll('&amp;', '&'))).status).toBe(200)
    }
  })
})

it('users and one user show what acquired them', async () => {
  const { browser, home, handle, key } = await visit(EVENTS)
  const body = { sources: [{ pattern: 'a{campaign}', set: { source: 'Advertisement' } }] }
  expect((await sendJson('PUT', `/applications/${handle}/sources`, { key, body })).status).toBe(200)
  for (const page of ['users', 'users/1']) {
    const { text } = await openPage(browser, `${home}/${page}`)
    expect(text).toMatch(/<bdi[^>]*>Advertisement<\/bdi>.*<bdi[^>]*>d<\/bdi>/s)
  }
  expect((await openPage(browser, `${home}/users/3`)).text).not.toContain('Advertisement')
})

describe('rules for sources in the settings', () => {
  it('are tried without being saved, and saved', async () => {
    const { browser, home, handle, key } = await visit([opened(1, 3, 'ad'), opened(2, 3, 'tv_1')])
    const sources = 'a{campaign} ; source=Advertisement ; medium=cpc\n'
    const tried = await browser.send(`${home}/settings/sources/preview`, { sources })
    expect(tried.status).toBe(200)
    const text = await tried.text()
    expect(text).toMatch(/a\{campaign\}<\/bdi><\/th><td[^>]*><data value="1">1<\/data><\/td><td><bdi>ad<\/bdi>/)
    expect(text).toContain('<bdi>tv_1</bdi>')
    const path = `/applications/${handle}/sources`
    const read = async () => (await getJson(path, key)).json()
    expect(await read()).toMatchObject({ data: { sources: [] } })
    expect((await browser.send(`${home}/settings/sources`, { sources })).status).toBe(303)
    const set = { source: 'Advertisement', medium: 'cpc' }
    expect(await read()).toMatchObject({ data: { sources: [{ pattern: 'a{campaign}', set }] } })
  })

  it.each([
    ['b ; source=x ; source=y', 'It sets “source” twice'],
    ['b ; sauce=x', 'Unknown name “sauce”'],
    ['b ; source', 'Fill this in'],
    ['{source}{medium}', 'should have a separator'],
  ])('show with the line %s which line it is and what is wrong', async (line, sentence) => {
    const { browser, home } = await visit()
    for (const path of ['sources', 'sources/preview']) {
      const response = await browser.send(`${home}/settings/${path}`, { sources: `a\n${line}` })
      expect(response.status).toBe(422)
      const [, fault] = (await response.text()).match(/id="sources-rules-faults">(.*?)<\/span>/) ?? []
      expect(fault).toContain(`“${line}”: `)
      expect(fault).toContain(sentence)
    }
  })
})

describe('the link builder', () => {
  const PATTERN = 'ads_{source}-{campaign}'

  async function builder(asked: Record<string, string>) {
    const visited = await visit()
    const sources = [{ pattern: 'ref_{referrer}' }, { pattern: PATTERN }]
    const path = `/applications/${visited.handle}/sources`
    expect((await sendJson('PUT', path, { key: visited.key, body: { sources } })).status).toBe(200)
    return openPage(visited.browser, `${visited.home}/acquisition/links?${toQuery(asked)}`)
  }

  it('offers a field for each part of a pattern of the application', async () => {
    const { status, text } = await builder({ pattern: PATTERN })
    expect(status).toBe(200)
    expect([...text.matchAll(/<input name="(\w+)"/g)].map(([, name]) => name)).toEqual(['source', 'campaign'])
    expect(text).not.toContain('Your link')
    expect((await builder({ pattern: 'free' })).text).toContain('<input name="parameter"')
  })

  it('makes the start parameter, the link and its QR code', async () => {
    const { status, text } = await builder({ pattern: PATTERN, source: 'tg', campaign: 'spring', to: 'bot' })
    expect(status).toBe(200)
    expect(text).toContain('<code>ads_tg-spring</code>')
    expect(text).toMatch(/<code>https:\/\/t\.me\/\w+\?start=ads_tg-spring<\/code>/)
    const [, image = ''] = text.match(/<img class="qr" src="data:image\/svg\+xml,([^"]+)"/) ?? []
    expect(decodeURIComponent(image)).toMatch(/^<svg [^>]*viewBox="0 0 (\d+) \1".*<path /s)
  })

  it('shows the fault at its field', async () => {
    const { status, text } = await builder({ pattern: PATTERN, source: HOSTILE, campaign: 'a', to: 'bot' })
    expect(status).toBe(422)
    expect(text).toContain('id="source-faults"')
    expect(text).not.toContain(HOSTILE)
    expect(text).not.toContain('Your link')
  })
})
