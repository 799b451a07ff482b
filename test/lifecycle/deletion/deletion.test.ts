import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { FIRST_PROGRESS, forgetApplication } from '../../../src/lifecycle/deletion/delete.ts'
import { addJob } from '../../../src/lifecycle/jobs/statements.ts'
import { bindingOf, boundDatabases } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { nameOfObject } from '../../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { segmentationPath } from '../../support/asking.ts'
import { createKey, getJson, postJson, registrationOf, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()
const db = openDatabase(env.DB)

function visits(count: number, first = 1) {
  return Array.from({ length: count }, (_, index) => ({
    event_type: `Visit ${index % 5}`,
    telegram_id: first + index,
    datetime: NOW - (index % 9) * DAY_MS,
    event_id: `${first} ${index}`,
    session_id: `s${index}`,
    params: { index },
  }))
}

async function send(applicationId: number, events: readonly unknown[], sentAt = Date.now()): Promise<void> {
  for (let from = 0; from < events.length; from += 500) {
    await deliver(messagesOf(applicationId, events.slice(from, from + 500)), {}, new Date(sentAt))
  }
}

async function createFilled(count: number, { objects = 1, databases = [1] } = {}): Promise<PlainApplication> {
  const application = await createPlainApplication()
  const { applicationId } = application
  await spreadOver(applicationId, objects, databases)
  await send(applicationId, visits(count))
  await settle(applicationId, objects)
  return application
}

function remove({ handle, key }: { handle: string; key: string }, confirm: string | null = handle): Promise<Response> {
  const query = confirm === null ? '' : `?confirm=${confirm}`
  return request(`/applications/${handle}${query}`, { method: 'DELETE', headers: { 'x-api-key': key } })
}

/** The tables that have rows of an application. */
async function tablesWith(applicationId: number): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and sql like '%`application_id`%'",
  ).all<{ name: string }>()
  const found = new Set<string>()
  for (const number of boundDatabases(env)) {
    for (const { name } of results) {
      const count = bindingOf(env, number).prepare(`select count(*) as n from ${name} where application_id = ?`)
      if ((await count.bind(applicationId).first<number>('n')) !== 0) found.add(name)
    }
  }
  return [...found]
}

async function tablesOfObject(name: string): Promise<string[]> {
  return runInDurableObject(env.APPLICATIONS.getByName(name), async (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'",
      )
      .toArray()
    return [...tables.map(({ name }) => name), ...(await storage.list()).keys()]
  })
}

async function activeToday(key: string): Promise<number> {
  const day = Math.floor(NOW / DAY_MS)
  const question = { event: '_active', mode: 'uniques', filters: [], groupBy: [], from: day, to: day } as const
  const answer = await getDirectly<{ yValues: { data: number[] }[] }>(segmentationPath(question), key)
  return answer.yValues[0]?.data[0] ?? Number.NaN
}

it('deletes everything, frees the handle immediately, and disturbs no other application', async () => {
  const spread = { objects: 2, databases: [3, 2] }
  const [application, other] = [await createFilled(6_000, spread), await createFilled(40)]
  const { applicationId, accountId, handle } = application
  const [clientKey, readKey] = [
    await createKey(accountId, 'client', applicationId),
    await createKey(accountId, 'read', applicationId),
  ]
  await env.DB.prepare('insert into saved_questions values (?, ?, ?, 1, 0)').bind(applicationId, 'q', 'funnels').run()
  await env.DB.prepare("insert into boards values (?, 'id', 'b', 'period=7d', '[]', 1)").bind(applicationId).run()
  const share = "insert into shares values ('hash', ?, 'id', null, '[]', null, null, 1, 0, 0)"
  await env.DB.prepare(share).bind(applicationId).run()
  await env.DB.prepare("insert into annotations values (?, 'id', 1, null, 'a', 1)").bind(applicationId).run()
  await env.DB.prepare("insert into cohorts values (?, 'payers', '{}', 1)").bind(applicationId).run()
  const deadLetters = [application, other].flatMap((of) => messagesOf(of.applicationId, visits(1)))
  const keep = env.DB.prepare('insert into dead_letters (body, put_aside_at) values (?, 1)')
  await env.DB.batch([...deadLetters, 'no JSON'].map((body) => keep.bind(body)))
  const before = await activeToday(other.key)
  expect((await remove(application)).status).toBe(202)
  // Registered anew at once, by somebody else, with a project and figures of its own.
  const anew = await postJson('/applications/register', other.key, registrationOf(handle))
  expect(anew.status).toBe(200)
  const { project_id: projectId } = (await anew.json()) as { project_id: string }
  const late = visits(50, 100_000)
  await send(applicationId, late, NOW)
  let steps = 0
  const between = async () => {
    steps += 1
    if (steps % 4 === 0) await send(other.applicationId, visits(1, 50_000 + steps))
    expect(await activeToday(other.key)).toBeGreaterThanOrEqual(before)
  }
  await workOnJobs(applicationId, { between })
  expect(steps).toBeGreaterThan(6_000 / 1_000 + 10)
  expect(await tablesWith(applicationId)).toEqual(['erasures', 'fences'])
  for (const name of [String(applicationId), `${applicationId}/2/0`, `${applicationId}/2/1`]) {
    await expect.poll(() => tablesOfObject(name)).toEqual([])
  }
  await send(applicationId, late, NOW)
  expect(await tablesWith(applicationId)).toEqual(['erasures', 'fences'])
  const kept = await env.DB.prepare('select body from dead_letters').all<{ body: string }>()
  expect(kept.results.map(({ body }) => body)).toEqual([deadLetters[1], 'no JSON'])
  const keys = env.DB.prepare('select scope, application_id from api_keys where account_id = ? order by scope')
  const { results } = await keys.bind(accountId).all()
  expect(results).toEqual([
    { scope: 'full', application_id: null },
    { scope: 'full', application_id: null },
    { scope: 'full', application_id: null },
  ])
  expect((await getJson('/events/names', clientKey)).status).toBe(401)
  expect((await getJson('/events/names', readKey)).status).toBe(401)
  await settle(other.applicationId)
  expect(await activeToday(other.key)).toBeGreaterThan(before)
  const figures = await getJson(`/users/segmentation?project=${projectId}`, other.key)
  expect(await figures.json()).toMatchObject({ data: [] })
})

it('is one job however often it is requested, and deletes nothing that the directory knows', async () => {
  const { applicationId, accountId, ...application } = await createFilled(40, { databases: [2] })
  const [before, now] = [await tablesWith(applicationId), NOW]
  const progress = { ...FIRST_PROGRESS, stage: 'rows', layouts: [1] }
  await addJob(db, { applicationId, kind: 'delete', progress, now })
  await workOnJobs(applicationId)
  expect(await tablesWith(applicationId)).toEqual(before)
  await db.batch([...forgetApplication(db, { id: applicationId, accountId }, now)])
  await db.batch([...forgetApplication(db, { id: applicationId, accountId }, now)])
  const jobs = env.DB.prepare('select count(*) as n from jobs where application_id = ?').bind(applicationId)
  expect(await jobs.first('n')).toBe(1)
  expect((await remove(application)).status).toBe(404)
  await Promise.all([1, 2, 3].map(() => workOnJobs(applicationId)))
  expect(await tablesWith(applicationId)).toEqual(['erasures', 'fences'])
})

it('requires the handle as confirmation, and an application of the account', async () => {
  const [{ applicationId, ...application }, stranger] = [await createPlainApplication(), await createPlainApplication()]
  for (const confirm of [null, '', 'yes', stranger.handle]) {
    const refused = await remove(application, confirm)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      detail: [{ loc: ['query', 'confirm'], type: confirm === null ? 'missing' : 'value_error' }],
    })
  }
  expect((await remove({ handle: application.handle, key: stranger.key })).status).toBe(404)
  expect((await getJson(`/applications/${application.handle}`, application.key)).status).toBe(200)
  expect((await remove(application, `@${application.handle.toUpperCase()}`)).status).toBe(202)
  expect((await getJson(`/applications/${application.handle}`, application.key)).status).toBe(404)
  expect((await remove(application)).status).toBe(404)
  expect(nameOfObject({ applicationId, objects: 1, part: 0 })).toBe(String(applicationId))
})

it('keys of the whole account continue to work, for another application of it', async () => {
  const { key, handle, accountId, applicationId } = await createPlainApplication()
  const second = `bot_second_${applicationId}`
  await postJson('/applications/register', key, registrationOf(second))
  expect((await remove({ key, handle })).status).toBe(202)
  const acting = env.DB.prepare(
    'select distinct a.handle from api_keys as k join applications as a on a.id = k.application_id where k.account_id = ?',
  )
  expect((await acting.bind(accountId).all()).results).toEqual([{ handle: second }])
})
