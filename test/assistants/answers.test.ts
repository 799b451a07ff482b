import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/app.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { call, connectAssistant } from '../support/assistant.ts'
import { type Browser, signInAsOwner } from '../support/browsing.ts'
import { holds } from '../support/cases.ts'
import { getJson, sendJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { EVENT, OPERATIONS } from '../support/operations.ts'

const MINUTE_MS = 60_000
/** Texts that addresses, lists and JSON write otherwise than they are. */
const NAMES = ['Open', '[TS] Sent', '[1]', '["a"]', 'a,b', '100%', 'ü/ö?&#+', 'null', '5', '{"a":1}', '../x', '%2e%2e']

let application: PlainApplication
let client: Awaited<ReturnType<typeof connectAssistant>>
let browser: Browser
/** Pages that were opened. */
const opened = new Set<string>()

beforeAll(async () => {
  application = await createPlainApplication()
  const time = Date.now() - 10 * MINUTE_MS
  const events = NAMES.flatMap((name, index) => [
    {
      event_type: name,
      telegram_id: 1 + (index % 4),
      datetime: time + index * 1000,
      language: 'en',
      params: { plan: name },
    },
    { event_type: name, telegram_id: 5, datetime: time + index * 1000, country: 'DE', params: { [name]: index } },
  ])
  await deliver(messagesOf(application.applicationId, [EVENT, ...events]))
  const definition = { match: 'all', conditions: [{ type: 'did', event: 'Order' }] }
  await sendJson('PUT', '/cohorts/none', { key: application.key, body: definition })
  client = await connectAssistant({ key: application.key })
  browser = await signInAsOwner(application.accountId)
})

/** What the operation answers over HTTP. */
async function answerOver(path: string): Promise<{ status: number; json: unknown; table: string }> {
  const response = await getJson(path, application.key)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/csv')) return { status: response.status, json: undefined, table: text }
  const json = type.includes('ndjson')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text)
  return { status: response.status, json, table: '' }
}

/** A request's path and query as a tool's arguments. */
function argumentsOf(template: string, path: string): Record<string, string> {
  const { pathname, searchParams } = new URL(path, 'https://mauve.test')
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1) ?? []
  const events = searchParams.getAll('events')
  const given = Object.fromEntries([
    ...searchParams,
    ...names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
  ])
  return { ...given, ...(events.length > 0 && { events }) }
}

/** Another tool answers the same with further parameters. */
function isCovered(name: string): boolean {
  return ['listUsers', 'getApplicationGrowth'].includes(name)
}

const ASKED = OPERATIONS.flatMap(({ name, path }) => {
  const found = operations.find(({ contract }) => contract.operationId === name)
  const isTool = found?.contract.method === 'get' && found.needs.scope === 'questions' && !isCovered(name)
  return isTool ? [{ name, template: found.contract.path, path }] : []
})

describe.each(ASKED)('$name', ({ name, template, path }) => {
  it('answers what the operation does, as of a moment, with a page that shows it', async () => {
    const asked = path(application.handle)
    const before = new Date().toISOString()
    const { json, isError, notes, text } = await call(client, name, argumentsOf(template, asked))
    const right = await answerOver(asked)
    expect([isError, right.status]).toEqual([false, 200])
    expect(json).toEqual(right.json)
    expect(text).toContain(right.table)
    const asOf = notes['figures-as-of'] as string
    expect(Date.parse(asOf)).toBeGreaterThan(Date.parse(before) - 5 * MINUTE_MS)
    expect(text).toContain(`figures-as-of: ${asOf}`)
    expect(text).toContain(`page: ${notes.page}`)
    const { origin, pathname, search } = new URL(notes.page as string)
    expect([origin, pathname]).toEqual([
      'https://mauve.test',
      expect.stringMatching(`^/dashboard(/${application.handle})?`),
    ])
    if (!opened.has(pathname + search)) expect((await browser.open(pathname + search)).status).toBe(200)
    opened.add(pathname + search)
  })
})

it('an answer that is a list stays one, and is put into an object for assistants of older protocols', async () => {
  const older = await connectAssistant({ key: application.key, era: 'legacy' })
  expect((await call(client, 'listAvailableHandles')).json).toEqual([application.handle])
  expect((await call(older, 'listAvailableHandles')).json).toEqual({ result: [application.handle] })
  expect((await call(older, 'getUserActivity')).json).toEqual((await answerOver('/users/activity')).json)
})

/** The ways in which an assistant may send a list of objects. */
const STYLES = {
  objects: (filters: object[]) => filters,
  text: (filters: object[]) => JSON.stringify(filters),
  texts: (filters: object[]) => filters.map((filter) => JSON.stringify(filter)),
  listInText: (filters: object[]) => [JSON.stringify(filters)],
}

const filter = fc.record({
  prop: fc.constantFrom('params.plan', 'language', 'country'),
  op: fc.constantFrom('is', 'is not', 'contains'),
  values: fc.array(fc.constantFrom(...NAMES, 'en', 'DE', '(none)'), { minLength: 1, maxLength: 3 }),
})

it('arguments mean what the parameters do, in each way to send them', async () => {
  const asked = fc.record({
    event: fc.constantFrom('_active', ...NAMES),
    filters: fc.array(filter, { minLength: 1, maxLength: 3 }),
    style: fc.constantFrom(...Object.values(STYLES)),
    groupBy: fc.constantFrom([], ['params.plan'], ['language', 'country']),
  })
  await holds(
    fc.asyncProperty(asked, async ({ event, filters, style, groupBy }) => {
      const query = new URLSearchParams({ event, filters: JSON.stringify(filters) })
      if (groupBy.length > 0) query.set('group_by', JSON.stringify(groupBy))
      const right = await answerOver(`/events/segmentation?${query}`)
      const { json } = await call(client, 'segmentEvents', { event, filters: style(filters), group_by: groupBy })
      expect(json).toEqual(right.json)
    }),
    { atLeast: 4, atMost: 200 },
  )
})

it('names are themselves, in lists and in paths', async () => {
  for (const name of NAMES) {
    const funnel = { events: ['Open', name], exclude: name === 'Open' ? [] : ['none', ...(name === '5' ? [] : ['5'])] }
    const right = await answerOver(
      `/funnels?${new URLSearchParams({ events: JSON.stringify(funnel.events), exclude: JSON.stringify(funnel.exclude) })}`,
    )
    expect((await call(client, 'analyzeFunnel', funnel)).json).toEqual(right.json)
    const one = await answerOver(
      `/funnels?events=Open&events=Order&exclude=${encodeURIComponent(JSON.stringify([name]))}`,
    )
    expect((await call(client, 'analyzeFunnel', { events: ['Open', 'Order'], exclude: [name] })).json).toEqual(one.json)
    const values = await call(client, 'listPropertyValues', { property: `params.${name}` })
    expect(values.json).toEqual((await answerOver(`/properties/${encodeURIComponent(`params.${name}`)}/values`)).json)
  }
})

it('numbers and flags may be sent as such or as texts, and a null counts as not sent', async () => {
  const right = (await answerOver('/users?limit=2&is_premium=false')).json
  expect((await call(client, 'findUsers', { limit: 2, is_premium: false, utm: null })).json).toEqual(right)
  expect((await call(client, 'findUsers', { limit: '2', is_premium: 'no' })).json).toEqual(right)
})

it('pages have the same question in their addresses', async () => {
  const filters = [
    { prop: 'language', op: 'is', values: ['en'] },
    { prop: 'country', op: 'is', values: ['DE'] },
  ]
  const pageFor = async (name: string, args: Record<string, unknown>) => {
    const { pathname, searchParams, hash } = new URL((await call(client, name, args)).notes.page as string)
    return [pathname.split('/').slice(3).join('/') + hash, [...searchParams]]
  }
  const period = { start: '20261101', end: '20261107' }
  const own = [...Object.entries(period), ...filters.map((one) => ['filters', JSON.stringify(one)])]
  expect(await pageFor('analyzeFunnel', { events: ['Open', 'Order'], order: 'any', filters, ...period })).toEqual([
    'funnels',
    [['events', 'Open'], ['events', 'Order'], ['order', 'any'], ...own],
  ])
  const series = [
    { event: 'Open' },
    { event: 'Order', mode: 'sum', of: 'params.x', filters: [{ prop: 'os', op: 'is', values: ['iOS'] }] },
  ]
  expect(await pageFor('analyzeTrends', { series, formula: ['A/B'], interval: 'hour' })).toEqual([
    'trends',
    [
      ['event_a', 'Open'],
      ['event_b', 'Order'],
      ['mode_b', 'sum'],
      ['of_b', 'params.x'],
      ['filters_b', '{"prop":"os","op":"is","values":["iOS"]}'],
      ['formula', 'A/B'],
      ['interval', 'hour'],
      ['period', '7d'],
    ],
  ])
  expect(await pageFor('analyzeRetention', { ...period, filters })).toEqual([
    'retention',
    [['interval', 'day'], ...own],
  ])
  expect(await pageFor('getUserActivity', { filters, ...period })).toEqual(['', own])
  expect(await pageFor('getUser', { telegram_id: 5 })).toEqual(['users/5', []])
  expect(await pageFor('getRevenueRules', { handle: application.handle })).toEqual(['settings/revenue', []])
})
