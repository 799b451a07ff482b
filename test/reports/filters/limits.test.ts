import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Filter, OPERATORS, type Operator } from '../../../src/reports/filters/filter.ts'
import { selectFunnel } from '../../../src/reports/funnels/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'

/** Of D1: bound parameters and bytes of one statement. */
const MAX_PARAMETERS = 100
const MAX_BYTES = 100_000

const db = openDatabase(env.DB)
const period = { from: 20_366, to: 20_731 }
const before = { from: 20_000, to: 20_365 }
const groupBy = [
  { of: 'params', name: 'a' },
  { of: 'params', name: 'b' },
] as const

/** As many as may be asked for; a name of many characters that JSON escapes. */
function mostFilters(operator: Operator): Filter[] {
  const values = Array.from({ length: 10 }, (_, index) => `${index}${'"'.repeat(100)}`)
  return Array.from({ length: 10 }, () => ({ property: { of: 'params', name: '"'.repeat(255) }, operator, values }))
}

function expectWithinLimits(statement: { toSQL(): { sql: string; params: unknown[] } }): void {
  const { sql, params } = statement.toSQL()
  expect(params.length).toBeLessThanOrEqual(MAX_PARAMETERS)
  expect(new TextEncoder().encode(sql).length).toBeLessThanOrEqual(MAX_BYTES)
}

describe.each(OPERATORS)('ten filters with "%s" and ten values each', (operator) => {
  const filters = mostFilters(operator)

  it.each([
    ['ten names', Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(254)}`)],
    ['one name ten times', new Array(10).fill('x')],
    ['five names twice', [...'abcdeabcde']],
  ])('are one statement of a funnel of %s', async (_, steps) => {
    const query = { applicationId: 1, steps: steps as [string, string], windowMilliseconds: 1, filters, period, before }
    expectWithinLimits(selectFunnel(db, { ...query, groupBy }))
    expectWithinLimits(selectFunnel(db, { ...query, groupBy: [] }))
    expect(await selectFunnel(db, { ...query, groupBy })).toEqual([])
  })
})

describe('what a request says is never a piece of SQL', () => {
  const HOSTILE = [
    "'",
    '"',
    "' or 1=1 --",
    "'; drop table events; --",
    '"; drop table events; --',
    "$.a') union select * from api_keys --",
    '$."a"."b"',
    '$[0]',
    '`',
    '\\',
    '\\"',
    '?',
    '?1',
    ':name',
    '%s%n%00%',
    '*[^a]',
    '(select hash from api_keys)',
    '\u2028\u2029\u202e',
    '🍋'.repeat(60),
    '{"$gt": ""}',
    '__proto__',
    'constructor',
    'true and 1=1',
    '/*',
    ';',
  ]

  const yesterday = Date.now() - 86_400_000
  let key: string
  beforeAll(async () => {
    const application = await createPlainApplication()
    key = application.key
    const events = HOSTILE.map((text, place) => ({
      event_type: text,
      telegram_id: place + 1,
      datetime: yesterday,
      city: text,
      params: { [text]: text, other: text },
    }))
    await deliver(messagesOf(application.applicationId, events))
  })

  async function countRows(): Promise<unknown> {
    const names = ['api_keys', 'accounts', 'applications', 'events', 'contexts', 'event_names', 'users']
    const counts = names.map((name) => env.DB.prepare(`select count(*) as rows from ${name}`).first('rows'))
    return Promise.all(counts)
  }

  function ask(path: string, parameters: Record<string, unknown>): Promise<{ yValues: unknown[] }> {
    const texts = Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return getDirectly(`${path}?${new URLSearchParams(texts)}`, key)
  }

  it.each(HOSTILE)('%j is found as a name, a property and a value, and does no harm', async (text) => {
    const rows = await countRows()
    const filters = [
      { prop: `params.${text}`, op: 'is', values: [text] },
      { prop: 'params.other', op: 'contains', values: [text, `${text}1`] },
      { prop: 'params.other', op: 'set is', values: [text] },
      { prop: 'params.other', op: 'greater or equal', values: [text] },
      { prop: 'params.other', op: 'is not', values: [`${text}1`] },
      { prop: 'city', op: 'less or equal', values: [text] },
      { prop: 'city', op: 'does not contain', values: [`${text}1`] },
    ]
    const one = { key_value: 1, empty: false }
    expect(await ask('/events/segmentation', { event: text, filters, group_by: [`params.${text}`] })).toMatchObject({
      yValues: [{ ...one, name: text }],
    })
    expect(await ask('/events/segmentation', { event: '_active', filters, group_by: ['params.other'] })).toMatchObject({
      yValues: [{ ...one, name: text }],
    })
    const entered = { events: [text, `${text}1`], filters, group_by: [`params.${text}`] }
    expect(await ask('/funnels', entered)).toMatchObject({ yValues: [{ name: text, data: [1, 0] }] })
    expect(await ask('/funnels', { ...entered, events: [text, text] })).toMatchObject({ yValues: [{ data: [1, 0] }] })
    expect(await countRows()).toEqual(rows)
  })

  it.each(HOSTILE)('%j is no property, no operator, no mode, no day and no number', async (text) => {
    const wrong = new URLSearchParams({
      event: 'x',
      mode: text,
      filters: JSON.stringify([{ prop: text, op: text, values: ['x'] }]),
      group_by: JSON.stringify([text]),
      start: text,
      end: text,
    })
    const { detail } = await getDirectly<{ detail: unknown[] }>(`/events/segmentation?${wrong}`, key)
    expect(detail).toHaveLength(6)
    const window = new URLSearchParams({ events: '["a","b"]', window_seconds: text })
    expect(await getDirectly(`/funnels?${window}`, key)).toMatchObject({ detail: [{ type: 'int_parsing' }] })
  })
})
