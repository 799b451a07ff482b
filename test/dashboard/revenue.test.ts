import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const PLOT = /<figure.*?<\/figure>/gs
const METRICS = ['net', 'gross', 'refunds', 'payments', 'payers', 'new_payers', 'arpu', 'arppu']
const HOSTILE = '<b>&"'

function paid(telegram_id: number, day: number, total_amount: unknown, said: object = {}) {
  const params = { content: 'successful_payment', currency: 'XTR', total_amount, ...said }
  const context = { country: telegram_id === 1 ? HOSTILE : 'Germany' }
  return { event_type: 'telegram_message', telegram_id, datetime: day * DAY_MS, ...context, params }
}

const EVENTS = [
  { event_type: 'visit', telegram_id: 3, datetime: (today - 3) * DAY_MS },
  paid(1, today - 3, 100),
  paid(1, today - 1, 50, { content: 'refunded_payment' }),
  paid(2, today - 1, 1250.5),
  paid(2, today, 1999, { currency: 'EUR' }),
  paid(2, today, 'much'),
]

async function open({ browser, home }: Visited, page: string, asked: Record<string, string> = {}) {
  return openPage(browser, `${home}${page}?${toQuery({ ...DAYS, ...asked })}`)
}

type Series = { readonly name: string; readonly data: readonly number[]; readonly total: number }

const seriesOf = (yValues: readonly Series[], metric: string) => yValues.find(({ name }) => name === metric) as Series

describe('the page of revenue', () => {
  it.each(METRICS)('shows the figures of the API: %s', async (metric) => {
    const visited = await openDashboard(EVENTS)
    for (const asked of [{}, { group_by: 'country' }, { currency: 'eur' }]) {
      const { status, text } = await open(visited, '/revenue', { ...asked, metric })
      expect(status).toBe(200)
      const { yValues, groups, currency } = await askApi(visited, '/revenue', { ...DAYS, ...asked })
      const lines = groups.length > 0 ? groups.map((group: { yValues: Series[] }) => group.yValues) : [yValues]
      const plotted = [0, 1, 2, 3].flatMap((day) =>
        lines.map((line: Series[]) => seriesOf(line, metric).data[day] as number),
      )
      expect(figuresIn(text, PLOT)).toEqual([plotted])
      expect(text).toContain(`Lifetime value by day, ${currency}`)
      expect(text).not.toContain(HOSTILE)
      expect(text).toContain('1 event left out')
    }
  })

  it('averages lifetime value over cohorts whose day is over, and marks the figures of days that are not', async () => {
    const visited = await openDashboard([...EVENTS, paid(4, today - 1, 10)])
    const { text } = await open(visited, '/revenue', { interval: 'day' })
    const { combinedLtv } = (await askApi(visited, '/revenue/ltv', DAYS)).data[0]
    expect(combinedLtv).toEqual([340.125, 50, 25, 25])
    const rows = [...text.matchAll(/<th scope="row">(?:All|\d).*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<td class="number( open)?"/g)].flatMap(([, open], column) => (open ? [column] : [])),
    )
    // Column 0 is the number of users. Two cohorts have no users, and no figures.
    expect(rows).toEqual([[4], [4], [], [2], []])
  })

  it('is a table for spreadsheets, too', async () => {
    const visited = await openDashboard(EVENTS)
    const rowsOf = async (asked: Record<string, string>) => {
      const { status, text } = await open(visited, '/revenue.csv', asked)
      expect(status).toBe(200)
      return text.trim().split(/\r?\n/)
    }
    const [head, ...rows] = await rowsOf({})
    expect(head).toBe(['day', 'currency', ...METRICS].join(','))
    const { xValues, yValues } = await askApi(visited, '/revenue', DAYS)
    expect(rows).toEqual(
      xValues.data.map((day: string, place: number) =>
        [day, 'XTR', ...METRICS.map((metric) => seriesOf(yValues, metric).data[place])].join(','),
      ),
    )
    expect(await rowsOf({ group_by: 'country' })).toHaveLength(1 + 4 * 2)
  })

  it('explains how payments arrive if there are none', async () => {
    const { status, text } = await open(await openDashboard(EVENTS.slice(0, 1)), '/revenue')
    expect(status).toBe(200)
    expect(text).toContain('No payments in this period')
    expect((await open(await openDashboard(), '/revenue')).text).not.toContain('No payments in this period')
  })

  it('shows beside its field that a currency is invalid', async () => {
    const { status, text } = await open(await openDashboard(EVENTS), '/revenue', { currency: '€' })
    expect(status).toBe(422)
    expect(text).toMatch(/id="currency-faults"/)
  })
})

describe('other pages', () => {
  it('have net revenue and payers on the overview, once there is a payment', async () => {
    const visited = await openDashboard(EVENTS)
    expect((await open(visited, '')).text).toContain('Net revenue')
    const { text } = await open(visited, '', { metric: 'revenue' })
    const { yValues } = await askApi(visited, '/revenue', DAYS)
    expect(figuresIn(text, PLOT)[0]).toEqual(seriesOf(yValues, 'net').data)
    expect(text).toContain('Payers')
    expect((await open(await openDashboard(EVENTS.slice(0, 1)), '')).text).not.toContain('Net revenue')
  })

  it('have what a user paid, by currency', async () => {
    const visited = await openDashboard(EVENTS)
    const paidBy = async (id: number) =>
      [...(await open(visited, `/users/${id}`)).text.matchAll(/>Paid<\/dt><dd>([^<]*)</g)].map(([, amount = '']) =>
        amount.replaceAll('\u202f', ' '),
      )
    expect(await paidBy(1)).toEqual(['★ 50 in 1 payment'])
    expect(await paidBy(2)).toEqual(['19.99 EUR in 1 payment', '★ 1,250.5 in 1 payment'])
    expect(await paidBy(3)).toEqual([])
  })
})

interface TypedRule extends Readonly<Record<string, unknown>> {
  readonly filters?: readonly object[]
}

describe('the rules in the settings', () => {
  const RULE = { event: 'visit', kind: 'sale', amount: 5, currency: 'USD', unit: 'major' }
  const typedAs = ({ filters = [], ...rule }: TypedRule) =>
    Object.fromEntries([
      ...Object.entries(rule).map(([field, value]) => [`rules.0.${field}`, String(value)]),
      ...filters.flatMap((filter, row) =>
        Object.entries(filter).map(([field, value]) => [`rules.0.filters.${row}.${field}`, String(value)]),
      ),
    ])
  const sectionOf = (html: string) =>
    /<section class="card" id="revenue">.*?<\/section>\s*<\/section>/s.exec(html)?.[0] ?? html
  const counts = (html: string) => figuresIn(sectionOf(html), /<tbody>.*?<\/tbody>/gs)[0]
  const send = async ({ browser, home }: Visited, typed: Record<string, string>) => {
    const response = await browser.send(`${home}/settings/revenue`, typed)
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }

  it('are tried before they are saved, and restored', async () => {
    const visited = await openDashboard(EVENTS)
    const path = `/applications/${visited.handle}/revenue-rules`
    const settings = async () => sectionOf((await openPage(visited.browser, `${visited.home}/settings/revenue`)).text)
    expect(counts(await settings())).toEqual([0, 3, 1, 0, 0, 0, 0, 0, 0])
    const tried = await send(visited, { ...typedAs(RULE), action: 'try' })
    expect(tried.status).toBe(200)
    expect(tried.text).toContain('Preview: events these rules would match')
    expect(counts(tried.text)).toEqual([1])
    expect((await askApi(visited, path)).data.are_defaults).toBe(true)
    expect((await send(visited, typedAs(RULE))).location).toContain('done=revenue#revenue')
    expect((await askApi(visited, path)).data).toEqual({ rules: [{ ...RULE, filters: [] }], are_defaults: false })
    expect(counts(await settings())).toEqual([1])
    await send(visited, { ...typedAs(RULE), action: 'defaults' })
    expect((await askApi(visited, path)).data.are_defaults).toBe(true)
  })

  it('have rows that are added and removed before anything is saved; without a row, nothing is revenue', async () => {
    const visited = await openDashboard(EVENTS)
    const rows = (html: string) => [...sectionOf(html).matchAll(/<legend[^>]*>(Rule \d+)</g)].map(([, row]) => row)
    const added = await send(visited, { ...typedAs(RULE), action: 'add rules' })
    expect([added.status, rows(added.text)]).toEqual([200, ['Rule 1', 'Rule 2']])
    expect(added.text).toMatch(/<input(?=[^>]* name="rules.0.event")[^>]* value="visit"/)
    // The one that is meant goes, also where another row is empty.
    const empty = { 'rules.1.kind': 'refund', 'rules.1.unit': 'major' }
    const removed = await send(visited, { ...typedAs(RULE), ...empty, action: 'remove rules 0' })
    expect(rows(removed.text)).toEqual(['Rule 1'])
    expect(removed.text).toMatch(/<input(?=[^>]* name="rules.0.event")[^>]* value=""/)
    expect(removed.text).toContain('<option value="refund" selected')
    expect((await send(visited, { ...typedAs(RULE), ...empty, action: 'save' })).text).toContain('rules.1.event-faults')
    const path = `/applications/${visited.handle}/revenue-rules`
    expect((await askApi(visited, path)).data.are_defaults).toBe(true)
    await send(visited, { action: 'save' })
    expect((await askApi(visited, path)).data).toEqual({ rules: [], are_defaults: false })
    expect((await openPage(visited.browser, `${visited.home}/settings/revenue`)).text).toContain('No rules: nothing')
  })

  it.each([
    [{ ...RULE, amount: 'price' }, 'rules.0.amount', 'It should be &#39;params.&lt;name&gt;&#39; or a number'],
    [
      { ...RULE, filters: [{ prop: 'planet', op: 'is', values: ['Mars'] }] },
      'rules.0.filters.0.prop',
      'Unknown property',
    ],
    [{ ...RULE, event: '' }, 'rules.0.event', 'Fill this in'],
  ])('stay as they are typed, with what is wrong at its field: %o', async (rule, field, fault) => {
    const visited = await openDashboard(EVENTS)
    for (const action of ['try', 'save']) {
      const { status, text } = await send(visited, { ...typedAs(rule), action })
      expect(status).toBe(422)
      expect([...text.matchAll(/id="([^"]*)-faults">([^<]*)/g)].map(([, id, said]) => [id, said])).toEqual([
        [field, expect.stringContaining(fault)],
      ])
      expect(text).toContain('value="USD"')
    }
  })
})
