import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'

const LONG = 16

/** The longest list: as many ids as a list may have, each as long as an id can be. */
const MOST = Array.from({ length: 100_000 }, (_, index) => Number.MAX_SAFE_INTEGER - index)

function put(key: string, name: string, body: string, type = 'text/csv') {
  return request(`/cohorts/${name}`, { method: 'PUT', headers: { 'x-api-key': key, 'content-type': type }, body })
}

interface Told {
  readonly data: { readonly definition: unknown; readonly users: number }
  readonly detail: { readonly loc: unknown[]; readonly msg: string }[]
}

async function get(key: string, path: string): Promise<Told> {
  return (await getJson(path, key)).json()
}

function visit(telegram_id: number, event_type = 'a') {
  return { event_type, telegram_id, datetime: Date.now(), event_id: `${event_type} ${telegram_id}` }
}

describe('a list as CSV', () => {
  let application: PlainApplication
  beforeAll(async () => {
    application = await createPlainApplication()
    const { applicationId } = application
    await spreadOver(applicationId, 4)
    await deliver(
      messagesOf(
        applicationId,
        [1, 2, 3, 4, 5, ...MOST.slice(0, 4)].map((id) => visit(id)),
      ),
    )
    await settle(applicationId, 4)
  })

  it('is stored, counted, used in questions and exported', async () => {
    const { key } = application
    const stored = await put(key, 'some', 'telegram_id\r\n5\r\n1\r\n4711\r\n5\r\n', 'text/csv; charset=utf-8')
    const definition = { match: 'all', conditions: [{ type: 'users', telegram_ids: [5, 1, 4711] }] }
    expect([stored.status, await stored.json()]).toMatchObject([200, { data: { name: 'some', definition } }])
    expect((await get(key, '/cohorts/some')).data).toMatchObject({ definition, users: 2 })
    const answer = await getJson('/events/segmentation?event=a&group_by=cohort:some', key)
    const { yValues } = await answer.json<{ yValues: { name: string; key_value: number }[] }>()
    expect(yValues.map(({ name, key_value }) => [name, key_value])).toEqual([
      ['not some', 7],
      ['some', 2],
    ])
    const list = await getJson('/cohorts/some/telegram-ids', key)
    expect([list.headers.get('content-type'), await list.text()]).toEqual([
      'text/csv; charset=utf-8',
      'telegram_id\r\n5\r\n1\r\n4711\r\n',
    ])
  })

  it('may have 100,000 ids, which answers count instead of repeating', async () => {
    const { key, applicationId } = application
    const text = `telegram_id\r\n${MOST.map((id) => `"${id}"\r\n`).join('')}`
    expect(String(MOST.at(-1))).toHaveLength(LONG)
    const stored = await put(key, 'most', text)
    const definition = { match: 'all', conditions: [{ type: 'users', listed: 100_000 }] }
    expect(await stored.json()).toMatchObject({ data: { definition } })
    const row = env.DB.prepare('select length(definition) as n from cohorts where application_id = ? and name = ?')
    expect(await row.bind(applicationId, 'most').first<number>('n')).toBeLessThan(1_800_000)
    expect((await get(key, '/cohorts/most')).data).toMatchObject({ definition, users: 4 })
    expect(await (await getJson('/cohorts/most/telegram-ids', key)).text()).toBe(text.replaceAll('"', ''))
    const filters = encodeURIComponent('[{"prop": "cohort", "op": "is not", "values": ["most", "some"]}]')
    const answer = await getJson(`/events/segmentation?event=a&filters=${filters}`, key)
    expect((await answer.json<{ yValues: { key_value: number }[] }>()).yValues[0]?.key_value).toBe(3)
  })

  it('is rejected with the numbers of its wrong lines, or if it is too large', async () => {
    const { key } = application
    const refused = await put(key, 'bad', 'telegram_id\n1\nmary\n')
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 3], msg: 'Line 3 should be one telegram id, not "mary"' }] },
    ])
    expect((await put(key, 'bad', '1', 'text/plain')).status).toBe(415)
    expect((await put(key, 'bad', '1\n'.repeat(2 ** 20 + 1))).status).toBe(413)
    expect((await put(key, 'bad', ' '.repeat(2 ** 20 + 1), 'application/json')).status).toBe(413)
    const listed = JSON.stringify({
      match: 'all',
      conditions: [{ type: 'users', telegram_ids: MOST.slice(0, 10_001) }],
    })
    expect((await put(key, 'bad', listed, 'application/json')).status).toBe(422)
  })

  it('are at most 500,000 ids in one question', async () => {
    const { key } = application
    const names = ['l1', 'l2', 'l3', 'l4', 'l5']
    const list = MOST.join('\n')
    expect((await Promise.all(names.map((name) => put(key, name, list)))).map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    )
    const about = (values: string[]) => {
      const filters = encodeURIComponent(JSON.stringify([{ prop: 'cohort', op: 'is', values }]))
      return getJson(`/events/segmentation?event=a&filters=${filters}`, key)
    }
    expect((await about(names)).status).toBe(200)
    const refused = await about([...names, 'some'])
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      {
        detail: [
          { loc: ['query', 'filters', 0], msg: 'The cohorts of a question should list at most 500000 telegram ids' },
        ],
      },
    ])
  })
})

it('erased users are removed from lists, and their ids from every cohort', async () => {
  const { key, applicationId } = await createPlainApplication()
  const [gone, stays] = [7_234_567_890, 72_345_678_901]
  await deliver(messagesOf(applicationId, [visit(gone), visit(stays)]))
  const json = (conditions: unknown[]) => JSON.stringify({ match: 'any', conditions })
  await put(key, 'csv', `${gone}\n${stays}\n`)
  await put(key, 'alone', `${gone}`)
  const mixed = [
    { type: 'users', telegram_ids: [gone, stays] },
    { type: 'did', event: `Gift ${stays}` },
  ]
  await put(key, 'json', json(mixed), 'application/json')
  await put(key, 'event', json([{ type: 'did', event: `Gift for ${gone}` }]), 'application/json')
  await put(key, `named%20${gone}`, `${stays}`)
  const erased = await request(`/users/${gone}`, { method: 'DELETE', headers: { 'x-api-key': key } })
  expect(erased.status).toBe(202)
  const stored = env.DB.prepare('select name, definition from cohorts where application_id = ? order by name')
  const rows = async () => (await stored.bind(applicationId).all<{ name: string; definition: string }>()).results
  await expect.poll(async () => JSON.stringify(await rows()).match(/\b7234567890\b/), { timeout: 8_000 }).toBeNull()
  const users = (telegram_ids: number[]) => ({ type: 'users', telegram_ids })
  expect((await rows()).map(({ name, definition }) => [name, JSON.parse(definition)])).toEqual([
    ['alone', { match: 'all', conditions: [users([])] }],
    ['csv', { match: 'all', conditions: [users([stays])] }],
    ['json', { match: 'any', conditions: [users([stays]), mixed[1]] }],
  ])
  expect((await get(key, '/cohorts/alone')).data.users).toBe(0)
  expect((await get(key, '/cohorts/csv')).data.users).toBe(1)
})
