import { expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openDashboard, openPage, toQuery } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const hour = Math.floor((Date.now() % DAY_MS) / 3_600_000)
const FIGURE = /<figure.*?<\/figure>/gs

const at = (telegram_id: number, day: number, hours: number) => ({
  event_type: 'open',
  telegram_id,
  datetime: day * DAY_MS + hours * 3_600_000,
})

const EVENTS = [
  at(1, today - 9, 1),
  ...[0, 0, 13, 23].flatMap((hours, user) => [at(user + 1, today - 2, hours), at(user + 1, today - 1, hours)]),
  at(5, today - 1, 13),
  at(1, today, 0),
]

const oneDay = (day: number) => ({ start: toDate(day), end: toDate(day) })

it('shows a single day by hour, beside the hours of the day before', async () => {
  const visited = await openDashboard(EVENTS)
  const { browser, home } = visited
  for (const [metric, mode] of [
    ['users', 'uniques'],
    ['events', 'totals'],
  ] as const) {
    const { status, text } = await openPage(browser, `${home}?${toQuery({ ...oneDay(today - 1), metric })}`)
    const series = JSON.stringify([{ event: '_active', mode }])
    const asked = { ...oneDay(today - 1), series, interval: 'hour', compare: 'previous' }
    const { yValues } = await askApi(visited, '/events/trends', asked)
    const [{ data, compared }] = yValues
    const expected = data.flatMap((figure: number, hour: number) => [figure, compared[hour]])
    expect(status).toBe(200)
    expect(figuresIn(text, FIGURE)).toEqual([expected])
    expect(expected.slice(26, 28)).toEqual([2, 1])
    expect(text).toContain(`title="${weekday(today - 2)}, 13:00"`)
    expect(text.match(FIGURE)?.[0]).not.toContain('data-open')
  }
})

it('leaves out the hours that have not begun, and marks the one that has', async () => {
  const { browser, home } = await openDashboard(EVENTS)
  const pages = [`${home}?${toQuery(oneDay(today))}`]
  pages.push(`${home}/trends?${toQuery({ ...oneDay(today), event_a: 'open', interval: 'hour' })}`)
  for (const page of pages) {
    const { text } = await openPage(browser, page)
    const [figure = ''] = text.match(FIGURE) ?? []
    const rows = figure.split('<tr>').slice(2)
    const isKnown = rows.map((row) => /<\/th><td[^>]*>(?:<a [^>]*>)?<data/.test(row))
    // The clock may pass an hour meanwhile.
    expect([hour + 1, hour + 2]).toContain(isKnown.filter(Boolean).length)
    expect(isKnown.lastIndexOf(true)).toBe(isKnown.filter(Boolean).length - 1)
    expect(figure).toContain('data-open')
  }
})

it('is drawn by the server: one point for each figure, and the days that the previous ones are of', async () => {
  const { browser, home } = await openDashboard(EVENTS)
  const { text } = await openPage(browser, `${home}?${toQuery({ start: toDate(today - 3), end: toDate(today - 1) })}`)
  const [lines = '', bars = ''] = text.match(FIGURE) ?? []
  // Of 0, 4 and 5 users; the scale ends a little above 5, and the point in the middle of a third of the width.
  const scale = (users: number) => Math.round(200 * (1 - users / 5.2))
  expect(lines).toContain(`<path class="series-1" d="M167 200L500 ${scale(4)}L833 ${scale(5)}">`)
  expect(lines.match(/<path class="before" d="[^"]*"/)?.[0].match(/[ML]\d/g)).toHaveLength(3)
  for (const day of [6, 5, 4]) expect(lines).toContain(`<td class="number" title="${weekday(today - day)}">`)
  expect(bars.match(/<path class="bar series-\d"/g)).toHaveLength(4)
  expect(bars.match(/data-series="\d" checked/g)).toHaveLength(4)
  expect(bars.match(/data-below/g)).toHaveLength(1)
})

function shown(day: number, weekday?: 'short'): string {
  const options = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric', weekday } as const
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(day * DAY_MS))
}

function weekday(day: number): string {
  return shown(day, 'short').replace(/^(\w+),? /, '$1, ')
}
