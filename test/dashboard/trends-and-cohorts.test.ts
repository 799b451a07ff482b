import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, escaped, figuresIn, openPage, toQuery, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const HOSTILE = '<script>alert("שלום")</script>'

function did(event_type: string, telegram_id: number, day: number, seconds = 0) {
  return { event_type, telegram_id, datetime: day * DAY_MS + seconds * 1000, params: { amount: telegram_id } }
}

const EVENTS = [
  did('visit', 1, today - 2),
  did('visit', 2, today - 2),
  did('visit', 1, today - 1),
  did(HOSTILE, 1, today - 1, 5),
  did('visit', 3, today),
  did(HOSTILE, 3, today, 5),
]

const DAYS = { start: toDate(today - 1), end: toDate(today) }
const PLOT = /<figure.*?<\/figure>/gs

describe('trends', () => {
  it('asks for events first', async () => {
    const { browser, home } = await visit(EVENTS)
    const { status, text } = await openPage(browser, `${home}/trends`)
    expect([status, text.includes('name="event_a"'), text.includes('<figure')]).toEqual([200, true, false])
  })

  it('shows the figures of the API: series, formulas and what they are compared with', async () => {
    const visited = await visit(EVENTS)
    const { browser, home } = visited
    const lines = { event_a: 'visit', event_b: HOSTILE, mode_b: 'sum', of_b: 'params.amount' }
    const asked = { ...DAYS, formula: 'B/A', compare: 'previous' }
    const { status, text } = await openPage(browser, `${home}/trends?${toQuery({ ...lines, ...asked })}`)
    const series = [{ event: 'visit' }, { event: HOSTILE, mode: 'sum', of: 'params.amount' }]
    const { yValues } = await askApi(visited, '/events/trends', { ...asked, series: JSON.stringify(series) })
    const rows = [0, 1].flatMap((day) => [
      // biome-ignore lint/suspicious/noExplicitAny: as the API answers
      ...yValues.map(({ data }: any) => data[day]),
      // biome-ignore lint/suspicious/noExplicitAny: as the API answers
      ...yValues.map(({ compared }: any) => compared[day]),
    ])
    expect(status).toBe(200)
    expect(figuresIn(text, PLOT)[0]).toEqual(rows.filter((figure) => figure !== null))
    expect(text).toContain(escaped(HOSTILE))
    expect(text).not.toContain(HOSTILE)
  })

  it('shows what is wrong, and keeps it in the form', async () => {
    const { browser, home } = await visit(EVENTS)
    const { status, text } = await openPage(browser, `${home}/trends?${toQuery({ event_a: 'visit', formula: 'A+' })}`)
    expect([status, text.includes('value="A+"'), text.includes('is unexpected')]).toEqual([422, true, true])
  })

  it('is a file for spreadsheets', async () => {
    const { browser, home } = await visit(EVENTS)
    const query = toQuery({ event_a: 'visit', mode_a: 'totals', event_b: HOSTILE, compare: 'previous', ...DAYS })
    const { status, text } = await openPage(browser, `${home}/trends.csv?${query}`)
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect([status, head?.startsWith('interval,visit,visit (compared),')]).toEqual([200, true])
    expect(rows.map((row) => row.split(',').slice(1))).toEqual([
      ['1', '0', '1', '0'],
      ['1', '2', '1', '0'],
    ])
    expect((await openPage(browser, `${home}/trends.csv`)).location).toBe(`${home}/trends`)
  })
})

describe('cohorts', () => {
  it('are saved, counted, listed and deleted', async () => {
    const { browser, home } = await visit(EVENTS)
    const definition = JSON.stringify({
      match: 'all',
      conditions: [{ type: 'did', event: 'visit', times: { op: 'at_least', n: 2 } }],
    })
    const saved = await browser.send(`${home}/cohorts`, { name: HOSTILE, definition })
    const address = `${home}/cohorts?${toQuery({ name: HOSTILE })}`
    expect([saved.status, saved.headers.get('location')]).toEqual([303, address])
    const { status, text } = await openPage(browser, address)
    expect([status, text.includes('<data value="1">1</data> user now.'), text.includes(HOSTILE)]).toEqual([
      200,
      true,
      false,
    ])
    expect(text).toContain(`${home}/users/1"`)
    expect(text).not.toContain(`${home}/users/2"`)
    const filters = JSON.stringify({ prop: 'cohort', op: 'is', values: [HOSTILE] })
    const filtered = await openPage(browser, `${home}/events?${toQuery({ event: 'visit', filters })}`)
    expect([filtered.status, filtered.text.includes(`Cohort is ${escaped(HOSTILE)}`)]).toEqual([200, true])
    const values = await openPage(browser, `${home}/property-values?property=cohort`)
    expect(JSON.parse(values.text)).toEqual({ values: [{ value: HOSTILE, label: HOSTILE }], isShort: true })
    expect((await browser.send(`${home}/cohorts/delete`, { name: HOSTILE })).status).toBe(303)
    expect((await openPage(browser, `${home}/cohorts`)).text).toContain('No cohorts yet')
  })

  it('show what is wrong with a definition, and keep it', async () => {
    const { browser, home } = await visit(EVENTS)
    for (const definition of ['{"match": ', '{"match": "all", "conditions": [{"type": "dreamt"}]}']) {
      const refused = await browser.send(`${home}/cohorts`, { name: 'dreamers', definition })
      expect([refused.status, (await refused.text()).includes(escaped(definition))]).toEqual([422, true])
    }
  })
})
