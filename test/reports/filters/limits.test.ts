import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectSegments } from '../../../src/reports/event-segments/sql.ts'
import { type Filter, OPERATORS, type Operator } from '../../../src/reports/filters/filter.ts'
import { selectFunnel } from '../../../src/reports/funnels/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { getDirectly } from '../../support/direct-request.ts'

/** Of D1: bound parameters and bytes of one statement. */
const MOST_PARAMETERS = 100
const MOST_BYTES = 100_000

const db = openDatabase(env.DB)
const period = { from: 20_366, to: 20_731 }
const before = { from: 20_000, to: 20_365 }
const groupBy = [
  { of: 'params', name: 'a' },
  { of: 'params', name: 'b' },
] as const

/** As many as may be asked for; a name of many characters that JSON escapes. */
function mostFilters(operator: Operator): Filter[] {
  const values = Array.from({ length: 100 }, (_, index) => `${index}${'"'.repeat(100)}`) as [string, ...string[]]
  return Array.from({ length: 10 }, () => ({ property: { of: 'params', name: '"'.repeat(255) }, operator, values }))
}

function expectWithinLimits(statement: { toSQL(): { sql: string; params: unknown[] } }): void {
  const { sql, params } = statement.toSQL()
  expect(params.length).toBeLessThanOrEqual(MOST_PARAMETERS)
  expect(new TextEncoder().encode(sql).length).toBeLessThanOrEqual(MOST_BYTES)
}

describe.each(OPERATORS)('ten filters with "%s" and a hundred values each', (operator) => {
  const filters = mostFilters(operator)

  it.each(['uniques', 'totals', 'average', 'pct_dau'] as const)(
    'are one statement of segmentation, %s',
    async (mode) => {
      const query = { applicationId: 1, event: null, mode, filters, groupBy, ...period, beforeFrom: before.from }
      expectWithinLimits(selectSegments(db, query))
      expectWithinLimits(selectSegments(db, { ...query, groupBy: [] }))
      expect(await selectSegments(db, query)).toEqual([])
    },
  )

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
    '\n--\n',
  ]

  let key: string
  beforeAll(async () => {
    ;({ key } = await createPlainApplication())
  })

  async function tables(): Promise<unknown> {
    const names = ['api_keys', 'accounts', 'applications', 'events', 'contexts', 'event_names', 'users']
    const counts = names.map((name) => env.DB.prepare(`select count(*) as rows from ${name}`).first('rows'))
    return Promise.all(counts)
  }

  it.each(HOSTILE)('%j, in every place', async (text) => {
    const kept = await tables()
    const filters = JSON.stringify(OPERATORS.map((op) => ({ prop: `params.${text}`, op, values: [text, `${text}1`] })))
    const groups = JSON.stringify([`params.${text}`, 'os'])
    const search = new URLSearchParams({ event: text, filters, group_by: groups })
    expect(await getDirectly(`/events/segmentation?${search}`, key)).toMatchObject({ status_code: 200, yValues: [] })
    const names = JSON.stringify([text, 'b', text])
    const funnel = new URLSearchParams({ events: names, filters, group_by: groups })
    expect(await getDirectly(`/funnels?${funnel}`, key)).toMatchObject({ status_code: 200, yValues: [] })
    const values = JSON.stringify(OPERATORS.map((op) => ({ prop: 'country', op, values: [text] })))
    const plain = new URLSearchParams({ event: text, filters: values })
    expect(await getDirectly(`/events/segmentation?${plain}`, key)).toMatchObject({
      yValues: [{ name: text, empty: true }],
    })
    expect(await tables()).toEqual(kept)
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
