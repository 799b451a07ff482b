import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { closeFence, openFence, raiseFence } from '../../../src/collection/fences/fence.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createKey, getJson, request } from '../../support/client.ts'
import { insertErasure } from '../../support/erasures.ts'
import { exportLines, importText } from '../../support/exports.ts'
import { spreadOver } from '../../support/placement.ts'

const NOW = Date.now()
const YEAR_MS = 366 * 86_400_000

const EVENT = { name: 'Order', time: new Date(NOW - 1_000).toISOString(), telegram_id: 5, key: 7 }
const USER = { telegram_id: 5, first_active_at: EVENT.time, last_active_at: EVENT.time }

function stampOf(time: number): string {
  return String(BigInt(time) << 20n)
}

const BAD: readonly (readonly [line: string, reason: RegExp])[] = [
  ['{"name":"Order","time', /not JSON$/],
  ['[]', /not a JSON object/],
  ['{}', /neither/],
  ['{"__proto__":{"name":"Order"}}', /neither/],
  [JSON.stringify({ ...EVENT, name: 7 }), /^name:/],
  [JSON.stringify({ ...EVENT, time: 'yesterday' }), /^time:/],
  [JSON.stringify({ ...EVENT, time: NOW + YEAR_MS }), /^time: .*ahead/],
  [JSON.stringify({ ...EVENT, time: NOW - 6 * YEAR_MS }), /^time: .*ago/],
  [JSON.stringify({ ...EVENT, telegram_id: 'lemon' }), /^telegram_id:/],
  [JSON.stringify({ ...EVENT, telegram_id: -5 }), /^telegram_id:/],
  [JSON.stringify({ ...EVENT, key: 2 ** 47 }), /^key:/],
  [JSON.stringify({ ...EVENT, key: undefined }), /^key:/],
  [JSON.stringify({ ...EVENT, event_id: 'x' }), /^event_id:/],
  [JSON.stringify({ ...EVENT, event_id: '0'.repeat(32) }), /^key:/],
  [JSON.stringify({ ...EVENT, session: {} }), /^session:/],
  [JSON.stringify({ ...EVENT, context: { language: 5 } }), /^context\.language:/],
  [JSON.stringify({ ...EVENT, context: [] }), /^context:/],
  [JSON.stringify({ ...EVENT, params: 'x' }), /^params:/],
  [JSON.stringify({ ...USER, last_active_at: NOW + YEAR_MS }), /^last_active_at:/],
  [JSON.stringify({ ...USER, said: { language: 'en' } }), /^stamps\.language:/],
  [
    JSON.stringify({ ...USER, said: { language: 'en' }, stamps: { language: stampOf(NOW + YEAR_MS) } }),
    /^stamps\.language:/,
  ],
  [JSON.stringify({ ...USER, sessions: [{ session: 'x', day: 'today' }] }), /^sessions\.0\.day:/],
]

it('stores valid lines, gives reasons for the others, and recognizes what it has', async () => {
  const { key } = await createPlainApplication()
  const hostile = `{"name":"Order","time":${NOW - 5},"telegram_id":5,"key":8,"__proto__":1,"params":{"__proto__":{"a":1},"b":2}}`
  const huge = JSON.stringify({ ...EVENT, key: 9, params: { text: 'x'.repeat(100_000) } })
  const end = '{"cursor":"1-2-3-4","complete":true}'
  const good = [JSON.stringify(EVENT), hostile, huge, JSON.stringify(USER)]
  const body = `\ufeff${[...good, ...BAD.map(([line]) => line), '', end].join('\r\n')}\r\n`
  const { refused, ...counts } = await importText(body, key)
  expect(refused.map(({ line }) => line)).toEqual(BAD.map((_, index) => good.length + 1 + index))
  for (const [index, [line, reason]] of BAD.entries()) expect(refused[index]?.reason, line).toMatch(reason)
  // The events made the user: their line brings nothing more.
  expect(counts).toEqual({ stored: 3, known: 1 })
  expect(await importText(body, key)).toMatchObject({ stored: 0, known: 4 })
  const lines = await exportLines('/export/events', key)
  expect(lines.map((line) => JSON.parse(line).key).toSorted()).toEqual([7, 8, 9])
  expect(lines.join('\n')).toContain('"params":{"__proto__":{"a":1},"b":2}')
})

it('recognizes a user, and newer values from older ones', async () => {
  const { key } = await createPlainApplication()
  const line = (username: string, time: number) =>
    JSON.stringify({ ...USER, said: { username }, stamps: { username: stampOf(time) } })
  expect(await importText(line('lemon', NOW - 10), key)).toMatchObject({ stored: 1, known: 0 })
  expect(await importText(line('lime', NOW - 20), key)).toMatchObject({ stored: 0, known: 1 })
  expect(await importText(line('pear', NOW - 5), key)).toMatchObject({ stored: 1, known: 0 })
  const users = await exportLines('/export/users', key)
  expect(users.map((user) => JSON.parse(user).said)).toEqual([{ username: 'pear' }])
})

it('stores nothing of a blocked user, and respects a raised fence', async () => {
  const { applicationId, key } = await createPlainApplication()
  await importText(JSON.stringify(EVENT), key)
  await insertErasure({ applicationId, telegramId: 5, at: NOW, isBlocked: true })
  await raiseFence(openDatabase(env.DB), applicationId)
  const lines = [{ ...EVENT, key: 10 }, { ...EVENT, key: 11, telegram_id: 6 }, USER].map((line) => JSON.stringify(line))
  const { refused, ...counts } = await importText(lines.join('\n'), key)
  expect(counts).toEqual({ stored: 1, known: 0 })
  expect(refused.map(({ line }) => line)).toEqual([1, 3])
})

it('takes no event and no session of a day that is not kept any more', async () => {
  const { applicationId, key } = await createPlainApplication()
  const today = Math.floor(NOW / 86_400_000)
  await env.DB.prepare('update applications set kept_from = ? where id = ?')
    .bind(today - 1, applicationId)
    .run()
  const dateOf = (day: number) => new Date(day * 86_400_000).toISOString()
  const sessions = [today - 2, today - 1].map((day) => ({ session: `of ${day}`, day: dateOf(day).slice(0, 10) }))
  const user = { ...USER, first_active_at: dateOf(today - 9), sessions }
  const lines = [{ ...EVENT, time: dateOf(today - 2) }, { ...EVENT, time: dateOf(today - 1) }, user]
  const { refused, ...counts } = await importText(lines.map((line) => JSON.stringify(line)).join('\n'), key)
  expect(refused).toEqual([{ line: 1, reason: 'time: Events of this day are no longer kept' }])
  expect(counts).toEqual({ stored: 2, known: 0 })
  const [exported = ''] = await exportLines('/export/users', key)
  expect(JSON.parse(exported)).toMatchObject({ first_active_at: dateOf(today - 9), sessions: [sessions[1]] })
})

it('refuses lines while the application is being moved, and says so', async () => {
  const { applicationId, key } = await createPlainApplication()
  const db = openDatabase(env.DB)
  const init = {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(EVENT),
  }
  await closeFence(db, applicationId)
  const response = await request('/import/events', init)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await response.text()).toContain('is being moved to another database')
  await openFence(db, applicationId)
  expect(await importText(init.body, key)).toMatchObject({ stored: 1 })
})

it('takes lines only, up to a number of them, with a full key', async () => {
  const { applicationId, accountId, key } = await createPlainApplication()
  const send = (body: string, own: Record<string, string> = {}) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson', ...own }
    return request('/import/events', { method: 'POST', headers, body })
  }
  const line = JSON.stringify(EVENT)
  expect((await send(line, { 'content-type': 'application/json' })).status).toBe(415)
  expect((await send(`${line}\n`.repeat(1_001))).status).toBe(422)
  expect((await send(`${line}\n`.repeat(1_000))).status).toBe(200)
  for (const scope of ['read', 'client'] as const) {
    expect((await send(line, { 'x-api-key': await createKey(accountId, scope, applicationId) })).status).toBe(403)
  }
  const names = await (await getJson('/events/names', key)).json<{ data: { events: number }[] }>()
  expect(names.data.map(({ events }) => events)).toEqual([1])
})

it('looks for an id only in the database of its user', async () => {
  const { key, applicationId } = await createPlainApplication()
  await spreadOver(applicationId, 2, [1, 2])
  const line = (ofKey: number, telegram_id: number) =>
    JSON.stringify({ ...EVENT, key: ofKey, telegram_id, event_id: `${'0'.repeat(11)}${ofKey}${'0'.repeat(20)}` })
  const lines = `${line(7, 5)}\n${line(7, 6)}\n${line(7, 7)}`
  expect(await importText(lines, key)).toEqual({ stored: 2, known: 1, refused: [] })
  expect(await importText(lines, key)).toEqual({ stored: 0, known: 3, refused: [] })
})
