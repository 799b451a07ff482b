import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { type Browser, signInAsOwner } from '../support/browsing.ts'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '🍋'.repeat(255),
  'הזמנה שולמה',
  '=HYPERLINK("x";"y")',
  '"quoted", with &amp;',
]

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

let application: PlainApplication
let browser: Browser

/** 20 users who open, of whom half buy; as many groups as users. */
function history(now: number) {
  const event = (event_type: string, user: number, datetime: number) => ({
    event_type,
    telegram_id: user + 1,
    datetime,
    params: { shade: `shade ${user}`, 'size, cm': user % 2 === 0 ? 'big' : HOSTILE[0] },
  })
  return Array.from({ length: 20 }, (_, user) => {
    const start = now - (user % 3) * DAY_MS - 60 * MINUTE_MS
    return [
      event('open', user, start),
      event('open', user, start - 35 * DAY_MS),
      ...(user % 2 === 0 ? [event('buy', user, start + user * MINUTE_MS)] : []),
      ...HOSTILE.map((name) => event(name, user, start + 30 * MINUTE_MS)),
    ]
  }).flat()
}

beforeAll(async () => {
  application = await createPlainApplication()
  await deliver(messagesOf(application.applicationId, history(Date.now())))
  browser = await signInAsOwner(application.accountId)
})

type Asked = readonly (readonly [string, string])[]

/** A page of the application, as a browser shows it: led to the canonical address first. */
async function open(page: string, asked: Asked, status = 200): Promise<string> {
  let response = await browser.open(addressOf(page, asked))
  if (response.status === 302) response = await browser.open(response.headers.get('location') ?? '')
  expect(response.status).toBe(status)
  return response.text()
}

function addressOf(page: string, asked: Asked): string {
  return `/dashboard/${application.handle}/${page}?${new URLSearchParams(asked.map(([name, value]) => [name, value]))}`
}

// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else
async function api(path: string, asked: Asked): Promise<any> {
  const query = new URLSearchParams(asked.map(([name, value]) => [name, value]))
  const response = await getJson(`${path}?${query}`, application.key)
  expect(response.status).toBe(200)
  return response.json()
}

/** The figures of a page in the order in which they stand there, those in this element alone. */
function figuresIn(html: string, begin: string, end: string): number[] {
  const part = html.slice(html.indexOf(begin)).split(end)[0] ?? ''
  return [...part.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value))
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character)
}

describe('the page of events', () => {
  it('lists the names that occurred, as text, each a link to itself by day', async () => {
    const html = await open('events', [])
    const { data } = await api('/events/names', [])
    expect(figuresIn(html, 'aria-label="Events that occurred"', '</section>')).toEqual(
      data.flatMap(({ events, users }: { events: number; users: number }) => [events, users]),
    )
    for (const name of HOSTILE) {
      expect(html).toContain(`<bdi title="${escaped(name)}">${escaped(name)}</bdi>`)
      expect(html).toContain(escaped(`/events?${new URLSearchParams({ event: name })}`))
    }
    expect(html).not.toContain('<script>alert')
  })

  it('finds names by a part, and says so where there is none', async () => {
    expect(figuresIn(await open('events', [['contains', 'op']]), 'aria-label="Events that', '</section>')).toHaveLength(
      2,
    )
    expect(await open('events', [['contains', 'OP']])).toContain('No name has “<bdi>OP</bdi>” in it')
  })

  it.each(['uniques', 'totals', 'average', 'pct_dau'])('shows %s by day as the API answers them', async (mode) => {
    const asked: Asked = [
      ['event', 'open'],
      ['mode', mode],
      ['group_by', ''],
    ]
    const { yValues } = await api('/events/segmentation', asked.slice(0, 2))
    const figures = figuresIn(await open('events', asked), '<figure', '</figure>')
    // Beside each day's figure stands the one of the time before.
    expect(figures.filter((_, place) => place % 2 === 0)).toEqual(yValues[0].data)
  })

  it('shows groups as the API answers them, all in the table, six of them drawn', async () => {
    const asked: Asked = [
      ['event', 'open'],
      ['mode', 'totals'],
      ['group_by', 'params.shade'],
    ]
    const { yValues, xValues } = await api('/events/segmentation', asked)
    const html = await open('events', asked)
    const byDay = xValues.data.flatMap((_: string, day: number) =>
      yValues.map(({ data }: { data: number[] }) => data[day]),
    )
    expect(figuresIn(html, '<figure', '</figure>')).toEqual(byDay)
    expect(html.match(/data-undrawn/g)).toHaveLength(14)
    expect(html).toContain('The 6 largest of 20 groups are drawn.')
    const headlines = yValues.map(({ key_value: value }: { key_value: number }) => value)
    expect(figuresIn(html, 'class="bars"', '</table>')).toEqual(headlines)
  })

  it('offers the properties that occurred, also one with a comma in its name', async () => {
    const html = await open('events', [['event', 'open']])
    const [, value = ''] = /name="group_by".*?<option value="([^"]*)">size, cm</.exec(html) ?? []
    const grouped = await open('events', [
      ['event', 'open'],
      ['group_by', value.replaceAll('&quot;', '"')],
    ])
    expect(grouped).toContain(`<bdi title="${escaped(HOSTILE[0] as string)}">`)
    expect(grouped).toContain('selected="">size, cm</option>')
  })

  it('says what is wrong beside the field, and keeps what was typed', async () => {
    const html = await open(
      'events',
      [
        ['event', 'open'],
        ['mode', 'often'],
        ['group_by', 'weather'],
        ['start', '20261301'],
      ],
      422,
    )
    expect(html).toMatch(/value="open"/)
    expect(html).toMatch(/<select name="mode" id="mode" aria-invalid="true" aria-describedby="mode-faults">/)
    expect(html).toMatch(/id="group-1-faults">Input should be &#39;language&#39;/)
    expect(html).toContain('<option value="weather" selected="">weather</option>')
    expect(html).toContain('start: Input should be a day as YYYYMMDD')
  })

  it('tells a name that did not occur from filters that nothing passes', async () => {
    const filter = JSON.stringify({ prop: 'country', op: 'is', values: ['Atlantis'] })
    expect(await open('events', [['event', 'none']])).toContain('No event of this name occurred')
    const filtered = await open('events', [
      ['event', 'open'],
      ['filters', filter],
    ])
    expect(filtered).toContain('occurred in this period, but not with these filters')
    expect(await open('events', [['filters', filter]])).toContain('No event of this period passes these filters')
  })

  it('leads to the first steps where no event ever arrived', async () => {
    const empty = await createPlainApplication()
    const owner = await signInAsOwner(empty.accountId)
    for (const page of ['events']) {
      const response = await owner.open(`/dashboard/${empty.handle}/${page}`)
      expect(await response.text()).toContain('Waiting for the first event')
    }
  })
})

describe('the CSV of events', () => {
  async function file(asked: Asked) {
    const response = await browser.open(addressOf('events.csv', asked))
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, rows: text.split('\r\n').map((line) => line.split(',')) }
  }

  it('has the figures of the API, a row a day, and a name for its file', async () => {
    const asked: Asked = [
      ['event', 'open'],
      ['mode', 'average'],
      ['group_by', 'params.shade'],
      ['start', '20261101'],
      ['end', '20261103'],
    ]
    const { xValues, yValues } = await api('/events/segmentation', asked)
    const { status, headers, rows } = await file(asked)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${application.handle}-open-20261101-20261103.csv"`,
    )
    const names = yValues.map(({ name }: { name: string }) => name)
    const days = xValues.data.map((day: string, place: number) => [
      day,
      ...yValues.map(({ data }: { data: number[] }) => String(data[place])),
    ])
    expect(rows).toEqual([['day', ...names], ...days, ['']])
  })

  it('lists names, none of which a spreadsheet runs', async () => {
    const { rows } = await file([['contains', 'HYPERLINK']])
    expect(rows.map(([name]) => name)).toEqual(['event', `"'=HYPERLINK(""x"";""y"")"`, ''])
    expect(rows[1]?.slice(1, 3)).toEqual(['20', '20'])
  })

  it('leads to the page where its question cannot be asked', async () => {
    const asked: Asked = [
      ['event', 'open'],
      ['mode', 'often'],
    ]
    const { status, headers } = await file(asked)
    expect([status, headers.get('location')]).toEqual([302, addressOf('events', asked)])
  })
})
