import { describe, expect, it } from 'vitest'
import { FACES } from '../../src/dashboard/faces/faces.ts'
import { toDate } from '../support/asking.ts'
import { askApi, escaped, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const HOSTILE = '<i>"שלום" & Söhne</i>'

let seconds = 0

/** Each a second after the one before. */
function did(telegram_id: number, day: number, event_type: string, more: object = {}) {
  seconds += 1
  const datetime = day * DAY_MS + seconds * 1000
  return { telegram_id, event_type, datetime, country: telegram_id % 2 ? 'Germany' : 'Peru', ...more }
}

const paid = { params: { content: 'successful_payment', total_amount: 5, currency: 'XTR' } }

const wrote = { referrer_type: 'private', params: { content: 'text', chat_type: 'private' } }

const EVENTS = [
  ...[1, 2, 3, 4, 5].map((user) => did(user, today - 3, 'visit')),
  ...[1, 2, 3].map((user) => did(user, today - 3, HOSTILE)),
  ...[1, 2].map((user) => did(user, today - 3, 'telegram_message', paid)),
  ...[3, 4, 6].map((user) => did(user, today - 1, 'visit')),
  ...[4, 7].map((user) => did(user, today, HOSTILE)),
  ...[1, 2, 5].map((user) => did(user, today - 2, 'telegram_command /start', wrote)),
  ...[2, 5].map((user) => did(user, today - 1, 'telegram_bot_blocked')),
  ...[1, 3].map((user) => did(user, today - 1, 'telegram_callback_query', { params: { data: HOSTILE } })),
  did(5, today - 1, 'telegram_message', wrote),
]

const LINKS_OF_EACH = 5

const DAYS = { start: toDate(today - 5), end: toDate(today) }

/** What pages are asked, and whether their links stand on counts of users, not on shares. */
const ASKED = [
  ['', { ...DAYS }, true],
  ['', { period: '7d' }, true],
  ['values', { ...DAYS, property: 'country' }, true],
  ['events', { ...DAYS }, true],
  ['events', { ...DAYS, event: HOSTILE }, true],
  ['events', { ...DAYS, event: 'visit', group_by: 'country' }, true],
  ['trends', { ...DAYS, event_a: 'visit', event_b: HOSTILE, interval: 'hour' }, true],
  ['trends', { ...DAYS, event_a: '_active', group_by: 'country', first_time: 'true' }, true],
  ['funnels', [...Object.entries(DAYS), ['events', 'visit'], ['events', HOSTILE], ['group_by', 'country']], true],
  ['paths', { ...DAYS, event: 'visit' }, true],
  ['revenue', { ...DAYS, metric: 'payers', group_by: 'country' }, true],
  ['bot', { ...DAYS }, true],
  ['bot', { ...DAYS, by: 'first.country' }, true],
  ['retention', { ...DAYS, interval: 'day', group_by: 'country' }, false],
  ['acquisition', { ...DAYS, by: 'first.country', activation_event: HOSTILE }, false],
] as const

/** The list of users, to which figures lead. */
const LIST = 'users'

/** A face with figures that is not asked anything above is opened as it is. */
const OTHERS = FACES.filter(
  ({ page, words }) => words && page !== LIST && !ASKED.some(([asked]) => asked === page),
).map(({ page }) => [page, { ...DAYS }, true] as const)

const LINK = /<a class="figure" href="([^"]+)"[^>]*>(?:<data value="([^"]+)">)?([^<]*)/g

/** The links to users on a page, with the number that each stands on. */
function linksIn(html: string) {
  return [...html.matchAll(LINK)].map(([, href = '', value, text = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    count: Number(value ?? /[\d,]+/.exec(text)?.[0].replaceAll(',', '')),
  }))
}

async function totalAt({ browser }: Visited, href: string) {
  const { status, text } = await openPage(browser, href)
  expect(status, text).toBe(200)
  return { text, total: Number(/<h2><bdi>([\d,]+) user/.exec(text)?.[1]?.replaceAll(',', '')) }
}

describe('figures that count users', () => {
  it('lead to as many users as they say', async () => {
    const visited = await visit(EVENTS)
    for (const [page, asked, isCount] of [...ASKED, ...OTHERS]) {
      const { text } = await openPage(visited.browser, `${visited.home}${page && `/${page}`}?${toQuery(asked)}`)
      const links = linksIn(text)
      expect(links.length, page).toBeGreaterThan(1)
      const every = Math.ceil(links.length / LINKS_OF_EACH)
      for (const { href, count } of links.filter((_, place) => place % every === 0)) {
        const { total } = await totalAt(visited, href)
        if (isCount) expect(total, `${page}: ${decodeURIComponent(href)}`).toBe(count)
        else expect(total, decodeURIComponent(href)).toBeGreaterThan(0)
      }
    }
  })

  it('say what they are of, and can be saved as a cohort', async () => {
    const visited = await visit(EVENTS)
    const { browser, home } = visited
    const events = JSON.stringify(['visit', HOSTILE])
    const question = `/funnels?${toQuery({ ...DAYS, events })}`
    const address = `${home}/users?${toQuery({ question, at: JSON.stringify({ step: 2 }) })}`
    const { text, total } = await totalAt(visited, address)
    expect(total).toBe(4)
    expect(text).toContain(`Reached step 2 · ${escaped(HOSTILE)}`)
    expect(text).not.toContain(HOSTILE)
    for (const id of [1, 2, 3, 4]) expect(text).toContain(`${home}/users/${id}`)
    const definition = { match: 'all', conditions: [{ type: 'figure', question, at: { step: 2 } }] }
    const [condition] = definition.conditions
    const form = { match: 'all', 'conditions.0.type': 'figure', 'conditions.0:figure.json': JSON.stringify(condition) }
    for (const [name, value] of Object.entries(form)) expect(text).toContain(`name="${name}" value="${escaped(value)}"`)
    const saved = await browser.send(`${home}/cohorts`, { name: 'both', ...form })
    expect(saved.status).toBe(303)
    expect((await askApi(visited, '/cohorts/both')).data).toMatchObject({ users: 4, definition })
  })

  it('figures of questions about a cohort can be listed, but not saved as a cohort', async () => {
    const visited = await visit(EVENTS)
    const { browser, home } = visited
    await browser.send(`${home}/cohorts`, {
      name: 'odd',
      match: 'all',
      'conditions.0.type': 'users',
      'conditions.0:users.telegram_ids': '1\n3\n5',
    })
    const filters = JSON.stringify({ prop: 'cohort', op: 'is', values: ['odd'] })
    const { text } = await openPage(browser, `${home}/events?${toQuery({ ...DAYS, event: HOSTILE, filters })}`)
    const [link] = linksIn(text)
    const list = await totalAt(visited, link?.href ?? '')
    expect(list.total).toBe(2)
    expect(list.text).not.toContain('Save as cohort')
    const refused = await browser.send(`${home}/cohorts`, {
      name: 'x',
      match: 'all',
      'conditions.0.type': 'figure',
      'conditions.0:figure.json': figureAt(link?.href ?? ''),
    })
    expect([refused.status, (await refused.text()).includes('A cohort cannot refer to cohorts')]).toEqual([422, true])
  })

  it('figures that do not exist get an error', async () => {
    const { browser, home } = await visit(EVENTS)
    for (const asked of [
      { question: '/nowhere?x=1', at: '{}' },
      { question: 'constructor', at: 'null' },
      { question: '/events/trends?series=[null]', at: '[5]' },
      { question: '/acquisition?by=%00', at: '{"group": {"a": []}}' },
      { question: '/retention?interval=__proto__', at: '{"cohort": 5, "offset": "x"}' },
      { question: '/funnels?events=A', at: '{' },
      { question: '/events/segmentation?event=visit&mode=totals', at: '{}' },
    ]) {
      const { status } = await openPage(browser, `${home}/users?${toQuery(asked)}`)
      expect(status).toBe(422)
    }
  })
})

function figureAt(href: string): string {
  const params = new URLSearchParams(href.slice(href.indexOf('?')))
  return JSON.stringify({ type: 'figure', question: params.get('question'), at: JSON.parse(params.get('at') ?? '{}') })
}
