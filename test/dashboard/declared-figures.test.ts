import { beforeAll, expect, it } from 'vitest'
import { toMoney } from '../../src/dashboard/words/format.ts'
import { toDate } from '../support/asking.ts'
import { answerOf } from '../support/browsing.ts'
import { openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const PAST = { start: toDate(today - 3), end: toDate(today - 1) }
const USERS = Array.from({ length: 25 }, (_, place) => place + 1)

function happened(telegram_id: number, event_type: string, day: number, said: object = {}) {
  return { event_type, telegram_id, datetime: (today - day) * DAY_MS, country: `Land ${telegram_id}`, ...said }
}

function wrote(telegram_id: number, day: number, params: object = {}) {
  const said = { content: 'text', chat_type: 'private', ...params }
  return happened(telegram_id, 'telegram_message', day, { referrer_type: 'private', params: said })
}

function paid(telegram_id: number, currency: string, total_amount: number) {
  return wrote(telegram_id, 0, { content: 'successful_payment', currency, total_amount })
}

/** Everybody comes today, and a country each. More users block the bot than in the period before. */
const EVENTS = [
  ...[1, 2, 3].map((id) => wrote(id, 12)),
  ...[1, 2, 3].map((id) => happened(id, 'telegram_bot_blocked', id === 1 ? 5 : 1)),
  ...USERS.map((id) => happened(id, 'Look', 0)),
  paid(4, 'XTR', 250),
  paid(5, 'XTR', 250),
  paid(6, 'EUR', 35_820),
]

const REPORTS = {
  Looks: 'events?event=Look',
  Lands: 'events?event=Look&group_by=country',
  Sources: 'acquisition?by=first.country',
  Euros: 'revenue?currency=EUR',
}

let visited: Visited
/** The paths of a board with the reports, and of a link to it. */
let board = ''
let link = ''

beforeAll(async () => {
  visited = await openDashboard(EVENTS)
  const { browser, home } = visited
  for (const [name, address] of Object.entries(REPORTS))
    await browser.send(`${home}/saved-questions`, { name, address: `${home}/${address}` })
  const fields = [['name', 'All'], ['query', toQuery(DAYS)], ...Object.keys(REPORTS).map((name) => ['reports', name])]
  board =
    (await browser.send(`${home}/boards`, new URLSearchParams(fields as [string, string][]))).headers.get('location') ??
    ''
  const shared = await answerOf(browser.send(`${home}/shares`, { days: '7', board: board.split('/').at(-1) ?? '' }))
  link = /\/share\/[\w-]{43}/.exec(shared.text)?.[0] ?? ''
})

async function textOf(page: string, asked: Record<string, string> = DAYS): Promise<string> {
  const { browser, home } = visited
  const path = page.startsWith('/') ? page : page === '' ? home : `${home}/${page}`
  const { status, text } = await openPage(browser, `${path}${path.includes('?') ? '&' : '?'}${toQuery(asked)}`)
  expect({ page, status }).toEqual({ page, status: 200 })
  return text
}

/** The part of a page from one text up to the next occurrence of another. */
function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from)
  return start < 0 ? '' : text.slice(start, text.indexOf(to, start))
}

function tileOf(text: string, label: string): string {
  const tiles = text.split('<div class="tile">')
  return tiles.find((tile) => tile.replaceAll(/<[^>]*>/g, '').startsWith(label)) ?? ''
}

it('an interval that is not over is dashed and named so, on pages, boards and shared links', async () => {
  for (const page of ['bot', 'events?event=Look', 'revenue', 'trends?event_a=Look', board, link]) {
    for (const [asked, isOpen] of [
      [DAYS, true],
      [PAST, false],
    ] as const) {
      // A link is about its own days.
      if (page === link && !isOpen) continue
      const text = await textOf(page, asked)
      const shown = { isDashed: /class="series-1 growing"/.test(text), isNamed: text.includes(' (so far)</th>') }
      expect({ page, ...shown }).toEqual({ page, isDashed: isOpen, isNamed: isOpen })
    }
  }
  expect(await textOf('')).toMatch(/data-kind="stack".*class="hatch"/s)
})

it('a change is coloured by whether a rise is good, and needs an earlier period that is known', async () => {
  const blocked = tileOf(await textOf('bot'), 'Blocked')
  expect(blocked).toContain('<span class="change bad"><span aria-hidden="true">▲ </span>100%')
  expect(tileOf(await textOf('revenue'), 'Refunds')).toContain('<span class="change">0%')
  const long = await textOf('bot', { start: toDate(today - 9), end: toDate(today) })
  expect(tileOf(long, 'Blocked')).toContain('<span class="change">No earlier data')
})

it('an amount has its currency and its digits, on pages, boards and in tables', async () => {
  const amounts: [number, string][] = [
    [358.2, 'EUR'],
    [250, 'XTR'],
    [1250, 'JPY'],
    [0.004, 'EUR'],
    [0.00125, 'BTC'],
    [-5, 'USD'],
  ]
  expect(amounts.map(([amount, currency]) => toMoney(amount, currency).replaceAll('\u202f', ' '))).toEqual([
    '358.20 EUR',
    '★ 250',
    '1,250 JPY',
    '0.004 EUR',
    '0.00125 BTC',
    '-5.00 USD',
  ])
  const [stars, euros] = ['★\u202f500', '358.20\u202fEUR']
  expect(tileOf(await textOf(''), 'Net revenue')).toContain(stars)
  const revenue = await textOf('revenue')
  expect(tileOf(revenue, 'Gross revenue')).toContain(stars)
  expect(revenue).toContain(`<data value="500">${stars}</data>`)
  expect(between(revenue, '<h2>Currencies</h2>', '</section>')).toContain(euros)
  expect(between(await textOf('acquisition', { ...DAYS, currency: 'EUR' }), '>All</th>', '</tr>')).toContain(euros)
  expect(await textOf(board)).toContain(`<dt title="Net revenue">Net revenue</dt><dd>${euros}</dd>`)
  expect((await textOf('users/6')).replaceAll(/<[^>]*>/g, '')).toContain(`${euros} in 1 payment`)
})

it('groups that are not listed are one row, in tables and on cards', async () => {
  const asked = 'event=Look&group_by=country'
  const row = (text: string, count: number) => between(text, `<th scope="row">Other (${count})</th>`, '</tr>')
  expect(row(await textOf(`events?${asked}`), 5)).toContain('–')
  expect(row(await textOf(`events?${asked}&mode=totals`), 5)).toContain('<data value="5">5</data>')
  expect(row(await textOf('revenue?group_by=first.country&metric=gross'), 5)).toBe('')
  expect(row(await textOf('retention?group_by=country'), 5)).toBe('')
  expect(await textOf('trends?event_a=Look&mode_a=totals&group_by=country')).toContain('>Other (5)</bdi>')
  expect(between(await textOf(''), 'id="locations"', '</section>')).toMatch(
    /<a href="[^"]*\/values\?[^"]*">Other \(17\)<\/a>/,
  )
  const cards = await textOf(board)
  expect(cards).toContain('<li class="hint">Other (19)</li>')
  expect(row(cards, 14)).toContain('<data value="14">14 · 63.6%</data>')
  expect(await textOf(link)).not.toContain('Other (1')
})

it('every tile that counts users leads to them', async () => {
  const tiles = [
    ['', 'Active users', 25],
    ['', 'New users', 22],
    ['bot', 'Reachable users', 3],
    ['bot', 'Blocked', 2],
    ['events?event=Look', 'Unique users', 25],
    ['funnels?events=telegram_message&events=Look', 'Entered', 3],
    ['revenue', 'Payers', 2],
  ] as const
  for (const [page, label, users] of tiles) {
    const [, href = '', value] =
      /<a class="figure" href="([^"]*)"[^>]*>([^<]*)</.exec(tileOf(await textOf(page), label)) ?? []
    expect({ label, value }).toEqual({ label, value: String(users) })
    const list = await textOf(href.replaceAll('&amp;', '&'), {})
    expect(list.match(/<div class="who">/g)).toHaveLength(users)
  }
})
