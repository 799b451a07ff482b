import { beforeAll, expect, it } from 'vitest'
import { FACES } from '../../src/dashboard/faces/faces.ts'
import { toMoney } from '../../src/dashboard/words/format.ts'
import { toDate } from '../support/asking.ts'
import { answerOf } from '../support/browsing.ts'
import { openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
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

/** The paths of a new board with these reports, and of a link to it. */
async function boardOf({ browser, home }: Visited, reports: Record<string, string>, days: Record<string, string>) {
  for (const [name, address] of Object.entries(reports))
    await browser.send(`${home}/saved-questions`, { name, address: address === '' ? home : `${home}/${address}` })
  const fields = [['name', 'All'], ['query', toQuery(days)], ...Object.keys(reports).map((name) => ['reports', name])]
  const created = await browser.send(`${home}/boards`, new URLSearchParams(fields as [string, string][]))
  const board = created.headers.get('location') ?? ''
  const shared = await answerOf(browser.send(`${home}/shares`, { days: '7', board: board.split('/').at(-1) ?? '' }))
  return { board, link: /\/share\/[\w-]{43}/.exec(shared.text)?.[0] ?? '' }
}

let visited: Visited
let board = ''
let link = ''

beforeAll(async () => {
  visited = await visit(EVENTS)
  ;({ board, link } = await boardOf(visited, REPORTS, DAYS))
})

async function textOf(
  page: string,
  asked: Record<string, string> = DAYS,
  { browser, home } = visited,
): Promise<string> {
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
  const groups = await Promise.all(
    ['bot?by=first.country', 'revenue?group_by=first.country'].map((page) => textOf(page)),
  )
  for (const text of groups) expect(text).toMatch(/<td class="number"><span class="change/)
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

it('lines without axes dash the interval that is not over, and their column says so', async () => {
  for (const page of ['events', 'trends?event_a=Look', 'funnels?events=Look&events=Look&group_by=country']) {
    for (const [asked, isOpen] of [
      [DAYS, true],
      [PAST, false],
    ] as const) {
      const text = await textOf(page, asked)
      const isNamed = /<th scope="col" class="(course|trend)" title="Dashed: the day is not over/.test(text)
      expect({ page, isNamed }).toEqual({ page, isNamed: isOpen })
    }
  }
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

const MANY = Array.from({ length: 505 }, (_, place) => happened(place + 1, 'Look', 0, { city: `City ${place}` }))
const PARAMS = Object.fromEntries(Array.from({ length: 25 }, (_, place) => [`p${place}`, place]))

it('lists of values, parameters, chats and buttons end with what they do not show', async () => {
  const many = await visit([
    ...MANY,
    happened(1, 'Pay', 0, { params: PARAMS }),
    ...USERS.map((id) => wrote(id, 0, { chat_type: `type ${id}` })),
    ...USERS.map((id) => happened(id, 'telegram_callback_query', 0, { params: { data: `button ${id}` } })),
  ])
  const others = async (page: string) =>
    [...(await textOf(page, DAYS, many)).matchAll(/>Other \((\d+)\)</g)].map(([, count]) => Number(count))
  expect(await others('values?property=city')).toEqual([5])
  expect(await others('events?event=Pay')).toEqual([5])
  expect(await others('bot')).toEqual([5, 5])
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

/** A report of every face that has a card. Twice as many users come as in the two days before. */
const COMPARED = {
  Home: '',
  Trend: 'trends?event_a=Look',
  Lands: 'trends?event_a=Look&group_by=country',
  Funnel: 'funnels?events=Look&events=telegram_message',
  Retention: 'retention?interval=day',
  Paths: 'paths?event=Look',
  Names: 'events',
  Looks: 'events?event=Look',
  Euros: 'revenue?currency=EUR',
  Payers: 'revenue?currency=EUR&metric=payers',
  Sources: 'acquisition?by=first.country',
  'Few before': `events?event=Look&filters=${encodeURIComponent(JSON.stringify({ prop: 'country', op: 'is', values: ['Peru'] }))}`,
}

const LAST = { start: toDate(today - 1), end: toDate(today) }
const COMPARED_EVENTS = [
  happened(99, 'Start', 6),
  ...[1, 2, 3, 4, 5, 6].flatMap((id) => lookedAndPaid(id, 2)),
  ...USERS.slice(0, 12).flatMap((id) => lookedAndPaid(id, 1)),
]

function lookedAndPaid(telegram_id: number, day: number) {
  const country = telegram_id % 6 < 3 && telegram_id > 3 ? 'Peru' : 'Chile'
  const params = { content: 'successful_payment', currency: 'EUR', total_amount: 100 }
  return [happened(telegram_id, 'Look', day, { country }), { ...wrote(telegram_id, day, params), country }]
}

/** The cards of a page by their names. */
function cardsIn(text: string): Map<string, string> {
  const cards = text.split('<section class="card report">').slice(1)
  return new Map(cards.map((card) => [/<bdi>([^<]*)/.exec(card)?.[1] ?? '', card]))
}

it('every card says how its figures changed and leads to the users whom they count', async () => {
  const pages = Object.values(COMPARED).map((address) => address.replace(/\?.*/, ''))
  expect(new Set(pages)).toEqual(new Set(FACES.flatMap(({ page, card }) => (card ? [page] : []))))
  const compared = await visit(COMPARED_EVENTS)
  const made = await boardOf(compared, COMPARED, LAST)
  const own = cardsIn(await textOf(made.board, LAST, compared))
  const changed = (cards: Map<string, string>) =>
    [...cards].flatMap(([name, card]) => (card.includes('class="change') ? [name] : []))
  expect(changed(own)).toEqual(Object.keys(COMPARED))
  expect(own.get('Looks')).toContain('<span class="change good"><span aria-hidden="true">▲ </span>100%')
  expect(own.get('Looks')).toContain('Changes: vs previous 2 days')
  const long = await textOf(made.board, { start: toDate(today - 9), end: toDate(today) }, compared)
  expect(changed(cardsIn(long))).toEqual([])
  for (const [name, card] of own) {
    const links = [...card.matchAll(/<a class="figure" href="([^"]*)"[^>]*>(?:<data[^>]*>)?([\d,]*)/g)]
    const countsUsers = !['Paths', 'Names', 'Euros'].includes(name)
    expect({ name, isLinked: links.length > 0 }).toEqual({ name, isLinked: countsUsers })
    const [, href = '', text = ''] = links[0] ?? []
    if (!countsUsers) continue
    const list = await textOf(href.replaceAll('&amp;', '&'), {}, compared)
    if (/^\d+$/.test(text))
      expect({ name, users: list.match(/<div class="who">/g)?.length }).toEqual({ name, users: Number(text) })
  }
  const shared = cardsIn(await textOf(made.link, {}, compared))
  const told = ['Lands', 'Euros', 'Payers', 'Few before']
  expect(changed(shared)).toEqual(Object.keys(COMPARED).filter((name) => !told.includes(name)))
  expect([...shared.values()].join()).not.toContain('<a ')
})
