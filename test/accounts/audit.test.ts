import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { keyId } from '../../src/access/api-keys.ts'
import { forgetActs, MOST_ACTS } from '../../src/access/audit.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { signInAsOwner } from '../support/browsing.ts'
import { createKey, getJson, postJson, request, sendJson } from '../support/client.ts'

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

it('an export is listed once, however many pages it is read in, and nobody who was erased is named', async () => {
  const { key } = await createPlainApplication()
  const known = await actionsOf(key)
  await getJson('/export/users?limit=10', key)
  await getJson('/export/users?limit=10&after=3', key)
  await request('/users/7234567890', { method: 'DELETE', headers: { 'x-api-key': key } })
  await sendJson('PUT', '/cohorts/friends%20of%207234567890', {
    key,
    body: { match: 'all', conditions: [{ type: 'first_seen', within: { days: 7 } }] },
  })
  expect((await actionsOf(key)).slice(known.length)).toEqual(['exportUsers', 'eraseUser', 'putCohort'])
  const { data } = await read(key, '?limit=3')
  expect(JSON.stringify(data)).not.toContain('7234567890')
  expect(data[0]).toMatchObject({ target: 'friends of …' })
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
