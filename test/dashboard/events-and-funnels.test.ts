import { beforeAll, describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { type Asked, askApi, escaped, figuresIn, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '🍋'.repeat(255),
  'הזמנה שולמה',
  '=HYPERLINK("x";"y")',
  '"quoted", with &amp;',
]

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

let visited: Visited

/** 20 users who open, half of whom buy; as many groups as users. Pages compare two periods of 30 days, so one user came before. */
function history(now: number) {
  const event = (event_type: string, user: number, datetime: number) => ({
    event_type,
    telegram_id: user + 1,
    datetime,
    params: { shade: `shade ${user}`, 'Size, cm': user % 2 === 0 ? 'big' : HOSTILE[0] },
  })
  const crowd = Array.from({ length: 20 }, (_, user) => {
    const start = now - (user % 3) * DAY_MS - 60 * MINUTE_MS
    return [
      event('open', user, start),
      event('open', user, start - 35 * DAY_MS),
      ...(user % 2 === 0 ? [event('buy', user, start + (user === 18 ? 28 : user) * MINUTE_MS)] : []),
      ...HOSTILE.map((name) => event(name, user, start + 30 * MINUTE_MS)),
    ]
  })
  return [event('open', 0, now - 70 * DAY_MS), ...crowd.flat()]
}

beforeAll(async () => {
  visited = await visit(history(Date.now()))
})

/** A page of the application, as a browser shows it: led to the canonical address first. */
async function open(page: string, asked: Asked, status = 200): Promise<string> {
  const { browser } = visited
  let answer = await openPage(browser, addressOf(page, asked))
  if (answer.status === 302) answer = await openPage(browser, answer.location ?? '')
  expect(answer.status).toBe(status)
  return answer.text
}

function addressOf(page: string, asked: Asked): string {
  return `${visited.home}${page && `/${page}`}?${toQuery(asked)}`
}

function api(path: string, asked: Asked) {
  return askApi(visited, path, asked)
}

/** The figures of the one part of a page that looks like this. */
function figuresOf(html: string, part: RegExp): number[] {
  const parts = figuresIn(html, part)
  expect(parts).toHaveLength(1)
  return parts[0] ?? []
}

const NAMES = /aria-label="All events".*?<\/section>/gs
const PLOT = /<figure.*?<\/figure>/gs
const BARS = /<section class="groups">.*?<\/table>/gs
const FUNNEL = /<ol class="funnel">.*?<\/ol>/gs
const GROUPS = /class="list compared".*?<\/table>/gs

describe('the page of events', () => {
  it('lists the names that occurred, as text, each a link to itself by day', async () => {
    const html = await open('events', [])
    const { data } = await api('/events/names', [])
    expect(figuresOf(html, NAMES)).toEqual(
      data.flatMap(({ events, users }: { events: number; users: number }) => [events, users]),
    )
    for (const name of HOSTILE) {
      expect(html).toContain(`<bdi title="${escaped(name)}">${escaped(name)}</bdi>`)
      expect(html).toContain(escaped(`/events?${new URLSearchParams({ event: name })}`))
    }
    expect(html).not.toContain('<script>alert')
  })

  it('draws the course of each name as the API counts it', async () => {
    const html = await open('events', [])
    const { data } = await api('/events/names', [])
    const rows = NAMES.exec(html)?.[0].split('<tr>').slice(2) ?? []
    NAMES.lastIndex = 0
    expect(rows).toHaveLength(data.length)
    for (const [place, { name }] of data.entries()) {
      const { yValues } = await api('/events/segmentation', { event: name, mode: 'totals' })
      const days: number[] = yValues[0].data
      const heights = [...(rows[place] ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
      // Where the way to today begins, too.
      expect(heights.toSpliced(-2, 1)).toEqual(
        days.map((events) => Number((24 * (1 - events / Math.max(...days))).toFixed(1))),
      )
    }
  })

  it('offers the parameters of an event first, and lists them', async () => {
    const now = Date.now() - 60_000
    const event = (event_type: string, params: object) => ({ event_type, telegram_id: 1, datetime: now, params })
    const other = await visit([
      ...[1, 2, 3].map((page) => event('often', { page })),
      event('rare', { price: 5, [HOSTILE[0] ?? '']: 1 }),
    ])
    const optionsOf = async (path: string) => {
      const { text } = await openPage(other.browser, other.home + path)
      const select = /<select name="of(?:_a)?".*?<\/select>/s.exec(text)?.[0] ?? ''
      return { text, options: [...select.matchAll(/value="params\.([^"]*)"/g)].map(([, name]) => name) }
    }
    const hostile = escaped(HOSTILE[0] ?? '')
    for (const path of ['/events?event=rare', '/trends?event_a=rare']) {
      expect((await optionsOf(path)).options).toEqual([hostile, 'price', 'page'])
    }
    expect((await optionsOf('/events?event=often')).options[0]).toBe('page')
    const { text } = await optionsOf('/events?event=rare')
    const card = /<h2>Parameters<\/h2>.*?<\/table>/s.exec(text)?.[0] ?? ''
    expect([...card.matchAll(/<bdi title="([^"]*)"/g)].map(([, name]) => name)).toEqual([hostile, 'price'])
    const { data } = await askApi(other, '/properties', { event: 'rare' })
    expect(data.filter(({ property }: { property: string }) => property.startsWith('params.'))).toEqual([
      { property: `params.${HOSTILE[0]}`, events: 1 },
      { property: 'params.price', events: 1 },
    ])
  })

  it('finds names by a part, and says so if there is none', async () => {
    expect(figuresOf(await open('events', { contains: 'op' }), NAMES)).toHaveLength(2)
    expect(await open('events', { contains: 'OP' })).toContain('No event name contains “<bdi>OP</bdi>”')
  })

  it.each(['uniques', 'totals', 'average', 'pct_dau'])('shows %s by day as the API answers them', async (mode) => {
    const asked = { event: 'open', mode }
    const { yValues } = await api('/events/segmentation', asked)
    const figures = figuresOf(await open('events', { ...asked, group_by: '' }), PLOT)
    // Beside each day's figure stands the one of the time before.
    expect(figures.filter((_, place) => place % 2 === 0)).toEqual(yValues[0].data)
  })

  it('shows groups as the API answers them, all in the table, six of them drawn', async () => {
    const asked: Asked = { event: 'open', mode: 'totals', group_by: 'params.shade' }
    const { yValues, xValues } = await api('/events/segmentation', asked)
    const html = await open('events', asked)
    const byDay = xValues.data.flatMap((_: string, day: number) =>
      yValues.map(({ data }: { data: number[] }) => data[day]),
    )
    expect(figuresOf(html, PLOT)).toEqual(byDay)
    expect(html.match(/data-undrawn/g)).toHaveLength(14)
    expect(html).toContain('Top 6 of 20.')
    const headlines = yValues.map(({ key_value: value }: { key_value: number }) => value)
    expect(figuresOf(html, BARS)).toEqual(headlines)
  })

  it('offers the properties that occurred, also one with a comma in its name', async () => {
    const html = await open('events', { event: 'open' })
    const [, value = ''] = /name="group_by".*?<option value="([^"]*)">Size, cm</.exec(html) ?? []
    const grouped = await open('events', { event: 'open', group_by: value.replaceAll('&quot;', '"') })
    expect(grouped).toContain(`<bdi title="${escaped(HOSTILE[0] as string)}">`)
    expect(grouped).toContain('selected="">Size, cm</option>')
    expect(grouped).toContain('<h2>Unique users by Size, cm</h2>')
  })

  it('shows the fault beside the field, and keeps what was typed', async () => {
    const html = await open('events', { event: 'open', mode: 'often', group_by: 'weather', start: '20261301' }, 422)
    expect(html).toMatch(/value="open"/)
    expect(html).toMatch(/<select name="mode" id="mode" aria-invalid="true" aria-describedby="mode-faults"/)
    expect(html).toMatch(/id="group-1-faults">Choose one of the options/)
    expect(html).toContain('<option value="weather" selected="">weather</option>')
    expect(html).toContain('First day: It should be a day as YYYYMMDD')
    const places = [{ filters: '[{"prop":"x","op":"is","values":["a"]}]' }, { filters: 'x' }, { offset: 'x' }]
    const [property, filter, offset] = await Promise.all(places.map((asked) => open('events', asked, 422)))
    expect(property).toContain('Filter 1 property: Unknown property')
    expect(filter).toContain('Filter: It cannot be read. Remove it and add it again')
    expect(offset).toContain('Page of the list: It should be a whole number')
  })

  it('distinguishes a name that did not occur from filters that match nothing', async () => {
    const filter = JSON.stringify({ prop: 'country', op: 'is', values: ['Atlantis'] })
    expect(await open('events', { event: 'none' })).toContain('No event with this name occurred')
    const filtered = await open('events', { event: 'open', filters: filter })
    expect(filtered).toContain('occurred in this period, but not with these filters')
    expect(await open('events', { filters: filter })).toContain('No events in this period match these filters')
  })

  it('leads to the first steps where no event ever arrived', async () => {
    const { browser, home } = await visit()
    for (const page of ['events', 'funnels']) {
      expect((await openPage(browser, `${home}/${page}`)).text).toContain('Waiting for the first event')
    }
  })
})

describe('the overview', () => {
  it('says of days to come and of a quiet period that nothing is there yet, and shows no row of zeros', async () => {
    for (const [day, saying] of [
      [40, 'This period is in the future'],
      [-20, 'No events in this period'],
    ] as const) {
      const date = new Date(Date.now() + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
      const html = await open('', { start: date, end: date })
      expect(html).toContain(saying)
      expect(html).not.toContain('class="tiles"')
    }
  })

  it('draws today as a day that still grows, also in a period from day to day', async () => {
    const dayOf = (daysAgo: number) =>
      new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
    const plotOf = async (end: string) => (await open('', { start: dayOf(3), end })).match(/<figure [^>]*>/)?.[0]
    expect(await plotOf(dayOf(0))).toContain('data-open')
    expect(await plotOf(dayOf(1))).not.toContain('data-open')
  })

  it('says in words, not in percent, that there was nobody in the earlier period', async () => {
    const [, ...tiles] = (await open('', { period: '7d' })).split('<div class="tile">')
    const sessions = tiles.filter((tile) => /Sessions|Avg. session/.test(tile))
    expect(sessions.map((tile) => tile.match(/class="change[^>]*>([^<]*)/)?.[1])).toEqual(
      Array(2).fill('No earlier data'),
    )
  })

  it('compares with no time before the first event, and neither does any other page', async () => {
    const days = Array.from({ length: 20 }, (_, day) =>
      ['open', 'buy'].map((event_type) => ({ event_type, day })),
    ).flat()
    const young = await visit(
      days.map(({ event_type, day }) => ({ event_type, telegram_id: 1, datetime: Date.now() - day * DAY_MS - 60_000 })),
    )
    /** The change on each tile and of each figure below the chart, in their order. */
    const changesOn = async (path: string) => {
      const { text } = await openPage(young.browser, path)
      const [, ...tiles] = text.split(/<div class="(?:tile|aside)">/)
      return {
        text,
        changes: tiles.map((tile) =>
          [/<dt[^>]*>(?:<a [^>]*>)?([^<]*)/, /class="change[^>]*>([^<]*)/].map((part) => part.exec(tile)?.[1]),
        ),
      }
    }
    const NONE = 'No earlier data'
    const event = { event: 'open', mode: 'totals' }
    const funnel = 'events=open&events=buy'
    for (const path of ['?', '?metric=dau_mau&', `/events?${toQuery(event)}&`, `/funnels?${funnel}&`]) {
      const [month, week] = [
        await changesOn(`${young.home}${path}period=30d`),
        await changesOn(`${young.home}${path}period=7d`),
      ]
      for (const [tile, change] of month.changes) {
        if (['Today', 'Users in the period', 'Median time to convert'].includes(String(tile)))
          expect(change).toBeUndefined()
        else if (tile === 'Yesterday') expect(change).toMatch(/^0% vs last (Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/)
        else expect([tile, change]).toEqual([tile, NONE])
      }
      expect([month.text.includes('data-before'), month.text.includes('vs previous')]).toEqual([false, false])
      const uncompared = week.changes.filter(([, change]) => change === NONE).map(([tile]) => tile)
      // The month before the week reaches back behind the first event.
      const ofMonths = { '?': ['DAU/MAU'], '?metric=dau_mau&': ['DAU/MAU', 'Monthly active users'] }[path] ?? []
      expect(uncompared).toEqual(ofMonths)
      expect(week.text.includes('data-before')).toBe(!path.startsWith('/funnels'))
    }
    for (const path of [`/events?${toQuery(event)}&group_by=country`, `/funnels?${funnel}&group_by=country`]) {
      const { text } = await changesOn(young.home + path)
      expect([text.includes(NONE), text.includes('Change')]).toEqual([true, false])
    }
    const applications = await changesOn('/dashboard?search')
    expect(applications.text).toContain(`<span class="change">${NONE}</span>`)
    const { yValues } = await askApi(young, '/events/segmentation', event)
    expect(yValues[0].change).toBe(100)
  })

  it('is found with a slash at its end, too', async () => {
    const { status, headers } = await visited.browser.open(`/dashboard/${visited.handle}/`)
    expect([status, new URL(headers.get('location') ?? '').pathname]).toEqual([301, `/dashboard/${visited.handle}`])
  })
})

describe('the CSV of events', () => {
  async function file(asked: Asked) {
    const response = await visited.browser.open(addressOf('events.csv', asked))
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, rows: text.split('\r\n').map((line) => line.split(',')) }
  }

  it('has the figures of the API, a row a day, and a name for its file', async () => {
    const asked: Asked = {
      event: 'open',
      mode: 'average',
      group_by: 'params.shade',
      start: '20261101',
      end: '20261103',
    }
    const { xValues, yValues } = await api('/events/segmentation', asked)
    const { status, headers, rows } = await file(asked)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${visited.handle}-open-20261101-20261103.csv"`,
    )
    const names = yValues.map(({ name }: { name: string }) => name)
    const days = xValues.data.map((day: string, place: number) => [
      day,
      ...yValues.map(({ data }: { data: number[] }) => String(data[place])),
    ])
    expect(rows).toEqual([['day', ...names], ...days, ['']])
  })

  it('lists names, and a spreadsheet runs none of them', async () => {
    const { rows } = await file({ contains: 'HYPERLINK' })
    expect(rows.map(([name]) => name)).toEqual(['event', `"'=HYPERLINK(""x"";""y"")"`, ''])
    expect(rows[1]?.slice(1, 3)).toEqual(['20', '20'])
  })

  it('leads to the page where its question cannot be asked', async () => {
    const asked: Asked = { event: 'open', mode: 'often' }
    const { status, headers } = await file(asked)
    expect([status, headers.get('location')]).toEqual([302, addressOf('events', asked)])
  })
})

describe('the page of funnels', () => {
  const STEPS: [string, string][] = [
    ['events', 'open'],
    ['events', 'buy'],
    ['events', HOSTILE[0] as string],
  ]

  // biome-ignore lint/suspicious/noExplicitAny: as the operation answers it
  const usersOf = ({ yValues }: any): number[] => yValues.flatMap(({ data }: { data: number[] }) => data)

  it.each([
    [[]],
    [[['window_seconds', '600']]],
    [[['order', 'strict']]],
    [[['order', 'any']]],
    [[['exclude', HOSTILE[1]]]],
  ] as [[string, string][]][])('shows the users of each step as the API answers them: %j', async (more) => {
    const asked = [...STEPS, ...more]
    const html = await open('funnels', asked)
    expect(figuresOf(html, FUNNEL)).toEqual(usersOf(await api('/funnels', asked)))
    expect(html).not.toContain('<script>alert')
  })

  it('shows conversions, losses and times, and links each step to its event', async () => {
    const html = await open('funnels', STEPS)
    expect(html).toContain('50.0% of the previous step')
    expect(html).toContain('Drop-off 10 (50.0%) · biggest')
    // The ten who buy do so 0, 2, … 16 and 28 minutes after they opened.
    expect(html).toContain('Median time 9\u202fmin · avg 10\u202fmin')
    expect(html).toContain(`${visited.home}/events?event=buy"`)
  })

  it('says how long users took to convert', async () => {
    const html = await open('funnels', [...STEPS.slice(0, 2), ['tab', 'time']])
    // The ten who buy do so 0, 2, … 16 and 28 minutes after they opened.
    expect(html).toContain('Median 9\u202fmin, average 10\u202fmin.')
    const rows = html.slice(html.indexOf('>Time to convert</span>')).split('<tr>').slice(1)
    expect(rows.map((row) => /title="([^"]+)".*?class="number">(\d+)</.exec(row)?.slice(1))).toEqual(
      expect.arrayContaining([
        ['Less than 10\u202fs', '1'],
        ['1\u202fmin to 5\u202fmin', '2'],
        ['5\u202fmin to 15\u202fmin', '5'],
        ['15\u202fmin to 1\u202fh', '2'],
      ]),
    )
  })

  it('compares groups', async () => {
    const asked: Asked = [...STEPS, ['group_by', '["params.Size, cm"]']]
    const html = await open('funnels', asked)
    const { yValues, ...rest } = await api('/funnels', asked)
    expect(figuresOf(html, GROUPS)).toEqual(usersOf({ yValues, ...rest }))
    expect(html).toContain('<h2>By Size, cm</h2>')
    expect(html).toContain('aria-label="Funnel by Size, cm"')
    expect(figuresOf(html, FUNNEL)).toEqual(usersOf(await api('/funnels', STEPS)))
    for (const { name } of yValues) expect(html).toContain(`<bdi title="${escaped(name)}">${escaped(name)}</bdi>`)
  })

  it('is built by its form alone: empty fields are ignored, one more step is offered, a window has a unit', async () => {
    const sent = [...STEPS, ['events', ''], ['exclude', ''], ['order', 'ordered'], ['group_by', '']] as const
    const unit = [
      ['window-amount', '2'],
      ['window-unit', 'hours'],
    ] as const
    const { status, headers } = await visited.browser.open(addressOf('funnels', [...sent, ...unit]))
    const canonical = addressOf('funnels', [...STEPS, ['order', 'ordered'], ['window_seconds', '7200']])
    expect([status, headers.get('location')]).toEqual([302, canonical])
    const html = await (await visited.browser.open(canonical)).text()
    expect(html.match(/<input name="events"/g)).toHaveLength(4)
    expect(html).toContain('Within 2 hours')
    expect(html).toMatch(/name="window-amount" value="2"/)
    expect(html).toContain('<option value="hours" selected="">')
  })

  it('takes a name that begins like an array', async () => {
    const html = await open('funnels', [...STEPS, ['exclude', '[admin] x']])
    expect(html).toContain('value="[admin] x" placeholder="Choose an event" id="exclude-1"')
  })

  it('offers funnels of own events that follow one another, drawn from what they answer', async () => {
    const html = await open('funnels', [])
    const [, guess = ''] = /<ul class="guesses">(.*?)<\/ul>/s.exec(html) ?? []
    const [, href = ''] = /href="([^"]*)"/.exec(guess) ?? []
    const example = await openPage(visited.browser, href.replaceAll('&amp;', '&'))
    const { steps } = await api('/funnels', [...new URL(href.replaceAll('&amp;', '&'), 'http://a').searchParams])
    expect(figuresOf(example.text, FUNNEL)).toEqual(steps.map(({ users }: { users: number }) => users))
    expect(steps.length).toBeGreaterThan(1)
    expect(guess).toContain(`<strong>${steps.at(-1).conversion_from_start.toFixed(1)}%</strong>`)
    expect(await open('funnels', { events: 'open' })).toContain('A funnel has at least two steps')
    // The same steps where few users pass the filters.
    const asked = await open('funnels', [['filters', '{"prop":"params.shade","op":"is","values":["shade 0"]}']])
    const named = (text: string) => text.match(/<span class="guess-steps">.*?<\/span>/s)?.[0]
    expect(named(asked)).toBe(named(guess))
    expect(html).toMatch(/Skip to content.*<h1><bdi>Funnels<\/bdi><\/h1>/s)
  })

  it('opens with a saved funnel, in the period that was chosen, and leads on to a new one', async () => {
    const own = await visit(history(Date.now()))
    const address = `${own.home}/funnels?${toQuery(STEPS.slice(0, 2))}&period=90d`
    for (const [name, saved] of Object.entries({ [HOSTILE[0] as string]: address, Later: `${own.home}/paths?event=a` }))
      expect((await own.browser.send(`${own.home}/saved-questions`, { name, address: saved })).status).toBe(303)
    expect((await openPage(own.browser, `${own.home}/funnels`)).location).toBe(address)
    const inWeek = await openPage(own.browser, `${own.home}/funnels?period=7d`)
    expect(inWeek.location).toBe(`${own.home}/funnels?period=7d&${toQuery(STEPS.slice(0, 2))}`)
    const { text } = await openPage(own.browser, address)
    const [row = ''] = /<nav class="saved-row".*?<\/nav>/s.exec(text) ?? []
    expect(row.match(/<a /g)).toHaveLength(2)
    expect(row).toContain(`aria-current="true"><bdi title="${escaped(HOSTILE[0] as string)}">`)
    expect(row).toContain(`href="${own.home}/funnels?period=90d&amp;new=true"`)
    expect((await openPage(own.browser, `${own.home}/funnels?new=true`)).text).toContain('Select step 1')
  })

  it('shows conversion over time as the funnels of each interval, and beside each group', async () => {
    const today = Math.floor(Date.now() / DAY_MS)
    const days = Array.from({ length: 7 }, (_, place) => toDate(today - 6 + place))
    const html = await open('funnels', [...STEPS, ['period', '7d'], ['tab', 'trend']])
    const answers = await Promise.all(days.map((day) => api('/funnels', [...STEPS, ['start', day], ['end', day]])))
    const percents = answers.map(({ steps }) => steps[0].users > 0 && steps.at(-1).conversion_from_start)
    expect(figuresOf(html, PLOT)).toEqual(percents.filter((percent) => percent !== false))
    expect(figuresOf(html, PLOT)).toHaveLength(3)
    const grouped = await open('funnels', [...STEPS, ['period', '7d'], ['group_by', '["params.Size, cm"]']])
    expect(grouped).toMatch(/class="spark"[^>]*aria-label="From \d/)
    expect(await open('funnels', [...STEPS, ['start', days[6] as string], ['tab', 'trend']])).toContain(
      'a longer period',
    )
  })

  it('shows the fault beside the field', async () => {
    const asked: Asked = [
      ...STEPS,
      ['exclude', 'buy'],
      ['window_seconds', 'long'],
      ['order', 'random'],
      ['events', 'x'.repeat(256)],
    ]
    const html = await open('funnels', asked, 422)
    expect(html).toMatch(/id="exclude-1-faults">It should not be a step</)
    expect(html).toMatch(/id="window-faults">It should be a whole number/)
    expect(html).toMatch(/<p class="fault" role="alert">Choose one of the options/)
    expect(html).toMatch(/id="step-4-faults">/)
  })

  it('says that nobody began, and which names did not occur', async () => {
    const of = (...steps: string[]) =>
      open(
        'funnels',
        steps.map((step) => ['events', step] as const),
      )
    expect(await of('none', 'buy')).toContain('No event in this period has the name <bdi>none</bdi>')
    expect(await of('open', 'none')).toContain('No event with this name in this period')
    expect(await of('opne', 'buy')).toMatch(/Did you mean.*funnels\?events=open&amp;events=buy"><bdi>open</s)
  })
})
