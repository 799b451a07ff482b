import { afterEach, expect, it, vi } from 'vitest'
import { FACES } from '../../src/dashboard/faces/faces.ts'
import { toDate } from '../support/asking.ts'
import { answerOf, Browser, later, signInWithKey } from '../support/browsing.ts'
import { createKey, getJson } from '../support/client.ts'
import { openPage as open, type Visited, visit } from '../support/dashboard.ts'

const START = Date.now() - 6 * 3_600_000

const PEOPLE = Array.from({ length: 12 }, (_, place) => ({
  telegram_id: 7_234_000_000 + place,
  username: `zoe_maria_${place}`,
  firstname: `Zoëlinde${place}`,
  lastname: `Quistgaard${place}`,
  language: place % 2 ? 'de' : 'en',
  country: place % 3 ? 'Germany' : 'India',
  start_parameter: `ref_${7_234_000_000 + place}`,
  city: `Quistgaard${place}`,
  model: `zoe_maria_${place}`,
}))

/** Everybody looks and pays; one user also writes a message that names the others. */
const HISTORY = PEOPLE.flatMap((person, place) => [
  { ...person, event_type: 'Look', datetime: START + place * 1000, params: { friend: person.telegram_id } },
  {
    ...person,
    event_type: 'Pay',
    datetime: START + 60_000 + place,
    params: { total: 91_234_567, by: person.username },
  },
  ...(place === 0 ? [{ ...person, event_type: `Wrote to Zoëlinde0`, datetime: START + 90_000 }] : []),
])

/** What names a person of the history, in whatever spelling a page could show it. */
const TRACES = PEOPLE.flatMap(({ telegram_id: id, username, firstname, lastname, start_parameter: start }) => {
  return [String(id), new Intl.NumberFormat('en').format(id), username, firstname, lastname, start]
})

function tracesIn(bytes: string): string[] {
  const text = bytes.toLowerCase()
  return [...TRACES, '91234567', '91,234,567'].filter((trace) => text.includes(trace.toLowerCase()))
}

/** Reports of pages, and others that hold what strangers may not see. */
const ASKED: Readonly<Record<string, string>> = {
  Overview: '',
  Names: 'events',
  Looks: 'events?event=Look&group_by=country',
  'By link': 'events?event=Look&group_by=start_parameter',
  'By friend': 'events?event=Look&group_by=params.friend',
  Most: 'events?event=Pay&mode=max&of=params.total',
  Trend: 'trends?event_a=Look&event_b=Pay&formula=B%2FA',
  'Trend of most': 'trends?event_a=Pay&mode_a=sum&of_a=params.total',
  Funnel: 'funnels?events=Look&events=Pay',
  'Came back': 'retention?interval=day',
  'What next': 'paths?event=Look',
  'What first': 'paths',
  Money: 'revenue',
  'New users': 'acquisition?by=first.country&activation_event=Pay',
  'New users by link': 'acquisition',
  'Only Zoe': `?filters=${encodeURIComponent(JSON.stringify({ prop: 'start_parameter', op: 'is', values: ['ref_7234000000'] }))}`,
}

function pageOf(address: string): string {
  return address.replace(/\?.*/s, '')
}

/** A page that is not asked anything above is saved as it is, so that each face with a card has a report. */
const REPORTS: Readonly<Record<string, string>> = {
  ...ASKED,
  ...Object.fromEntries(
    FACES.filter(({ page, card }) => card && !Object.values(ASKED).some((address) => pageOf(address) === page)).map(
      ({ page }) => [page, page],
    ),
  ),
}

async function withReports(names: readonly string[] = Object.keys(REPORTS)) {
  const visited = await visit(HISTORY)
  for (const name of names) {
    const address = REPORTS[name] ?? ''
    const full = address === '' || address.startsWith('?') ? visited.home + address : `${visited.home}/${address}`
    expect((await visited.browser.send(`${visited.home}/saved-questions`, { name, address: full })).status).toBe(303)
  }
  return visited
}

async function createBoard(
  { browser, home }: Visited,
  reports: readonly string[],
  query = 'period=7d',
): Promise<string> {
  const form = new URLSearchParams([['name', 'Weekly'], ['query', query], ...reports.map((name) => ['reports', name])])
  const { status, headers } = await browser.send(`${home}/boards`, form)
  expect(status).toBe(303)
  return headers.get('location') ?? ''
}

/** The path of a new link. */
async function share({ browser, home }: Visited, what: Record<string, string>): Promise<string> {
  const { status, text } = await answerOf(browser.send(`${home}/shares`, { days: '7', ...what }))
  expect(status).toBe(200)
  return /\/share\/[\w-]{43}/.exec(text)?.[0] ?? ''
}

const stranger = new Browser()

afterEach(() => void vi.useRealTimers())

it('a board draws its reports for one period, with its filters added to theirs', async () => {
  const visited = await withReports()
  const names = ['Overview', 'Looks', 'Trend', 'Funnel', 'Came back', 'What next', 'Money', 'Names']
  const board = await createBoard(visited, names)
  const { browser, home } = visited
  expect((await open(browser, board)).location).toBe(`${board}?period=7d`)
  const { text } = await open(browser, `${board}?period=7d`)
  const shown = [...text.matchAll(/<section class="card report"><h2><a[^>]*><bdi>([^<]*)</g)].map(([, name]) => name)
  expect(shown).toEqual(names)
  expect(text).toMatch(/Active users in the period<\/dt><dd><a [^>]*>12<\/a>/)
  expect(text).toContain('<dt title="Conversion">Conversion</dt><dd>100%</dd>')
  expect(text).toMatch(/Day [01] \(so far\)/)
  expect(text).not.toContain('class="problem"')
  const ofSessions = await createBoard(visited, ['What first'])
  expect((await open(browser, `${ofSessions}?period=7d`)).text).toContain('<dt title="After Start of session">')
  expect((await open(browser, `${home}/paths`)).text).toContain('/events/paths&#39;')
  const germans = encodeURIComponent(JSON.stringify({ prop: 'country', op: 'is', values: ['Germany'] }))
  const filtered = await open(browser, `${board}?period=7d&filters=${germans}`)
  expect(filtered.text).toMatch(/Active users in the period<\/dt><dd><a [^>]*>8<\/a>/)
  expect((await open(browser, `${home}/boards`)).text).toContain('8 reports')
  const chosen = (await open(browser, `${home}/boards?report=Trend`)).text.matchAll(/<option value="([^"]*)" selected/g)
  expect([...chosen].map(([, name]) => name)).toEqual(['Trend'])
})

it('a card says which figures are of a day and which of the period', async () => {
  const DAY_MS = 86_400_000
  const day = (ago: number) => Math.floor(Date.now() / DAY_MS - ago) * DAY_MS
  const visits = [3, 3, 2, 1, 0].map((ago, place) => {
    return { event_type: 'Look', telegram_id: ago === 2 ? 1 : place + 1, datetime: day(ago) }
  })
  const visited = await visit(visits)
  const reports = {
    Overview: '',
    Looks: 'events?event=Look',
    'Daily active users': 'trends?event_a=_active',
    'Weekly looks': 'trends?event_a=Look&mode_a=totals&interval=week',
  }
  for (const [name, address] of Object.entries(reports)) {
    await visited.browser.send(`${visited.home}/saved-questions`, { name, address: `${visited.home}/${address}` })
  }
  const period = `start=${toDate(day(3) / DAY_MS)}&end=${toDate(day(0) / DAY_MS)}`
  const { path } = await sharedBoard(visited, Object.keys(reports), period)
  const { text } = await open(stranger, path)
  // Two users, one of them again on the next day, and one on each of two others: today is not over.
  for (const figure of [
    '<dt title="Daily active users, average">Daily active users, average</dt><dd>1.33</dd>',
    '<dt title="Active users in the period">Active users in the period</dt><dd>4</dd>',
    '<dt title="Unique users">Unique users</dt><dd>1.33 per day, 4 in the period</dd>',
    '<strong>1.33 per day, 4 in the period</strong>',
    '<strong>5</strong>',
  ])
    expect(text).toContain(figure)
  const today = await open(visited.browser, `${await createBoard(visited, ['Looks'])}?period=today`)
  expect(today.text).toMatch(/Unique users<\/dt><dd><a [^>]*>1 in the period<\/a>/)
})

/** What strangers see of a board of these reports. */
async function sharedBoard(visited: Visited, names: readonly string[], query?: string) {
  const board = await createBoard(visited, names, query)
  const path = await share(visited, { board: board.split('/').at(-1) ?? '' })
  const response = await stranger.open(path)
  return { path, response, text: await response.text() }
}

it('no byte of a shared board names a person, or leads to one, whatever page its reports are of', async () => {
  const visited = await withReports()
  const own = await open(visited.browser, `${visited.home}/acquisition`)
  expect(own.text).toContain('/users?question=')
  const names = Object.keys(REPORTS)
  const [first, second] = await Promise.all([
    sharedBoard(visited, names.slice(0, 8)),
    sharedBoard(visited, names.slice(8)),
  ])
  for (const { response, text } of [first, second]) {
    expect(response.status).toBe(200)
    expect(tracesIn(JSON.stringify([...response.headers]) + text)).toEqual([])
    // Nothing but the looks of the page is elsewhere.
    const addresses = [...text.matchAll(/\s(?:href|src|action|data-[\w-]+)="([^"]*)"/g)].map(([, to]) => to)
    expect(addresses).toEqual(['data:,', expect.stringMatching(/^\/assets\/style-\w+\.css$/)])
  }
  const { path, response } = first
  const text = first.text + second.text
  expect(text).not.toContain('This report has no event yet')
  expect(text).not.toContain('cannot be shown right now')
  // The owner's own pages do name them: the search above can fail.
  expect(
    tracesIn((await open(visited.browser, `${visited.home}/events?event=Look&group_by=start_parameter`)).text),
  ).not.toEqual([])
  expect(
    [...text.matchAll(/<dt title="Active users in the period">Active users in the period<\/dt><dd>(\d+)/g)].map(
      ([, users]) => users,
    ),
  ).toEqual(['12'])
  expect(text).toContain('<dt title="Activated">Activated</dt><dd>100%</dd>')
  expect(text.match(/the values of this breakdown may identify people/g)).toHaveLength(3)
  expect(text.match(/measures of a parameter may reveal/g)).toHaveLength(2)
  expect(text).not.toContain('/dashboard')
  expect(text).not.toContain('<script')
  expect(text).not.toContain('<a ')
  expect(text).not.toContain('Wrote to')
  expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cache-control')).toBe('no-store')
  // The address cannot ask for anything else.
  expect(await (await stranger.open(`${path}?period=90d&group_by=start_parameter`)).text()).toBe(first.text)
})

it('no value of a property that may hold anything is shown, whatever report is broken down by it', async () => {
  const visited = await visit(HISTORY)
  const { browser, home } = visited
  const properties = ['city', 'model', 'start_parameter', 'utm', 'acquired_by', 'first.start_parameter', 'first.city']
  const more = [
    'source',
    'referrer',
    'campaign',
    'params.friend',
    'params.by',
    JSON.stringify(['country', 'params.by']),
  ]
  const pages = [
    'events?event=Look',
    'trends?event_a=Look',
    'retention?interval=day',
    'revenue?',
    'funnels?events=Look&events=Pay',
    'acquisition?',
  ]
  const asked = [...properties, ...more].flatMap((property, place) => {
    const page = pages[place % pages.length] ?? ''
    const [first = '', second = ''] = [page, pages[(place + 1) % pages.length]]
    return [first, second].map(
      (one) =>
        [
          `${place} ${one.replace(/\W.*/, '')}`,
          `${one}&${new URLSearchParams(one === 'acquisition?' ? { by: property } : { group_by: property })}`,
        ] as const,
    )
  })
  for (const [name, address] of asked) {
    expect((await browser.send(`${home}/saved-questions`, { name, address: `${home}/${address}` })).status).toBe(303)
  }
  let named = 0
  for (let from = 0; from < asked.length; from += 12) {
    const board = await createBoard(
      visited,
      asked.slice(from, from + 12).map(([name]) => name),
    )
    named += tracesIn((await open(browser, `${board}?period=7d`)).text).length
    const shown = await (await stranger.open(await share(visited, { board: board.split('/').at(-1) ?? '' }))).text()
    expect(tracesIn(shown)).toEqual([])
    expect(shown.match(/may identify people/g)).toHaveLength(Math.min(12, asked.length - from))
  }
  expect(named).toBeGreaterThan(0)
})

it('a report that few users are in is not shown to strangers, and one of values that name people cannot be shared', async () => {
  const visited = await withReports(['Only Zoe', 'By friend', 'Funnel'])
  const few = await stranger.open(await share(visited, { report: 'Only Zoe' }))
  const text = await few.text()
  expect(text).toContain('fewer than 5 users match')
  expect(text).toContain('Filtered by Start parameter')
  expect(tracesIn(text)).toEqual([])
  const refused = await answerOf(visited.browser.send(`${visited.home}/shares`, { report: 'By friend', days: '7' }))
  expect(refused.status).toBe(422)
  expect(refused.text).not.toContain('/share/')
})

it('a link ends when it is revoked, expires, or its report or board is deleted', async () => {
  const visited = await withReports(['Funnel', 'Overview', 'Names'])
  const { browser, home, key } = visited
  const board = await createBoard(visited, ['Funnel', 'Overview'])
  const id = board.split('/').at(-1) ?? ''
  const [ofReport, ofBoard, short, revoked] = [
    await share(visited, { report: 'Funnel' }),
    await share(visited, { board: id, days: '0' }),
    await share(visited, { report: 'Overview', days: '1' }),
    await share(visited, { report: 'Names' }),
  ]
  const states = async () =>
    Promise.all([ofReport, ofBoard, short, revoked].map(async (path) => (await stranger.open(path)).status))
  expect(await states()).toEqual([200, 200, 200, 200])
  const newest = /name="id" value="([0-9a-f]{16})"/.exec((await open(browser, `${home}/shares`)).text)?.[1] ?? ''
  await browser.send(`${home}/shares/revoke`, { id: newest })
  expect(await states()).toEqual([200, 200, 200, 404])
  later(86_401)
  expect(await states()).toEqual([200, 200, 404, 404])
  vi.useRealTimers()
  await browser.send(`${home}/saved-questions/delete`, { name: 'Funnel' })
  expect(await states()).toEqual([404, 200, 200, 404])
  const rest = await (await stranger.open(ofBoard)).text()
  expect([...rest.matchAll(/<h2><bdi>([^<]*)/g)].map(([, name]) => name)).toEqual(['Overview'])
  expect((await open(browser, `${board}?period=7d`)).text).not.toContain('<bdi>Funnel</bdi></a></h2>')
  await browser.send(`${board}/delete`, {})
  expect(await states()).toEqual([404, 404, 200, 404])
  const { data } = await (await getJson('/audit', key)).json<{ data: { action: string; target: string }[] }>()
  const acts = data.map(({ action }) => action).filter((action) => /share|board/i.test(action))
  expect(acts).toEqual(['deleteBoard', 'revokeShare', ...Array(4).fill('createShare'), 'putBoard'])
  expect(data.find(({ action }) => action === 'revokeShare')?.target).toBe(newest)
})

it('a link expires after one of the offered times', async () => {
  const { browser, home } = await withReports(['Overview'])
  for (const days of ['0x10', '', '16', '1e0', '-7']) {
    expect((await browser.send(`${home}/shares`, { report: 'Overview', days })).status, days).toBe(422)
  }
})

it('a password is asked for with each view, and too many wrong ones lock the link for a quarter of an hour', async () => {
  const visited = await withReports(['Overview'])
  expect(
    (await visited.browser.send(`${visited.home}/shares`, { report: 'Overview', days: '7', password: 'short' })).status,
  ).toBe(422)
  const path = await share(visited, { report: 'Overview', password: 'lemon & tree' })
  const asked = await answerOf(stranger.open(path))
  expect([asked.status, asked.text.includes('Active users')]).toEqual([200, false])
  const opened = await answerOf(stranger.send(path, { password: 'lemon & tree' }, {}))
  expect([opened.status, opened.text.includes('Active users')]).toEqual([200, true])
  const wrong = await answerOf(stranger.send(path, { password: 'lemon tree' }, {}))
  expect([wrong.status, wrong.text.includes('Active users')]).toEqual([403, false])
  for (let tried = 1; tried < 20; tried++) await stranger.send(path, { password: 'x' }, {})
  // Not even the right one, until the quarter of an hour is over.
  expect((await stranger.send(path, { password: 'lemon & tree' }, {})).status).toBe(429)
  later(901)
  expect((await stranger.send(path, { password: 'lemon & tree' }, {})).status).toBe(200)
})

it('only listed sites may frame a link, and no other page may be framed', async () => {
  const visited = await withReports(['Overview'])
  const framed = async (path: string, browser = stranger) => {
    const { headers } = await browser.open(path)
    const ancestors = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    return [ancestors, headers.get('x-frame-options')]
  }
  const nobody = ["'none'", 'DENY']
  const listed = await share(visited, { report: 'Overview', hosts: 'example.com\nhttps://b.example:8443/' })
  expect(await framed(listed)).toEqual(['https://example.com https://b.example:8443', null])
  expect(await framed(await share(visited, { report: 'Overview' }))).toEqual(nobody)
  expect(await framed(`/share/${'x'.repeat(43)}`)).toEqual(nobody)
  expect(await framed(visited.home, visited.browser)).toEqual(nobody)
  for (const hosts of [
    '*',
    'https://*.example.com',
    'http://example.com',
    "example.com; script-src 'unsafe-inline'",
    'https://a.example/path',
    'data:x',
    'data:',
    'ftp:/',
    'ftp://example.com',
    '//example.com',
  ]) {
    expect(
      (await visited.browser.send(`${visited.home}/shares`, { report: 'Overview', days: '7', hosts })).status,
    ).toBe(422)
  }
})

it("nobody reaches another account's boards and links, and viewers cannot create any", async () => {
  const [visited, other] = [await withReports(['Overview']), await visit()]
  const board = await createBoard(visited, ['Overview'])
  const id = board.split('/').at(-1) ?? ''
  const own = board.replace(visited.home, other.home)
  for (const path of [
    board,
    own,
    `${visited.home}/shares`,
    `${other.home}/shares?board=${id}`,
    `${other.home}/shares?report=Overview`,
  ]) {
    expect([path, (await open(other.browser, path)).status]).toEqual([path, 404])
  }
  expect((await other.browser.send(`${other.home}/shares`, { board: id, days: '7' })).status).toBe(404)
  expect((await other.browser.send(`${own}/delete`, {})).status).toBe(404)
  const path = await share(visited, { board: id })
  const listed =
    /name="id" value="([0-9a-f]{16})"/.exec((await open(visited.browser, `${visited.home}/shares`)).text)?.[1] ?? ''
  await other.browser.send(`${other.home}/shares/revoke`, { id: listed })
  expect((await stranger.open(path)).status).toBe(200)
  const viewer = await signInWithKey(await createKey(visited.accountId, 'read'))
  expect((await open(viewer, board)).location).toBe(`${board}?period=7d`)
  expect((await viewer.send(`${visited.home}/shares`, { board: id, days: '7' })).status).toBe(403)
})

it('pinned reports are drawn on the overview, in the order that was chosen', async () => {
  const { browser, home } = await withReports(['Names', 'Funnel', 'Money'])
  const pin = (name: string, action: string) => browser.send(`${home}/saved-questions/pin`, { name, do: action })
  const shown = async () => {
    const { text } = await open(browser, home)
    return [...text.matchAll(/<section class="card report"><h2><a[^>]*><bdi>([^<]*)/g)].map(([, name]) => name)
  }
  expect(await shown()).toEqual([])
  for (const name of ['Names', 'Funnel', 'Money', 'Nothing of this name']) await pin(name, 'pin')
  expect(await shown()).toEqual(['Names', 'Funnel', 'Money'])
  await pin('Money', 'up')
  expect(await shown()).toEqual(['Names', 'Money', 'Funnel'])
  await pin('Names', 'unpin')
  await browser.send(`${home}/saved-questions/delete`, { name: 'Money' })
  expect(await shown()).toEqual(['Funnel'])
})

/** The request of a command, as a shell reads it. */
function requestOf(command: string) {
  const words = [...command.matchAll(/(?:'[^']*'|\\'|"[^"]*"|[^\s'"\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')|"([^"]*)"/g, (_, single, quote, double) => single ?? quote ?? double ?? ''),
  )
  const after = (option: string) => words.filter((_, place) => words[place - 1] === option)
  const query = new URLSearchParams(
    after('--data-urlencode').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { address: words.find((word) => word.startsWith('https:')) ?? '', headers: after('-H'), query }
}

it('each report names the request that answers with it', async () => {
  const { browser, home, key } = await visit(HISTORY)
  const addresses = [
    ...Object.values(REPORTS),
    `events?${new URLSearchParams({ event: `It's $HOME \\ "so" & ü` })}`,
    'events?event=Look&mode=totals&period=7d',
  ]
  for (const address of addresses) {
    const path = address === '' || address.startsWith('?') ? home + address : `${home}/${address}`
    const { text } = await open(browser, path)
    const [, shown = ''] = /aria-label="API command"><pre><code>([\s\S]*?)<\/code>/.exec(text) ?? []
    const decoded = shown
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
    const request = requestOf(decoded.replaceAll('&amp;', '&').replaceAll('\\\n', ''))
    expect(request.headers).toEqual([
      'x-api-key: $MAUVE_API_KEY',
      expect.stringMatching(/^x-project-id: [0-9a-f-]{36}$/),
    ])
    const { pathname } = new URL(request.address)
    const response = await getJson(`${pathname}?${request.query}`, key)
    expect([address, response.status]).toEqual([address, 200])
    const event = new URLSearchParams(address.replace(/^[^?]*/, '')).get('event')
    if (event && address.startsWith('events')) expect(request.query.get('event')).toBe(event)
    expect(request.query.get('start')).toMatch(/^\d{8}$/)
  }
})
