import { beforeAll, describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import {
  type Asked,
  askApi,
  escaped,
  figuresIn,
  openDashboard,
  openPage,
  toQuery,
  type Visited,
} from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const HOSTILE = '<script>document.title = "owned"</script>'

const eventOf = (telegram_id: number, daysAgo: number, more: object = {}) => ({
  event_type: 'open',
  telegram_id,
  datetime: (today - daysAgo) * DAY_MS + 1_000 * telegram_id,
  ...more,
})

/** 40 days: two sessions each day, of users who say where they are and of some who do not. */
const EVENTS = Array.from({ length: 40 }, (_, day) => [
  eventOf(1 + (day % 7), day, { country: 'Germany', start_parameter: HOSTILE, os: 'iOS', is_premium: true }),
  eventOf(100 + (day % 5), day, { city: 'Lima', datetime: (today - day) * DAY_MS + 7_200_000 }),
  eventOf(100 + (day % 5), day, { event_type: 'close', city: 'Lima', datetime: (today - day) * DAY_MS + 7_260_000 }),
]).flat()

const WEEK = { start: toDate(today - 8), end: toDate(today - 2) }
const PLOT = /<figure.*?<\/figure>/gs

let visited: Visited

beforeAll(async () => {
  visited = await openDashboard(EVENTS)
})

async function open(asked: Asked): Promise<string> {
  const { status, text } = await openPage(visited.browser, `${visited.home}?${toQuery(asked)}`)
  expect(status).toBe(200)
  return text
}

/** What the chart shows, without the period before. */
function charted(html: string): number[] {
  const figures = figuresIn(html, PLOT)[0] ?? []
  return html.includes('data-before') ? figures.filter((_, place) => place % 2 === 0) : figures
}

describe('the chart of Home', () => {
  it.each([
    ['users', '/users/activity', 'dau'],
    ['new', '/users/activity', 'new'],
    ['dau_mau', '/users/activity', 'stickiness'],
    ['sessions', '/sessions/average', 'sessions'],
    ['session', '/sessions/average', 'average_session_length'],
    ['events', '/events/segmentation', '_active'],
  ])('shows %s as the API answers them, and so does its tile', async (metric, path, series) => {
    const asked = path === '/events/segmentation' ? { ...WEEK, event: '_active', mode: 'totals' } : WEEK
    const { yValues } = await askApi(visited, path, asked)
    const found = yValues.find(({ name }: { name: string }) => name === series)
    const html = await open({ ...WEEK, metric })
    expect(charted(html)).toEqual(found.data)
    const tile =
      html
        .split('<div class="tile">')
        .slice(1)
        .find((text) => text.includes('aria-current="true"')) ?? ''
    expect(tile).toContain(`data-here="metric-${metric}"`)
    expect(Number.parseFloat(/<strong>(?:<a [^>]*>)?([\d.]+)/.exec(tile)?.[1] ?? '')).toBe(found.key_value)
  })

  it.each(['hour', 'week', 'month'])('counts by %s as the API does', async (interval) => {
    const asked = interval === 'hour' ? WEEK : { start: toDate(today - 37), end: toDate(today - 2) }
    for (const [metric, series, firstTime] of [
      ['users', { event: '_active' }, 'false'],
      ['new', { event: '_active' }, 'true'],
      ['events', { event: '_active', mode: 'totals' }, 'false'],
    ] as const) {
      const trend = { ...asked, interval, series: JSON.stringify([series]), first_time: firstTime }
      const { yValues } = await askApi(visited, '/events/trends', trend)
      expect(charted(await open({ ...asked, interval, metric }))).toEqual(yValues[0].data)
    }
  })

  it('has only intervals and metrics that there are', async () => {
    const offered = (html: string) => [...html.matchAll(/data-here="interval-(\w+)"/g)].map(([, name]) => name)
    expect(offered(await open(WEEK))).toEqual(['hour', 'day'])
    expect(offered(await open({ period: '90d' }))).toEqual(['day', 'week', 'month'])
    expect(offered(await open({ period: '90d', metric: 'sessions' }))).toEqual([])
    for (const metric of ['nonsense', 'revenue', 'constructor', '__proto__']) {
      const html = await open({ ...WEEK, metric, interval: 'year', tab: 'constructor' })
      expect(html).toMatch(/data-here="metric-users" aria-current="true"/)
      expect(charted(html)).toEqual(charted(await open(WEEK)))
    }
  })

  it('shows the lengths of sessions beside their average', async () => {
    const { data } = await askApi(visited, '/sessions/length', WEEK)
    const html = await open({ ...WEEK, metric: 'session' })
    const lengths = /<h3>Session length<\/h3>.*?<\/table>/s.exec(html)?.[0] ?? ''
    const counts = [...lengths.matchAll(/<td class="number">(\d+)</g)].map(([, count]) => Number(count))
    expect(counts).toEqual(data.series[0])
  })
})

describe('the cards of Home', () => {
  const card = (html: string, id: string) =>
    new RegExp(`<section class="card[^"]*" id="${id}">.*?</section>`, 's').exec(html)?.[0] ?? ''
  const rowsOf = (html: string, id: string) =>
    [...card(html, id).matchAll(/<bdi title="([^"]*)".*?title="Show these users">([\d,]+)</gs)].map(
      ([, name, users]) => [name, Number(users)],
    )

  it('end with a row of users without a value, so that everybody is counted', async () => {
    const html = await open(WEEK)
    expect(rowsOf(html, 'locations')).toEqual([
      ['Germany', 7],
      ['(none)', 5],
    ])
    expect(rowsOf(html, 'sources')).toEqual([
      [escaped(HOSTILE), 7],
      ['(none)', 5],
    ])
    expect(html).not.toContain(HOSTILE)
    const filters = JSON.stringify({ prop: 'country', op: 'is', values: ['(none)'] })
    expect(html).toContain(escaped(`filters=${new URLSearchParams([['', filters]]).toString().slice(1)}`))
    expect(rowsOf(await open({ ...WEEK, filters }), 'locations')).toEqual([['(none)', 5]])
  })

  it('have tabs that are links: each changes its own card only', async () => {
    const html = await open([...Object.entries(WEEK), ['tab', 'city'], ['tab', 'os']])
    expect(rowsOf(html, 'locations')).toEqual([
      ['Lima', 5],
      ['(none)', 7],
    ])
    expect(rowsOf(html, 'devices')).toEqual([
      ['iOS', 7],
      ['(none)', 5],
    ])
    const [, language = ''] = /<a href="([^"]*)"[^>]*>Languages</.exec(html) ?? []
    const [search, anchor] = language.replaceAll('&amp;', '&').split('?')[1]?.split('#') ?? []
    expect([new URLSearchParams(search).getAll('tab'), anchor]).toEqual([['os', 'language'], 'locations'])
    expect(html).toContain('Premium</a> <a class="figure"')
  })
})

it('shows who is dormant below zero', async () => {
  const { yValues } = await askApi(visited, '/users/activity', WEEK)
  const [, growth] = figuresIn(await open(WEEK), PLOT)
  const series = ['new', 'resurrected', 'returning', 'dormant'].map(
    (name) => yValues.find((one: { name: string }) => one.name === name).data,
  )
  expect(growth).toEqual(series[0].flatMap((_: number, day: number) => series.map((data) => data[day])))
  expect(Math.max(...series[3])).toBeGreaterThan(0)
})
