import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeCaptureSettings } from '../../src/accounts/applications/applications.ts'
import { saveQuestion } from '../../src/accounts/applications/saved-questions.ts'
import { addMember } from '../../src/accounts/members.ts'
import { app } from '../../src/app.ts'
import { propertyOf } from '../../src/base/event.ts'
import { CONTEXT_FIELDS } from '../../src/columns/selection/filter.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { getJson, request } from '../support/client.ts'
import { type Asked, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
import { OPERATIONS, toRequest } from '../support/operations.ts'

/** What an object has without anybody having put it there. */
const NAMES = Object.getOwnPropertyNames(Object.prototype)
/** An object, a function, and one that is called where a text is made: each of the others behaves as one of them. */
const KINDS = ['__proto__', 'constructor', 'toString']
/** A flag says yes or no. */
const TEXTS = CONTEXT_FIELDS.filter(({ name }) => propertyOf(name).type === 'text').map(({ field }) => field)

const db = openDatabase(env.DB)

let visited: Visited

/** An event that says this everywhere. */
function saying(name: string, user: number, event_type: string) {
  return {
    event_type,
    telegram_id: user,
    datetime: Date.now() - 60_000 + (event_type === 'Wallet' ? 1 : 0),
    session_id: name,
    ...Object.fromEntries(TEXTS.map((field) => [field, name])),
    username: name,
    firstname: name,
    lastname: name,
    params: Object.fromEntries([
      [name, name],
      ['provider', name],
      ['nested', { [name]: name }],
    ]),
  }
}

beforeAll(async () => {
  visited = await visit(NAMES.flatMap((name, place) => ['Wallet', name].map((type) => saying(name, place + 1, type))))
  const { applicationId, accountId, browser, home } = visited
  const texts = { auto_capture_tags: NAMES, auto_capture_classes: NAMES, auto_capture_commands: NAMES }
  await changeCaptureSettings(db, applicationId, { ...texts, auto_capture_messages: NAMES })
  for (const [place, name] of NAMES.entries()) {
    await addMember(db, { accountId, telegramId: place + 1, role: 'viewer', name }, Date.now())
    await browser.send(`${home}/settings/keys`, { name, scope: 'read' })
    await saveQuestion(db, { applicationId, name, address: `events?event=${name}`, now: Date.now() })
  }
  const details = { name: 'constructor', link: 'https://t.me/shop', description: 'toString', photo_url: '' }
  await browser.send(`${home}/settings/application`, details)
})

function address(path: string, asked: Asked = []): string {
  return `${visited.home}${path}?${toQuery(asked)}`
}

/** Opens a page; what nobody foresaw is a 500. */
async function expectStatus(path: string, status: number): Promise<string> {
  const page = await openPage(visited.browser, path)
  expect([path, page.status]).toEqual([path, status])
  return page.text
}

const FUNNEL = [
  ['events', 'Wallet'],
  ['events', 'constructor'],
] as const

/** What pages are asked about a name, by their routes; others have a filter only. */
const ASKED: Readonly<Record<string, (name: string) => Asked>> = {
  '/values': (name) => ({ property: `params.${name}` }),
  '/events': (name) => ({ event: name, group_by: `device,params.${name}` }),
  '/events.csv': (name) => ({ event: name, group_by: `device,params.${name}` }),
  '/retention': (name) => ({ start_event: name, return_event: name, group_by: `params.${name}` }),
  '/paths': (name) => ({ event: name }),
  '/funnels': (name) => [...FUNNEL, ['events', name], ['order', 'any'], ['group_by', `params.${name}`]],
  '/property-values': (name) => ({ property: `params.${name}` }),
  '/revenue': (name) => [
    ['group_by', `params.${name}`],
    ['metric', name],
    ['interval', name],
  ],
  '/revenue.csv': (name) => [['group_by', `params.${name}`]],
  '/trends': (name) => ({ event_a: name, group_by: `params.${name}` }),
  '/trends.csv': (name) => ({ event_a: name, group_by: `params.${name}` }),
  '/acquisition': (name) => ({ activation_event: name, currency: 'XTR' }),
  '/acquisition/links': (name) => ({ pattern: 'free', parameter: name, to: 'bot' }),
  '/users': (name) => ({ country: name, city: name, language: name, utm: name }),
  '/search': (name) => ({ q: name }),
  '/search/results': (name) => ({ q: name }),
}

/** What is not 200 where nothing is asked. */
const WITHOUT_QUESTION = new Map([
  ['/values', 422],
  ['/trends', 302],
  ['/trends.csv', 302],
  ['/boards/:id', 404],
  ['/cohorts.csv', 302],
])

function filterOf(prop: string, values: readonly unknown[], op = 'is'): string {
  return JSON.stringify({ prop, op, values })
}

describe('what every object has by itself', () => {
  it('is a text like any other in everything that is stored, on every page', async () => {
    const routes = app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/dashboard/:handle'))
    const paths = routes.map(({ path }) => path.slice('/dashboard/:handle'.length))
    const pages = [...new Set(paths)].filter((path) => !path.includes('*'))
    expect(pages).toEqual(expect.arrayContaining(['', ...Object.keys(ASKED)]))
    for (const path of pages) {
      const file = path.replace(':telegram_id', '1')
      const without = WITHOUT_QUESTION.get(path) ?? 200
      if (path !== '/property-values') await expectStatus(address(file), without)
      const asked = ASKED[path]
      for (const name of asked ? KINDS : []) await expectStatus(address(file, asked?.(name)), 200)
      if (!asked) await expectStatus(address(file, { filters: filterOf('params.constructor', NAMES) }), without)
    }
    for (const { field: property } of CONTEXT_FIELDS) {
      await expectStatus(address('/values', { property }), 200)
      await expectStatus(address('/retention', { group_by: property }), 200)
    }
    for (const path of ['/dashboard?search', '/dashboard?search=constructor', '/dashboard/app-list?search=__proto__'])
      await expectStatus(path, 200)
    const overview = await expectStatus(address(''), 200)
    for (const name of NAMES) expect(overview).toContain(`>${name}<`)
  })

  it('is a text like any other in every question', async () => {
    const { key, handle } = visited
    const asked = OPERATIONS.filter(({ method = 'GET', part }) => method === 'GET' && part !== 'client')
    for (const operation of asked) {
      const { path, init } = toRequest(operation, key, handle)
      const response = await request(path, init)
      expect([path, response.status]).toEqual([path, operation.status ?? 200])
      await response.arrayBuffer()
    }
    for (const name of NAMES) {
      const filters = filterOf(`params.${name}`, [name])
      const latest = await getJson(`/events/latest?${toQuery({ filters, limit: '1' })}`, key)
      const { data } = await latest.json<{ data: { context: object; params: object }[] }>()
      expect(data[0]?.context).toMatchObject({ device: name, country: name })
      expect(Object.entries(data[0]?.params ?? {})).toContainEqual([name, name])
    }
  })

  it('is nothing that a page can be asked by', async () => {
    for (const name of KINDS) {
      const refused: readonly Question[] = [
        ['/values', { property: name }],
        ['/property-values', { property: name }],
        ['/events', { event: 'Wallet', mode: name, group_by: name }],
        ['/funnels', [...FUNNEL, ['order', name]]],
        ['/retention', { interval: name, group_by: name }],
        ['/users', { sort_by: name, sort_order: name, is_premium: name }],
      ]
      for (const [path, asked] of refused) await expectStatus(address(path, asked), 422)
      await expectStatus(address('/events', { period: name, [name]: name }), 200)
    }
  })
})

type Question = readonly [path: string, asked: Asked]

describe('a filter of an address that is none', () => {
  const FILTERS = [
    ...NAMES.map((name) => filterOf(name, ['x'])),
    ...NAMES.map((name) => filterOf('country', ['x'], name)),
    ...[{}, { toString: 1 }, [], [{ valueOf: 1 }], null].map((value) => filterOf('device', [value])),
    '{"prop":"device","op":"is","values":{"length":1}}',
    '{"__proto__":{"prop":"device","op":"is","values":["x"]}}',
    'null',
    '[]x',
    'constructor',
  ]
  const WORST = [filterOf('__proto__', ['x']), filterOf('device', [{ toString: 1 }])]
  const EVENTS: Question = ['/events', { event: 'Wallet' }]
  const OTHERS: readonly Question[] = [
    ['', []],
    ['/values', { property: 'device' }],
    ['/funnels', FUNNEL],
    ['/retention', []],
    ['/paths', { event: 'Wallet' }],
  ]

  it('an invalid filter in an address is reported on every page', async () => {
    const asked: { page: Question; filters: string }[] = FILTERS.map((filters) => ({ page: EVENTS, filters }))
    const others = OTHERS.flatMap((page) => WORST.map((filters) => ({ page, filters })))
    for (const { page, filters } of [...asked, ...others]) {
      const text = await expectStatus(`${address(...page)}&${toQuery({ filters })}`, 422)
      expect(text).toContain('Filter')
    }
  })

  it('can be a saved question, which is listed and deleted', async () => {
    const { browser, home, applicationId } = visited
    const named = FILTERS.map((filters, place) => ({
      name: `Damaged ${place}`,
      address: `events?${toQuery({ filters })}`,
    }))
    for (const question of named) await saveQuestion(db, { ...question, applicationId, now: Date.now() })
    const list = await expectStatus(address('/saved-questions'), 200)
    for (const { name } of named) expect(list).toContain(`aria-label="Delete ${name}"`)
    const name = named[0]?.name ?? ''
    expect((await browser.send(`${home}/saved-questions/delete`, { name })).status).toBe(303)
    expect(await expectStatus(address('/saved-questions'), 200)).not.toContain(`Delete ${name}"`)
  })
})
