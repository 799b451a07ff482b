import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { request } from '../support/client.ts'
import { askApi, escaped, figuresIn, openPage, toQuery, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const HOSTILE = '<script>alert("שלום")</script>'

function did(event_type: string, telegram_id: number, day: number, seconds = 0) {
  return { event_type, telegram_id, datetime: day * DAY_MS + seconds * 1000, params: { amount: telegram_id } }
}

const EVENTS = [
  did('visit', 9, today - 9),
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
  it('opens with the most frequent of the own events, else with any', async () => {
    const captured = ['Session start', 'Pageview /', 'InvoiceClosed'].flatMap((name) =>
      [1, 2, 3].map((user) => did(name, user, today - 1, 60)),
    )
    for (const [events, event] of [
      [[...captured, did(HOSTILE, 1, today), did('visit', 1, today), did('visit', 2, today)], 'visit'],
      [captured, '_active'],
      [[did('visit', 1, today - 200)], '_active'],
    ] as const) {
      const { browser, home } = await visit(events)
      const { location } = await openPage(browser, `${home}/trends?period=7d`)
      expect(location).toBe(`${home}/trends?period=7d&event_a=${event}`)
      const { status, text } = await openPage(browser, location ?? '')
      expect([status, text.includes('<figure')]).toEqual([200, event === 'visit' || events.length > 1])
    }
    const { browser, home } = await visit()
    expect((await openPage(browser, `${home}/trends`)).text).toContain('Waiting for the first event')
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
    const sparks = text.match(/<svg class="spark"/g)
    expect(sparks).toHaveLength(3)
  })

  it('compares only with periods after the first event', async () => {
    const { browser, home } = await visit(EVENTS.slice(1))
    const { text } = await openPage(
      browser,
      `${home}/trends?${toQuery({ ...DAYS, event_a: 'visit', compare: 'previous' })}`,
    )
    expect([text.includes('data-before'), text.includes('No earlier data')]).toEqual([false, true])
  })

  it('filters each series by itself, as it was typed, and takes filters and series away again', async () => {
    const visited = await visit(EVENTS)
    const { browser, home } = visited
    const typed = { 'filter-prop_b': 'params.amount', 'filter-op_b': 'greater', 'filter-value_b': '1' }
    const lines = { event_a: 'visit', mode_a: 'totals', event_b: 'visit', mode_b: 'totals' }
    const { location } = await openPage(browser, `${home}/trends?${toQuery({ ...DAYS, ...lines, ...typed })}`)
    const filter = { prop: 'params.amount', op: 'greater', values: ['1'] }
    const asked = new URLSearchParams(location?.split('?')[1])
    expect([asked.getAll('filters_b'), asked.getAll('filters')]).toEqual([[JSON.stringify(filter)], []])
    const { text } = await openPage(browser, location ?? '')
    const counted = { event: 'visit', mode: 'totals' }
    const series = JSON.stringify([counted, { ...counted, filters: [filter] }])
    const { yValues } = await askApi(visited, '/events/trends', { ...DAYS, series })
    const rows = [0, 1].flatMap((day) => yValues.map(({ data }: { data: number[] }) => data[day]))
    expect(figuresIn(text, PLOT)[0]).toEqual(rows)
    expect(rows).toEqual([1, 0, 1, 1])
    const hrefOf = (here: string) => {
      const [, href = ''] = new RegExp(`href="([^"]*)" data-here="${here}"`).exec(text) ?? []
      return [...new URLSearchParams(href.replaceAll('&amp;', '&').split('?')[1])].filter(([name]) => /_.$/.test(name))
    }
    expect(hrefOf('filter-1-0')).toEqual(Object.entries(lines))
    expect(hrefOf('remove-0')).toEqual([
      ['event_a', 'visit'],
      ['mode_a', 'totals'],
      ['filters_a', JSON.stringify(filter)],
    ])
    expect(hrefOf('add-series').at(-1)).toEqual(['event_c', '_active'])
    const wrong = await openPage(browser, `${home}/trends?${toQuery({ ...DAYS, ...lines, filters_b: 'x{' })}`)
    expect([wrong.status, wrong.text.includes('value="x{"')]).toEqual([422, true])
  })

  it('lists up to 20 groups, draws six, and counts all others together', async () => {
    const groups = Array.from({ length: 23 }, (_, place) => [
      did('visit', place + 1, today, place),
      ...(place < 3 ? [] : [did('visit', place + 1, today - 1, place)]),
    ]).flat()
    const visited = await visit([did('visit', 1, today - 9), ...groups])
    const { browser, home } = visited
    const asked = { ...DAYS, event_a: 'visit', mode_a: 'totals', group_by: 'params.amount' }
    const { text } = await openPage(browser, `${home}/trends?${toQuery(asked)}`)
    const series = JSON.stringify([{ event: 'visit', mode: 'totals' }])
    const question = { ...DAYS, series, group_by: 'params.amount' }
    const { yValues } = await askApi(visited, '/events/trends', question)
    const figures = figuresIn(text, PLOT)[0] ?? []
    const columns = yValues.length + 1
    const ofDay = (day: number) => [...yValues.map(({ data }: { data: number[] }) => data[day]), day === 0 ? 0 : 3]
    expect(figures).toEqual([...ofDay(0), ...ofDay(1)])
    expect(columns).toBe(21)
    expect(text).toContain('<bdi title="Other (3)">Other (3)</bdi>')
    expect(text).toContain('<h2>Top 6 of 23</h2>')
    expect(text.match(/data-undrawn/g)).toHaveLength(15)
    const bars = await openPage(browser, `${home}/trends?${toQuery({ ...asked, chart: 'bars', compare: 'previous' })}`)
    expect([bars.text.includes('data-kind="stack"'), bars.text.includes('data-before')]).toEqual([true, false])
    const average = await openPage(browser, `${home}/trends?${toQuery({ ...asked, mode_a: 'average', chart: 'bars' })}`)
    expect(average.text).toContain('data-kind="lines"')
  })

  it('shows the fault, and keeps what was typed', async () => {
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
  const DID = {
    'conditions.0.type': 'did',
    'conditions.0:did.event': 'visit',
    'conditions.0:did.times.op': 'at_least',
    'conditions.0:did.times.n': '2',
  }

  it('are saved, counted, listed and deleted', async () => {
    const { browser, home } = await visit(EVENTS)
    const saved = await browser.send(`${home}/cohorts`, { name: HOSTILE, match: 'all', ...DID, action: 'save' })
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

  it('are offered where pages are split and filtered', async () => {
    const { browser, home } = await visit(EVENTS)
    await browser.send(`${home}/cohorts`, { name: 'a,b', match: 'all', ...DID, action: 'save' })
    for (const page of [
      'events?event=visit',
      'trends?event_a=visit',
      'funnels?events=visit&events=visit',
      'retention',
    ]) {
      const { text } = await openPage(browser, `${home}/${page}`)
      expect([page, text.includes(`<option value="[&quot;cohort:a,b&quot;]">a,b</option>`)]).toEqual([page, true])
      expect(text).toContain('<option value="a,b" label="Cohort">')
    }
    const asked = toQuery({ event: 'visit', group_by: '["cohort:a,b"]' })
    const { status, text } = await openPage(browser, `${home}/events?${asked}`)
    expect([status, text.includes('not a,b')]).toEqual([200, true])
    expect(text).toContain('<option value="[&quot;cohort:a,b&quot;]" selected="">a,b</option>')
  })

  /** What the form of a page would send, as a browser does. */
  function fieldsIn(html: string): Record<string, string> {
    const form = /<form[^>]* id="cohort".*?<\/form>/s.exec(html)?.[0] ?? ''
    const inputs = [...form.matchAll(/<input (?![^>]*type="checkbox")[^>]*name="([^"]+)"[^>]*?value="([^"]*)"/g)]
    const areas = [...form.matchAll(/<textarea name="([^"]+)"[^>]*>([^<]*)</g)]
    const selects = [...form.matchAll(/<select name="([^"]+)".*?<\/select>/gs)].map(([text, name = '']) => {
      const chosen = /value="([^"]*)" selected/.exec(text) ?? /value="([^"]*)"/.exec(text)
      return ['', name, chosen?.[1] ?? '']
    })
    const pairs = [...inputs, ...areas, ...selects].map(([, name = '', value = '']) => [name, value] as const)
    const boxes = [...form.matchAll(/<input type="checkbox" name="([^"]+)" checked/g)].map(([, name = '']) => [
      name,
      'on',
    ])
    const steps = pairs.filter(([name, value]) => !name.endsWith('.events') || value !== '')
    return Object.fromEntries(
      [...steps, ...boxes].map(([name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]),
    )
  }

  const CONDITIONS = [
    {
      type: 'did',
      event: 'visit',
      times: { op: 'at_most', n: 3 },
      within: { days: 30 },
      filters: [
        { prop: 'country', op: 'is', values: ['Germany', 'Austria'] },
        { prop: 'params.amount', op: 'greater', values: ['5'] },
      ],
    },
    { type: 'first_seen', within: { start: '20260101', end: '20260131' } },
    { type: 'property', prop: 'language', op: 'is not', values: ['en'] },
    { type: 'revenue', op: 'greater or equal', amount: 2.5, currency: 'XTR', within: { days: 7 } },
    { type: 'users', telegram_ids: [3, 1] },
  ]
  const FUNNEL = {
    ...{ type: 'funnel', events: ['visit'], window_seconds: 7_200, order: 'strict', reached: 1, and_stopped: true },
    within: { days: 90 },
  }

  it.each([
    ['every kind of condition', { match: 'any', conditions: CONDITIONS }],
    ['a funnel', { match: 'all', conditions: [{ ...FUNNEL, events: ['visit', HOSTILE] }] }],
  ])('%s is stored as its form shows it', async (_, definition) => {
    const visited = await visit(EVENTS)
    const { browser, home, key } = visited
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify(definition)
    expect((await request('/cohorts/first', { method: 'PUT', headers, body })).status).toBe(200)
    const { text } = await openPage(browser, `${home}/cohorts?name=first`)
    const fields = fieldsIn(text)
    const steps = definition.conditions.flatMap((condition) => ('events' in condition ? condition.events : []))
    const pairs = Object.entries(fields).filter(([name]) => name !== 'name' && !name.endsWith('.events'))
    const form = new URLSearchParams([
      ['name', 'second'],
      ...pairs,
      ...steps.map((step) => ['conditions.0:funnel.events', step]),
    ])
    const saved = await browser.send(`${home}/cohorts`, form)
    expect([saved.status, await saved.text()]).toEqual([303, ''])
    expect((await askApi(visited, '/cohorts/second')).data.definition).toEqual(definition)
  })

  it('have rows that buttons add, remove and change, without a script and without storing', async () => {
    const { browser, home } = await visit(EVENTS)
    const press = async (action: string, more: object = {}) =>
      (await browser.send(`${home}/cohorts`, { name: 'x', match: 'any', ...DID, ...more, action })).text()
    const types = (html: string) =>
      Object.entries(fieldsIn(html)).flatMap(([name, value]) => (name.endsWith('.type') ? [value] : []))
    expect(types(await press('add conditions'))).toEqual(['did', 'did'])
    const funnel = { 'conditions.1.type': 'funnel' }
    const changed = await press('edit', funnel)
    expect([types(changed), changed.includes('name="conditions.1:funnel.reached"')]).toEqual([['did', 'funnel'], true])
    expect(fieldsIn(changed)).toMatchObject({ name: 'x', match: 'any', ...DID })
    const removed = await press('remove conditions 0', funnel)
    expect([types(removed), removed.includes('name="conditions.0:funnel.reached"')]).toEqual([['funnel'], true])
    expect((await openPage(browser, `${home}/cohorts`)).text).toContain('No cohorts yet')
  })

  it('show the fault at its field, and keep what was typed', async () => {
    const { browser, home } = await visit(EVENTS)
    const wrong = {
      ...{ name: 'wrong', match: 'all', ...DID, 'conditions.0:did.event': '', 'conditions.0:did.times.n': 'often' },
      'conditions.0:did.within.days': '0',
      ...{ 'conditions.0:did.filters.0.prop': 'country', 'conditions.0:did.filters.0.op': 'is' },
      ...{ 'conditions.1.type': 'funnel', 'conditions.1:funnel.events': 'visit', 'conditions.1:funnel.reached': '3' },
      ...{ 'conditions.2.type': 'users', 'conditions.2:users.telegram_ids': '1 mary' },
    }
    const refused = await browser.send(`${home}/cohorts`, wrong)
    const text = await refused.text()
    const faults = Object.fromEntries(
      [...text.matchAll(/id="([^"]+)-faults">([^<]*)</g)].map(([, id = '', fault = '']) => [id, fault]),
    )
    expect([refused.status, Object.keys(faults).sort()]).toEqual([
      422,
      [
        'conditions.0:did.event',
        'conditions.0:did.filters.0.values',
        'conditions.0:did.times.n',
        'conditions.0:did.within.days',
        'conditions.1:funnel.reached',
        'conditions.2:users.telegram_ids',
      ],
    ])
    expect(faults['conditions.0:did.times.n']).toBe('Enter a whole number')
    expect(faults['conditions.0:did.within.days']).toBe('Enter a whole number of 1 or more')
    expect(text).toContain('value="often"')
    expect(text).toMatch(/class="fault" role="alert">It should have at least 2 items/)
    expect(await (await browser.send(`${home}/cohorts`, { ...DID, name: ' ', match: 'all' })).text()).toContain(
      'id="name-faults"',
    )
  })

  it('are uploaded as a list, with the lines that are wrong, and downloaded again', async () => {
    const visited = await visit(EVENTS)
    const { browser, home, handle } = visited
    const upload = (text: string) => {
      const form = new FormData()
      form.set('name', 'list')
      form.set('list', new File([text], 'list.csv', { type: 'text/csv' }))
      return browser.send(`${home}/cohorts/list`, form)
    }
    const refused = await upload('telegram_id\n1\nmary\n')
    expect([refused.status, (await refused.text()).includes('Line 3 should be one telegram id')]).toEqual([422, true])
    const ids = Array.from({ length: 100_000 }, (_, index) => String(7_000_000_000 + index))
    const stored = await upload(['telegram_id', '1', ...ids.slice(1)].join('\r\n'))
    expect([stored.status, stored.headers.get('location')]).toEqual([303, `${home}/cohorts?name=list`])
    const { text } = await openPage(browser, `${home}/cohorts?name=list`)
    expect([text.includes('<data value="1">1</data> user now.'), text.includes('id="cohort"')]).toEqual([true, false])
    const file = await browser.open(`${home}/cohorts.csv?name=list`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${handle}-list.csv"`)
    expect((await file.text()).split('\r\n').slice(0, 3)).toEqual(['telegram_id', '1', ids[1]])
    expect((await upload('1\n'.repeat(1_200_000))).status).toBe(413)
  })

  it('cohorts that saved reports refer to are not deleted, and the refusal names the reports', async () => {
    const { browser, home } = await visit(EVENTS)
    await browser.send(`${home}/cohorts`, { name: 'used', match: 'all', ...DID, action: 'save' })
    const address = `${home}/events?${toQuery({ event: 'visit', group_by: 'cohort:used' })}`
    expect((await browser.send(`${home}/saved-questions`, { name: 'By use', address })).status).toBe(303)
    const refused = await browser.send(`${home}/cohorts/delete`, { name: 'used' })
    expect([refused.status, (await refused.text()).includes('refer to this cohort: “By use”')]).toEqual([409, true])
  })
})
