import { describe, expect, it } from 'vitest'
import { figureInWords } from '../../src/dashboard/faces/figure-words.ts'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const HOSTILE = '<script>alert("שלום")</script>'
const LONG = '😀'.repeat(127)

/** An event some seconds after the beginning of a day. */
function did(event_type: string, telegram_id: number, day: number, seconds = 0, said: object = {}) {
  return { event_type, telegram_id, datetime: new Date(day * DAY_MS + seconds * 1000).toISOString(), ...said }
}

async function open({ browser, home }: Visited, page: string, query: Record<string, string> = {}) {
  const { status, text: html } = await openPage(browser, `${home}/${page}?${toQuery(query)}`)
  return { status, html }
}

/** Tables of shares, curves. */
const HEAT = /<section class="scroll heat".*?<\/section>/gs
const PLOT = /<figure.*?<\/figure>/gs

interface Matrix {
  readonly cohorts: Readonly<Record<string, number>>
  readonly retentionMatrix: readonly (readonly string[])[]
  readonly combinedRetention: readonly number[]
  readonly combinedComplete: readonly boolean[]
}

interface Retention extends Matrix {
  readonly groups: readonly Matrix[]
}

/** All cohorts together, then each cohort; cells without users have no share. */
function triangleOf({ cohorts, combinedRetention, retentionMatrix }: Matrix): number[] {
  const users = Object.values(cohorts)
  return [
    ...combinedRetention,
    ...retentionMatrix.filter((_, row) => users[row] !== 0).flatMap((row) => row.map(Number)),
  ]
}

/** The rows of the plot's table; cells without users have no share. */
function curvesOf(matrices: readonly Matrix[]): number[] {
  const [{ combinedRetention }] = matrices as [Matrix]
  return combinedRetention.flatMap((_, column) =>
    matrices.flatMap(({ cohorts, combinedRetention: own }) => {
      const users = Object.values(cohorts).slice(0, own.length - column)
      return users.some((count) => count > 0) ? [own[column] as number] : []
    }),
  )
}

describe('retention', () => {
  const DAYS = { start: toDate(today - 2), end: toDate(today) }
  const events = [
    did('visit', 1, today - 2, 0, { country: 'DE' }),
    did('visit', 2, today - 2, 1, { params: { plan: HOSTILE } }),
    did('visit', 3, today - 2, 2),
    did('visit', 4, today - 1),
    did('visit', 5, today, 0, { country: 'DE' }),
    did(LONG, 1, today - 1),
    did(LONG, 1, today),
    did(HOSTILE, 2, today),
  ]

  it('shows the figures of the API: the triangle, the curve and those of each group', async () => {
    const visited = await visit(events)
    for (const query of [DAYS, { ...DAYS, mode: 'unbounded', return_event: LONG }, { ...DAYS, group_by: 'country' }]) {
      const { status, html } = await open(visited, 'retention', query)
      const [data] = (await askApi(visited, '/retention', { ...query, interval: 'day' })).data as Retention[]
      const { groups, ...all } = data as Retention
      expect(status).toBe(200)
      expect(html).toContain('Day n shows the percentage of them who ')
      expect(figuresIn(html, PLOT)).toEqual([curvesOf([all, ...groups])])
      const ofGroups = groups.flatMap(({ combinedRetention }) => combinedRetention)
      expect(figuresIn(html, HEAT)).toEqual([
        triangleOf(all),
        ...(groups.length > 0 ? [ofGroups, ...groups.map(triangleOf)] : []),
      ])
    }
  })

  it('has for each share the number of users, and whether it can still grow', async () => {
    const { html } = await open(await visit(events), 'retention', DAYS)
    const titles = [...html.matchAll(/<td class="(heat-\d+)( open)?( sum)?" title="([^"]*)"/g)]
    expect(titles.filter(([, , , sum]) => !sum).map(([, heat, open, , title]) => [heat, open ?? '', title])).toEqual([
      ['heat-20', '', '3 of 3 users'],
      ['heat-12', '', '1 of 3 users'],
      ['heat-16', ' open', '2 of 3 users so far'],
      ['heat-20', '', '1 of 1 user'],
      ['heat-0', ' open', '0 of 1 user so far'],
      ['heat-20', ' open', '1 of 1 user so far'],
    ])
    const { html: past } = await open(await visit(events), 'retention', { ...DAYS, end: toDate(today - 1) })
    expect(past).not.toContain('so far')
  })

  it('leaves the day that is not over out of averages, and marks those that have no other', async () => {
    const visited = await visit(events)
    const { html } = await open(visited, 'retention', DAYS)
    const averages = [...html.matchAll(/<td class="heat-\d+( open)? sum" title="([^"]*)"><a[^>]*href="([^"]*)"/g)]
    expect(averages.map(([, open = '', title]) => [open, title])).toEqual([
      ['', '4 of 4 users'],
      ['', '1 of 3 users'],
      [' open', '2 of 3 users so far'],
    ])
    for (const [, , title, href = ''] of averages) {
      const { text } = await openPage(visited.browser, href.replaceAll('&amp;', '&'))
      const [users = ''] = title?.split(' of ') ?? []
      expect(text, href).toContain(users === '1' ? '1 user' : `${users} users`)
      expect(text.includes('day 2 so far')).toBe(title?.endsWith('so far'))
    }
    expect((await open(visited, 'retention', { ...DAYS, end: toDate(today - 1) })).html).not.toMatch(/heat-\d+ open/)
  })

  it('counts in intervals of which the period has few, and leaves out a triangle with too many', async () => {
    const visited = await visit(events)
    const headings = async (query: Record<string, string>) => {
      const { html } = await open(visited, 'retention', query)
      return [
        /<h2>(Retention by [^<]*)/.exec(html)?.[1],
        html.includes('too many for this table'),
        html.match(HEAT)?.length,
      ]
    }
    expect(await headings({ period: '7d' })).toEqual(['Retention by day', false, 1])
    expect(await headings({})).toEqual(['Retention by week', false, 1])
    expect(await headings({ period: '90d' })).toEqual(['Retention by week', false, 1])
    const year = { start: toDate(today - 364), end: toDate(today) }
    expect(await headings(year)).toEqual(['Retention by month', false, 1])
    expect(await headings({ ...year, interval: 'day' })).toEqual(['Retention by day', true, undefined])
  })

  it('shows 31 columns of days before all, counts in place of shares, and which cohort begins before the period', async () => {
    const visited = await visit(events)
    const days = { start: toDate(today - 39), end: toDate(today), interval: 'day' }
    const columnsOf = (html: string) => html.match(/<th scope="col" class="top">/g)?.length
    const { html } = await open(visited, 'retention', days)
    expect([columnsOf(html), html.includes('First 31 of 40 days.')]).toEqual([31, true])
    expect(html).toContain('&amp;columns=all">Show all</a>')
    expect(columnsOf((await open(visited, 'retention', { ...days, columns: 'all' })).html)).toBe(40)
    const { html: counts } = await open(visited, 'retention', { ...DAYS, cells: 'users' })
    expect(counts).toMatch(/title="1 of 3 users"><a class="figure"[^>]*><data value="33.33">1<\/data><\/a>[^,]*, 33.3%/)
    expect(counts).not.toContain('Begins before')
    const monday = today - ((today + 3) % 7)
    const { html: weeks } = await open(visited, 'retention', {
      start: toDate(monday - 5),
      end: toDate(monday),
      interval: 'week',
    })
    expect(weeks.match(/ title="Begins before/g)).toHaveLength(1)
  })

  it('compares the curve with that of the previous period, if all of it is after the first event', async () => {
    const visited = await visit([did('visit', 9, today - 40), did('visit', 8, today - 5), ...events])
    const { html } = await open(visited, 'retention', DAYS)
    const before = { start: toDate(today - 5), end: toDate(today - 3), interval: 'day' }
    const [data] = (await askApi(visited, '/retention', before)).data as Retention[]
    expect(html).toContain('data-before=""')
    const figures = figuresIn(html, PLOT)[0] ?? []
    expect(figures.filter((_, place) => place % 2 === 1)).toEqual(data?.combinedRetention)
    expect((await open(await visit(events), 'retention', DAYS)).html).not.toContain('data-before=""')
  })

  it('asks whether a name was meant that did occur', async () => {
    const visited = await visit(events)
    const { html } = await open(visited, 'retention', { ...DAYS, start_event: 'vsiit' })
    expect(html).toContain('No event in this period has the name <bdi>vsiit</bdi>')
    expect(html).toMatch(/Did you mean <a href="[^"]*start_event=visit"><bdi>visit<\/bdi>/)
    const { html: back } = await open(visited, 'retention', { ...DAYS, return_event: 'visits' })
    expect(back).toMatch(/Did you mean <a href="[^"]*return_event=visit"><bdi>visit<\/bdi>/)
  })

  it('shows names as text', async () => {
    const query = { ...DAYS, start_event: HOSTILE, return_event: LONG, group_by: 'params.plan' }
    const visited = await visit(events)
    const pages = [
      await open(visited, 'retention', query),
      await open(visited, 'retention', { group_by: 'params.plan' }),
    ]
    for (const { status, html } of pages) {
      expect(status).toBe(200)
      expect(html).toContain('&lt;script&gt;alert(&quot;שלום&quot;)&lt;/script&gt;')
      expect(html).not.toContain('<script>alert')
    }
    expect(pages[0]?.html).toContain(LONG)
  })

  it('shows the fault beside its field, and keeps what was typed', async () => {
    const query = { start: '20200101', end: '20241231', interval: 'week', group_by: 'age', mode: 'some' }
    const { status, html } = await open(await visit(events), 'retention', query)
    expect(status).toBe(422)
    expect(html).toContain('First day: The period should have at most 53 weeks')
    for (const [name, value] of Object.entries({ group_by: 'age', mode: 'some' })) {
      const [field] = new RegExp(`<select name="${name}".*?</div>`, 's').exec(html) ?? ['']
      expect(field).toContain('aria-invalid="true"')
      expect(field).toContain(`<option value="${value}" selected=""`)
      expect(field).toMatch(/It should be |Choose one of the options/)
    }
  })

  it('says that nobody came, or how to begin where there are no events at all', async () => {
    const nobody = await open(await visit(events), 'retention', { start: '20240101', end: '20240131' })
    expect(nobody.html).toContain('Nobody used the application for the first time in this period.')
    const empty = await open(await visit(), 'retention')
    expect(empty.html).toContain('Waiting for the first event')
  })
})

interface Transition {
  readonly from: string
  readonly to: string
  readonly count: number
}

describe('paths', () => {
  const events = [
    ...[0, 1, 2].flatMap((user) => [did('open', user + 1, today - 1), did(HOSTILE, user + 1, today - 1, 60 + user)]),
    did('buy', 1, today - 1, 120),
    did(LONG, 2, today - 1, 120),
    did('open', 4, today - 1),
  ]

  it('shows the figures of the API, step by step, and leads on to every event', async () => {
    const visited = await visit(events)
    for (const query of [{ event: 'open' }, { event: 'buy', direction: 'before', steps: '2' }]) {
      const { status, html } = await open(visited, 'paths', query)
      const transitions = (await askApi(visited, '/events/paths', query)).data as Transition[]
      expect(status).toBe(200)
      expect(
        figuresIn(html, /<section class="card path".*?<\/section>/gs)
          .flat()
          .toSorted(),
      ).toEqual(transitions.map(({ count }) => count).toSorted())
      for (const { to } of transitions) {
        if (to === '(end)') expect(html).toContain(query.event === 'open' ? '<em>Exit</em>' : '<em>Session start</em>')
        else expect(html).toContain(new URLSearchParams({ event: to }).toString())
      }
      expect(html).not.toContain('<script>alert')
    }
  })

  it('offers events to begin at, and says what to do where there are none', async () => {
    const visited = await visit(events)
    const { html } = await open(visited, 'paths')
    expect(html).toContain('Choose a start event')
    expect(html).toContain('/paths?event=open"')
    const { html: backwards } = await open(visited, 'paths', { direction: 'before' })
    expect(backwards).toContain('Choose an end event')
    expect(backwards).toContain('open: show the paths to it')
    expect((await open(await visit(), 'paths')).html).toContain('Waiting for the first event')
  })

  it('opens with the paths from the start of sessions, and draws each name that is frequent, with what can be done', async () => {
    const visited = await visit([...events, did('Pageview /a', 4, today - 1, 30)])
    const { html } = await open(visited, 'paths')
    const drawing = (text: string) => /<svg class="sankey".*?<\/svg>/s.exec(text)?.[0] ?? ''
    const texts = (text: string) =>
      [...drawing(text).matchAll(/<title>([^<]*): ([\d,]+)<\/title>/g)].map(([, ...pair]) => pair)
    expect(texts(html)).toEqual(
      expect.arrayContaining([
        ['Start of session → open', '4'],
        ['open → Pageview /a', '1'],
        ['Start of session', '4'],
        ['Exit', '2'],
      ]),
    )
    const hidden = await open(visited, 'paths', { exclude_pageviews: 'true' })
    expect(drawing(hidden.html)).not.toContain('Pageview')
    expect(texts(hidden.html)).toContainEqual(['open → Exit', '1'])
    const { html: fromOpen } = await open(visited, 'paths', { event: 'open', min_share: '50' })
    expect(texts(fromOpen)).toContainEqual(['Other', '1'])
    const funnel = new URLSearchParams([HOSTILE].map((name) => ['events', name]))
    expect(drawing(fromOpen)).toContain(`/funnels?events=open&amp;${funnel}"`)
    expect(drawing(fromOpen)).not.toContain('<script')
    const [, users = ''] = /<a href="([^"]*)" tabindex="-1"><path[^>]*><title>[^<]* → Other/.exec(fromOpen) ?? []
    const list = await openPage(visited.browser, users.replaceAll('&amp;', '&'))
    expect(list.text).toContain('<h2><bdi>1 user')
  })

  it('names a figure as its page does, also where paths go backwards', () => {
    const words = (query: string, to: string) =>
      figureInWords(`/events/paths?event=buy${query}`, JSON.stringify({ step: 1, from: 'buy', to }))[0]
    expect([words('', '(end)'), words('', 'open')]).toEqual(['buy → Exit', 'buy → open'])
    expect(words('&direction=before', '(end)')).toBe('Session start → buy')
  })

  it('shows the fault, and that nothing was found', async () => {
    const visited = await visit(events)
    const wrong = await open(visited, 'paths', { event: '_active', steps: '9' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('It should be the name of one event')
    expect(wrong.html).toContain('It should be less than or equal to 5')
    expect((await open(visited, 'paths', { event: HOSTILE.toUpperCase() })).html).toContain('No paths')
    expect((await open(visited, 'paths', { event: 'opne' })).html).toMatch(/Did you mean <a href="[^"]*event=open"/)
  })
})
