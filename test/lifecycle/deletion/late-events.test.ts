import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { readDeadLetter, resendDeadLetters } from '../../../src/collection/dead-letters/dead-letters.ts'
import { runJob } from '../../../src/schedule.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { awaitEvents, readEvents } from '../../support/activity.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { createKey, getJson, postJson, registrationOf, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { importText } from '../../support/exports.ts'
import { workOnJobs } from '../../support/jobs.ts'

const DAY_MS = 86_400_000

function visitOf(telegramId: number) {
  return { event_type: `Visit ${telegramId}`, telegram_id: telegramId, event_id: String(telegramId) }
}

async function remove({ handle, key }: PlainApplication): Promise<void> {
  const removed = await request(`/applications/${handle}?confirm=${handle}`, {
    method: 'DELETE',
    headers: { 'x-api-key': key },
  })
  expect(removed.status).toBe(202)
}

async function projectOf(applicationId: number): Promise<string> {
  const found = env.DB.prepare('select project_id from applications where id = ?').bind(applicationId)
  return (await found.first<string>('project_id')) ?? ''
}

/** Deletes an application and registers its handle again with the same key; returns the new one's id. */
async function registerAnew(application: PlainApplication): Promise<number> {
  await remove(application)
  const { handle, key } = application
  expect((await postJson('/applications/register', key, registrationOf(handle))).status).toBe(200)
  const found = env.DB.prepare('select id from applications where handle = ?').bind(handle)
  return (await found.first<number>('id')) ?? Number.NaN
}

/** Delivers messages as if the queue took them at this time; returns those that it sends to the dead-letter queue. */
async function deliverAt(timestamp: number, messages: readonly string[]): Promise<string[]> {
  const bodies: string[] = []
  const sendBatch = async (sent: Iterable<MessageSendRequest<string>>) => {
    bodies.push(...[...sent].map(({ body }) => body))
  }
  const DEAD_LETTERS = { sendBatch } as unknown as Queue
  const { acked } = await deliver(messages, { DEAD_LETTERS }, new Date(timestamp))
  expect(acked).toHaveLength(messages.length)
  return bodies
}

async function lettersOf(applicationId: number): Promise<number> {
  const { results } = await env.DB.prepare('select body from dead_letters').all<{ body: string }>()
  return results.filter(({ body }) => readDeadLetter(body).applicationId === applicationId).length
}

async function addLetter(applicationId: number, putAsideAt: number): Promise<void> {
  const [body] = messagesOf(applicationId, [visitOf(1)])
  await env.DB.prepare('insert into dead_letters (body, put_aside_at) values (?, ?)').bind(body, putAsideAt).run()
}

it('events that are sent right after a handle is registered again belong to the new application', async () => {
  const application = await createPlainApplication()
  const { applicationId, accountId, key } = application
  const old = await projectOf(applicationId)
  const clientKey = await createKey(accountId, 'client', applicationId)
  const send = (with_: string, id: number, headers = {}) => postJson('/v1/client/events', with_, visitOf(id), headers)
  // Now copies say what these keys open.
  for (const one of [key, clientKey]) expect((await send(one, 1)).status).toBe(200)
  expect((await send(key, 1, { 'x-project-id': old })).status).toBe(200)
  const anew = await registerAnew(application)
  expect((await send(key, 2)).status).toBe(200)
  expect((await send(key, 3, { 'x-project-id': old })).status).toBe(403)
  expect((await send(clientKey, 3)).status).toBe(401)
  expect((await send(await createKey(accountId, 'client', anew), 4)).status).toBe(200)
  const line = { name: 'Order', time: new Date(Date.now() - 1_000).toISOString(), telegram_id: 5, key: 7 }
  expect(await importText(JSON.stringify(line), key)).toMatchObject({ stored: 1, refused: [] })
  await awaitEvents(anew, 3)
  expect((await readEvents(anew)).map(({ name }) => name).sort()).toEqual(['Order', 'Visit 2', 'Visit 4'])
})

it('an application that is deleted and not registered again is a 404 from the next request on', async () => {
  const application = await createPlainApplication()
  expect((await postJson('/v1/client/events', application.key, visitOf(1))).status).toBe(200)
  await remove(application)
  expect((await postJson('/v1/client/events', application.key, visitOf(2))).status).toBe(404)
  expect((await getJson('/events/names', application.key)).status).toBe(404)
})

it('events that another isolate accepted after a deletion become dead letters, and those from before it nothing', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const messages = [visitOf(1), visitOf(2)].flatMap((event) => messagesOf(applicationId, [event]))
  const before = Date.now() - 60_000
  await remove(application)
  expect(await deliverAt(before, messages)).toEqual([])
  expect(await deliverAt(Date.now() + 1_000, messages)).toEqual(messages)
  await workOnJobs(applicationId)
  expect(await deliverAt(before, messages)).toEqual([])
  expect(await deliverAt(Date.now() + 1_000, messages)).toEqual(messages)
})

it('dead letters from before a deletion go with it, later ones after fourteen days, and others never', async () => {
  const [application, other] = [await createPlainApplication(), await createPlainApplication()]
  const { applicationId } = application
  const cron = { cron: '2 */6 * * *' }
  await addLetter(applicationId, Date.now() - DAY_MS)
  await addLetter(other.applicationId, Date.now() - 100 * DAY_MS)
  await remove(application)
  const late = Date.now() + 1_000
  await addLetter(applicationId, late)
  await workOnJobs(applicationId)
  expect(await lettersOf(applicationId)).toBe(1)
  await runJob(createScheduledController({ ...cron, scheduledTime: new Date(late + 14 * DAY_MS) }), env)
  expect(await lettersOf(applicationId)).toBe(1)
  await runJob(createScheduledController({ ...cron, scheduledTime: new Date(late + 14 * DAY_MS + 1) }), env)
  expect(await lettersOf(applicationId)).toBe(0)
  expect(await lettersOf(other.applicationId)).toBe(1)
})

it('a dead letter of a deleted application is as old as it is, however often it is marked to be sent again', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  await remove(application)
  await workOnJobs(applicationId)
  const late = Date.now() + 1_000
  await addLetter(applicationId, late)
  await env.DB.prepare('update dead_letters set resend_at = 1').run()
  const sent: string[] = []
  const sendBatch = async (all: Iterable<MessageSendRequest<string>>) =>
    void sent.push(...[...all].map(({ body }) => body))
  const EVENTS = { sendBatch } as unknown as Queue
  await resendDeadLetters(openDatabase(env.DB), { ...env, EVENTS })
  expect(sent.filter((body) => readDeadLetter(body).applicationId === applicationId)).toEqual([])
  expect(await lettersOf(applicationId)).toBe(1)
})
