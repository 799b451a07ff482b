import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'

describe('text from requests never becomes SQL', () => {
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

  it.each(HOSTILE)('finds %j as a name, a property and a value, without harm', async (text) => {
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

  it.each(HOSTILE)('rejects %j as a property, operator, mode, day and number', async (text) => {
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
