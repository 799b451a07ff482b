import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { keyId } from '../../src/access/api-keys.ts'
import { forgetActs, MOST_ACTS } from '../../src/access/audit.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { call, connectAssistant } from '../support/assistant.ts'
import { signInAsOwner } from '../support/browsing.ts'
import { createKey, getJson, postJson, request, sendJson } from '../support/client.ts'

afterEach(() => void vi.useRealTimers())

interface Entry {
  readonly at: string
  readonly actor: string
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly action: string
  readonly handle: string | null
  readonly target: string | null
}

async function read(key: string, query = ''): Promise<{ readonly total: number; readonly data: readonly Entry[] }> {
  return (await getJson(`/audit${query}`, key)).json()
}

/** From the oldest. */
async function actionsOf(key: string): Promise<string[]> {
  return (await read(key)).data.map(({ action }) => action).reverse()
}

it('lists changes with the key that made them, what they were about, and nothing that was asked or refused', async () => {
  const { key, handle, accountId } = await createPlainApplication()
  const id = keyId(hashSecret(key))
  const known = (await read(key)).total
  await getJson('/events/names?start=20261101&end=20261101', key)
  const issued = await postJson('/keys', key, { name: 'Weekly report', scope: 'read' })
  const { data: made } = await issued.json<{ data: { key: string; id: string } }>()
  expect((await postJson('/keys', key, { name: 'No scope' })).status).toBe(422)
  expect((await getJson('/audit', made.key)).status).toBe(403)
  await request(`/keys/${made.id}`, { method: 'DELETE', headers: { 'x-api-key': key } })
  await sendJson('PATCH', `/applications/@${handle}`, { key, body: { keep_months: 12 } })
  await getJson('/export/events?limit=10', key)
  const { total, data } = await read(key)
  expect(total).toBe(known + 4)
  const by = { actor: 'key', actor_id: id, at: expect.stringMatching(/^\d{4}-.*Z$/) }
  expect(data.slice(0, 4)).toMatchObject([
    { ...by, action: 'exportEvents', handle, target: null },
    { ...by, action: 'updateApplication', handle, target: null },
    { ...by, action: 'revokeKey', target: made.id },
    { ...by, action: 'issueKey', target: 'Weekly report' },
  ])
  const other = await createPlainApplication()
  expect((await read(other.key)).data.every(({ actor_id }) => actor_id !== id)).toBe(true)
  expect(accountId).not.toBe(other.accountId)
})

it('lists sign-ins, and what people change on the pages', async () => {
  const { key, handle, accountId } = await createPlainApplication()
  const owner = await signInAsOwner(accountId)
  const members = '/dashboard/my-account/members'
  await owner.send(members, { telegram_id: '7234567890', name: 'Ada', role: 'viewer' })
  await owner.send(`${members}/7234567890/role`, { role: 'owner' })
  await owner.send(`${members}/7234567890/remove`, { sure: 'on' })
  await owner.send(`/dashboard/${handle}/settings/application`, { name: '' })
  const { data } = await read(key, '?limit=4')
  const onPages = { actor: 'link', actor_id: null, actor_name: null }
  expect(data).toMatchObject([
    { ...onPages, action: 'removeMember', target: '7234567890' },
    { ...onPages, action: 'changeRole', target: '7234567890' },
    { ...onPages, action: 'addMember', target: '7234567890' },
    { ...onPages, action: 'signIn', target: null },
  ])
  const page = await (await owner.open('/dashboard/my-account/audit')).text()
  expect(page).toContain('Remove member')
  const viewer = await createKey(accountId, 'read')
  expect((await getJson('/audit', viewer)).status).toBe(403)
})

it('lists what a key or a person exports once an hour, whatever page, cursor or format they read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 10, 5) })
  const { key, handle, accountId } = await createPlainApplication()
  const list = { match: 'all', conditions: [{ type: 'users', telegram_ids: [1] }] }
  await sendJson('PUT', '/cohorts/friends%20of%207234567890', { key, body: list })
  const reading = await createKey(accountId, 'read')
  const id = await env.DB.prepare('select project_id from applications where handle = ?')
    .bind(handle)
    .first('project_id')
  const known = (await actionsOf(key)).length
  const assistant = await connectAssistant({ key })
  // An export that nobody reads takes the place of others.
  const exported = async (path: string, of = key) => (await getJson(path, of)).arrayBuffer()
  for (const query of ['?after=1', '?limit=10', '?format=csv', '?after=3&limit=1'])
    await exported(`/export/users${query}`)
  await call(assistant, 'exportUsers', { limit: 3 })
  await exported('/export/events?after=0-0-0-0')
  await exported(`/export/events?project=${id}&format=csv`, reading)
  for (let again = 0; again < 2; again++) await exported('/cohorts/friends%20of%207234567890/telegram-ids')
  const owner = await signInAsOwner(accountId)
  for (let again = 0; again < 2; again++) {
    await owner.open(`/dashboard/${handle}/cohorts.csv?name=friends+of+7234567890`)
    await (await owner.open(`/dashboard/${handle}/export?what=users`)).arrayBuffer()
  }
  const { data } = await read(key, '?limit=7')
  expect(data.map(({ action, actor, handle: of, target }) => [action, actor, of, target]).reverse()).toEqual([
    ['exportUsers', 'key', handle, null],
    ['exportEvents', 'key', handle, null],
    ['exportEvents', 'key', handle, null],
    ['exportCohortIds', 'key', handle, 'friends of …'],
    ['signIn', 'link', null, null],
    ['exportCohortIds', 'link', handle, 'friends of …'],
    ['exportUsers', 'link', handle, null],
  ])
  vi.setSystemTime(Date.UTC(2026, 10, 20, 11, 1))
  await exported('/export/users?after=1')
  expect((await actionsOf(key)).slice(known + 7)).toEqual(['exportUsers'])
})

it('lists who saves a report that a link shows, by itself or on a board, and names nobody who was erased', async () => {
  const { key, handle, accountId } = await createPlainApplication()
  const owner = await signInAsOwner(accountId)
  const home = `/dashboard/${handle}`
  const save = (name: string) => owner.send(`${home}/saved-questions`, { name, address: `${home}/events` })
  for (const name of ['For 7234567890', 'On a board', 'Private']) await save(name)
  const board = (await owner.send(`${home}/boards`, { name: 'All', reports: 'On a board' })).headers.get('location')
  await owner.send(`${home}/shares`, { days: '7', report: 'For 7234567890' })
  await owner.send(`${home}/shares`, { days: '7', board: board?.split('/').at(-1) ?? '' })
  const known = (await actionsOf(key)).length
  for (const name of ['For 7234567890', 'On a board', 'Private']) await save(name)
  await request('/users/7234567890', { method: 'DELETE', headers: { 'x-api-key': key } })
  expect((await actionsOf(key)).slice(known)).toEqual(['saveReport', 'saveReport', 'eraseUser'])
  const { data } = await read(key, '?limit=3')
  expect(data.map(({ target }) => target)).toEqual([null, 'On a board', 'For …'])
})

it('forgets entries after 13 months, and the oldest of too many', async () => {
  const { key, accountId } = await createPlainApplication()
  await env.DB.prepare('delete from audit_entries where account_id = ?').bind(accountId).run()
  const insert = `insert into audit_entries (account_id, at, actor, action)
    with recursive n as (select 1 as i union all select i + 1 from n where i < ?2) select ?1, ?3, 'link', 'made ' || i from n`
  const now = Date.UTC(2026, 10, 23)
  const add = (entries: number, at: number) => env.DB.prepare(insert).bind(accountId, entries, at).run()
  await add(1, Date.UTC(2025, 9, 22))
  await add(1, Date.UTC(2025, 9, 24))
  await add(MOST_ACTS - 1, now)
  await forgetActs(openDatabase(env.DB), now)
  const kept = await read(key, `?limit=1&offset=${MOST_ACTS - 1}`)
  expect(kept).toMatchObject({ total: MOST_ACTS, data: [{ at: '2025-10-24T00:00:00.000Z' }] })
  await add(2, now)
  await forgetActs(openDatabase(env.DB), now)
  const newest = await read(key, `?limit=1&offset=${MOST_ACTS - 1}`)
  expect(newest).toMatchObject({ total: MOST_ACTS, data: [{ action: 'made 2' }] })
})
