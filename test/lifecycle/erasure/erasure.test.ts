import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addAnnotation, listAnnotations } from '../../../src/accounts/annotations/annotations.ts'
import { PRIVATE_KEYS, reseal } from '../../../src/accounts/applications/reseal.ts'
import { listSavedQuestions, saveQuestion } from '../../../src/accounts/applications/saved-questions.ts'
import { createBoard, listBoards } from '../../../src/accounts/boards/boards.ts'
import { UTC } from '../../../src/base/time/calendar.ts'
import { raiseFence } from '../../../src/collection/fences/fence.ts'
import { parseMessage } from '../../../src/collection/message.ts'
import { type ErasureProgress, erase, firstProgress } from '../../../src/lifecycle/erasure/begin.ts'
import { eraseWork } from '../../../src/lifecycle/erasure/job.ts'
import { eraseDeadLetters } from '../../../src/lifecycle/erasure/mentions.ts'
import { nextJob } from '../../../src/lifecycle/jobs/jobs.ts'
import { addJob, type Job } from '../../../src/lifecycle/jobs/statements.ts'
import { markAllTime } from '../../../src/lifecycle/partitionings/sql.ts'
import { runJob } from '../../../src/schedule.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { readFigures } from '../../support/activity.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds, reachesAll } from '../../support/cases.ts'
import { createKey, getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { insertErasure } from '../../support/erasures.ts'
import { beforeBatch } from '../../support/failures.ts'
import { figuresOf } from '../../support/figures-oracle.ts'
import { ASLEEP, workOnJobs } from '../../support/jobs.ts'
import { beforeCall, onlyObject, settle, stubOf } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { RareStates } from '../../support/rare-states.ts'
import { tracesOf } from '../../support/traces.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()
const db = openDatabase(env.DB)

interface Sent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
  readonly is_premium: boolean
  readonly [field: string]: unknown
}

let people = 7_000_000_000

/** What a few people do on some days of the last weeks; one of them leaves the id wherever a client can put it. */
function history(person: number, others: readonly number[], from = 0): Sent[] {
  const events: Sent[] = []
  for (let step = 0; step < 120; step += 1) {
    const telegram_id = step % 3 === 0 ? person : (others[step % others.length] as number)
    const isPerson = telegram_id === person
    events.push({
      event_type: isPerson && step % 4 === 0 ? `Opened ${person}` : `Step ${step % 5}`,
      telegram_id,
      datetime: NOW - ((step * 7) % 45) * DAY_MS - step * 1_000 - from,
      is_premium: telegram_id % 2 === 0,
      session_id: `s${telegram_id} ${step % 7}`,
      event_id: `e${telegram_id} ${step} ${from}`,
      username: `u${telegram_id}`,
      start_parameter: isPerson ? `ref_${person}` : 'ref',
      params: { step, by: telegram_id },
    })
  }
  return events
}

function without(person: number, ...events: readonly Sent[]): Sent[] {
  return events.filter(({ telegram_id }) => telegram_id !== person)
}

async function send(applicationId: number, events: readonly Sent[]) {
  return deliver(messagesOf(applicationId, events))
}

async function createFilled(objects = 1, databases = [1]) {
  const application = await createPlainApplication()
  const [person = 0, ...others] = Array.from({ length: 6 }, () => people++)
  await spreadOver(application.applicationId, objects, databases)
  const events = history(person, others)
  await send(application.applicationId, events)
  return { ...application, person, others, events, objects }
}

async function eraseOver({ key, person }: { key: string; person: number }, query = '') {
  return request(`/users/${person}${query}`, { method: 'DELETE', headers: { 'x-api-key': key } })
}

/** Lets jobs and columns work until there is nothing left of either. */
async function work(applicationId: number, objects = 1) {
  await workOnJobs(applicationId)
  await settle(applicationId, objects)
}

async function expectFigures(applicationId: number, events: readonly Sent[]) {
  const days = [...new Set(events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))].sort((a, b) => a - b)
  const stored = (await readFigures(applicationId)).filter((figures) => figures.events > 0)
  expect(stored).toEqual(days.map((day) => figuresOf(day, events)))
}

it.each([
  [1, [1]],
  [1, [2]],
  [4, [1, 2, 3, 2]],
])(
  'nothing is left of a person, and figures are those of the others: %i objects, databases %j',
  async (objects, databases) => {
    const filled = await createFilled(objects, databases)
    const { applicationId, person, events, key } = filled
    await settle(applicationId, objects)
    await expectFigures(applicationId, events)
    expect(await tracesOf(person)).not.toEqual([])
    const own = events.filter(({ telegram_id }) => telegram_id === person)
    const answer = await eraseOver(filled)
    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({
      data: { telegram_id: person, events: own.length, sessions: 7, blocked: false },
      status_code: 202,
      message: 'Accepted',
    })
    await work(applicationId, objects)
    expect(await tracesOf(person)).toEqual([])
    const rest = without(person, ...events)
    await expectFigures(applicationId, rest)
    expect((await getJson(`/users/${person}`, key)).status).toBe(404)
    // Erasing somebody who is not there is no error.
    expect(await (await eraseOver(filled)).json()).toMatchObject({ data: { events: 0, sessions: 0 } })
    await work(applicationId, objects)
    // They come back as somebody new, with names and contexts that were forgotten.
    const later = history(person, filled.others, 5_000).filter(({ telegram_id }) => telegram_id === person)
    await send(applicationId, later)
    await work(applicationId, objects)
    await expectFigures(applicationId, [...rest, ...later])
    expect(await (await getJson(`/users/${person}`, key)).json()).toMatchObject({
      data: { total_events: later.length },
    })
  },
)

it('erases a person while columns are read again', async () => {
  const filled = await createFilled()
  const { applicationId, person, events } = filled
  await settle(applicationId)
  await markAllTime(db, [onlyObject(applicationId)], { from: 0, now: NOW })
  expect((await eraseOver(filled)).status).toBe(202)
  await work(applicationId)
  expect(await tracesOf(person)).toEqual([])
  await expectFigures(applicationId, without(person, ...events))
})

/** The most calls of the database in which a run does its work; afterwards it only compares what it has written. */
const MOST_CALLS = 12

it.each([
  ['has columns', [1], true],
  ['has columns', [2], true],
  ['has none yet', [1], false],
])('erases a person at any point of a run of an object that %s: databases %j', async (_, databases, hasColumns) => {
  const erased: number[] = []
  for (let index = 0, calls = 1; index < Math.min(calls, MOST_CALLS); index += 1) {
    const { applicationId, person, others, events } = await createFilled(1, databases)
    if (hasColumns) await settle(applicationId)
    const more = history(person, others, 5_000)
    await send(applicationId, more)
    const key = onlyObject(applicationId)
    const eraseMeanwhile = async () => {
      await erase({ applicationId, telegramId: person, block: undefined }, { env: ASLEEP, now: Date.now() })
      await expect(workOnJobs(applicationId, { bindings: ASLEEP })).rejects.toThrow('It sleeps')
      erased.push(person)
    }
    calls = await beforeCall(key, { place: index, happen: eraseMeanwhile }, (object) => object.readChanges(key))
    await work(applicationId)
    await expectFigures(applicationId, without(person, ...events, ...more))
  }
  expect(await tracesOf(...erased)).toEqual([])
})

it('somebody comes back twice to a name that nobody else has', async () => {
  const { applicationId, person, events } = await createFilled()
  await settle(applicationId)
  const key = onlyObject(applicationId)
  const erasePerson = () =>
    erase({ applicationId, telegramId: person, block: undefined }, { env: ASLEEP, now: Date.now() })
  const comeBack = async (event_id: string) => {
    const opened = { ...(events[0] as Sent), datetime: Date.now(), event_id }
    await deliver(messagesOf(applicationId, [opened]), {}, new Date(Date.now() + 1))
    return opened
  }
  await erasePerson()
  const workUntil = async (stage: ErasureProgress['stage']) => {
    const progress = async () => (await nextJob(db, applicationId))?.progress as ErasureProgress | undefined
    while ((await progress())?.stage !== stage) await workOnJobs(applicationId, { steps: 1 })
  }
  await workUntil('used')
  // The object reads the name once more, and the first erasure takes its text away before it reads that the second one took its events.
  await comeBack('first')
  await stubOf(key).readChanges(key)
  await erasePerson()
  await workUntil('columns')
  const opened = await comeBack('second')
  await work(applicationId)
  await expectFigures(applicationId, [...without(person, ...events), opened])
})

it('a run of the job that comes late takes nothing of somebody who came back', async () => {
  const { applicationId, person, events } = await createFilled()
  await addJob(db, { applicationId, kind: 'erase', progress: firstProgress(person), now: NOW })
  const jobs: Job[] = []
  for (let job = await nextJob(db, applicationId); job; job = await nextJob(db, applicationId)) {
    jobs.push(job)
    await workOnJobs(applicationId, { steps: 1 })
  }
  const back = { ...(events[0] as Sent), datetime: Date.now(), event_id: 'back' }
  await deliver(messagesOf(applicationId, [back]), {}, new Date(Date.now() + 1))
  for (const job of jobs) await eraseWork(job, { env, db, now: Date.now }).catch(() => 'it was overtaken')
  await work(applicationId)
  await expectFigures(applicationId, [...without(person, ...events), back])
})

it('events that are sent while a person is erased belong to a new user', async () => {
  const filled = await createFilled()
  const { applicationId, person, events, others, key } = filled
  await settle(applicationId)
  expect((await eraseOver(filled)).status).toBe(202)
  const later = [{ ...(events[0] as Sent), datetime: NOW + 1, event_id: 'later' }]
  await send(applicationId, [...later, ...history(others[0] as number, others, 9_000)])
  await work(applicationId)
  const user = await (await getJson(`/users/${person}`, key)).json()
  expect(user).toMatchObject({ data: { total_events: 1, total_sessions: 1 } })
  const rest = without(person, ...events, ...history(others[0] as number, others, 9_000))
  await expectFigures(applicationId, [...rest, ...later])
})

it('earlier events that are still under way are not stored, and no events of a blocked user', async () => {
  const filled = await createFilled()
  const { applicationId, person, events, others } = filled
  const sentBefore = history(person, others, 20_000)
  const under = messagesOf(applicationId, sentBefore)
  const insert = env.DB.prepare('insert into dead_letters (body, put_aside_at) values (?, 1)')
  await env.DB.batch(under.map((body) => insert.bind(body)))
  const before = new Date(Date.now() - 1)
  expect(await (await eraseOver(filled, '?block=true')).json()).toMatchObject({ data: { blocked: true } })
  await deliver(under, {}, before)
  await send(applicationId, history(person, others, 30_000))
  await work(applicationId)
  // The job deletes what arrives before it ends; what is later must not be stored.
  await deliver(under, {}, before)
  await send(applicationId, history(person, others, 30_000))
  expect(await tracesOf(person)).toEqual([])
  await expectFigures(applicationId, without(person, ...events, ...sentBefore, ...history(person, others, 30_000)))
  const { results } = await env.DB.prepare('select body from dead_letters').all<{ body: string }>()
  const kept = results.flatMap(({ body }) => (JSON.parse(body) as { events: unknown[] }).events)
  expect(kept).toHaveLength(without(person, ...sentBefore).length)
  // Asked again without a word about it, they stay blocked; then no more.
  expect(await (await eraseOver(filled)).json()).toMatchObject({ data: { blocked: true } })
  expect(await (await eraseOver(filled, '?block=false')).json()).toMatchObject({ data: { blocked: false } })
})

it('a delivery that was decided before the erasure stores nothing of the person after it', async () => {
  const filled = await createFilled()
  const { applicationId, person, others, events } = filled
  // So new that the job does not look for them.
  const now = Date.now()
  const more = [person, ...others].map((telegram_id): Sent => {
    return { ...(events[1] as Sent), telegram_id, datetime: now, event_id: `now ${telegram_id}`, params: {} }
  })
  const slow = { DB: beforeBatch(env.DB, () => eraseOver(filled)) }
  await deliver(messagesOf(applicationId, more), slow, new Date(now - 1))
  await work(applicationId)
  expect(await tracesOf(person)).toEqual([])
  await expectFigures(applicationId, without(person, ...events, ...more))
})

/** The hashes that the directory has of an application's users. */
async function hashesOf(applicationId: number): Promise<string[]> {
  const sql = 'select lower(hex(user_hash)) as hash from erasures where application_id = ?'
  const { results } = await env.DB.prepare(sql).bind(applicationId).all<{ hash: string }>()
  return results.map(({ hash }) => hash)
}

it('the directory does not reveal who was erased, not even those whom an earlier release recorded', async () => {
  const { applicationId, person, key } = await createFilled()
  const [blocked = 0, asked = 0, unblocked = 0] = [people++, people++, people++]
  for (const telegramId of [blocked, asked, unblocked]) {
    await insertErasure({ applicationId, telegramId, at: 1, isBlocked: true, isUnkeyed: true })
  }
  expect(await (await eraseOver({ key, person: asked })).json()).toMatchObject({ data: { blocked: true } })
  const unblocking = await eraseOver({ key, person: unblocked }, '?block=false')
  expect(await unblocking.json()).toMatchObject({ data: { blocked: false } })
  await eraseOver({ key, person }, '?block=true')
  await runJob(createScheduledController({ cron: '2 */6 * * *' }), env)
  const hashes = await hashesOf(applicationId)
  expect(hashes).toHaveLength(4)
  for (const telegramId of [blocked, asked, unblocked, person]) {
    for (const text of [`${applicationId} ${telegramId}`, String(telegramId)]) {
      const digest = createHash('sha256').update(text).digest('hex')
      expect(hashes.filter((hash) => digest.startsWith(hash.slice(0, 32)))).toEqual([])
    }
  }
  // Another secret seals private keys from now on; whoever is blocked stays so.
  const newer = randomBytes(32).toString('base64')
  await reseal(PRIVATE_KEYS, { db, secrets: `${newer},${env.KEY_SEALING_SECRET}` })
  await raiseFence(db, applicationId)
  const sent = [blocked, asked, unblocked].map((telegram_id) => ({ ...(history(telegram_id, [1])[0] as Sent) }))
  await deliver(messagesOf(applicationId, sent), { KEY_SEALING_SECRET: newer })
  const users = env.DB.prepare('select telegram_id from users where application_id = ? and telegram_id in (?, ?, ?)')
  const { results } = await users.bind(applicationId, blocked, asked, unblocked).all()
  expect(results).toEqual([{ telegram_id: unblocked }])
  await reseal(PRIVATE_KEYS, { db, secrets: `${env.KEY_SEALING_SECRET},${newer}` })
})

it('takes the saved questions and boards away that say the id, in their names or addresses, and no others', async () => {
  const { applicationId, person, ...filled } = await createFilled()
  const filters = JSON.stringify([{ prop: 'params.by', op: 'is', values: [String(person)] }])
  const kept = { name: `Order ${person}1`, address: `events?event=A${person}0` }
  const saved = [
    { name: 'Filtered', address: `events?${new URLSearchParams({ event: 'A', filters })}` },
    { name: 'Of start', address: `?filters=ref_${person}` },
    { name: `Why did ${person} leave?`, address: 'funnels?events=A&events=B' },
    kept,
  ]
  for (const question of saved) await saveQuestion(db, { applicationId, ...question, now: NOW })
  const board = { applicationId, query: 'period=7d', reports: ['Filtered', kept.name], createdAt: NOW }
  await createBoard(db, { ...board, id: 'kept', name: `Orders ${person}1` })
  await createBoard(db, { ...board, id: 'named', name: `About ${person}` })
  await createBoard(db, { ...board, id: 'filtered', name: 'Filtered', query: String(new URLSearchParams({ filters })) })
  await eraseOver({ ...filled, person })
  await work(applicationId)
  expect(await listSavedQuestions(db, applicationId)).toEqual([{ ...kept, pinned: null }])
  const boards = await listBoards(db, applicationId)
  expect(boards.map(({ id, reports }) => ({ id, reports }))).toEqual([{ id: 'kept', reports: [kept.name] }])
})

it('deletes digests, alerts and messages that contain the id, and those about a saved question that does', async () => {
  const { applicationId, person, ...filled } = await createFilled()
  await saveQuestion(db, { applicationId, name: 'Of start', address: `?filters=ref_${person}`, now: NOW })
  await saveQuestion(db, { applicationId, name: `Why ${person}`, address: 'events?event=A', now: NOW })
  const subscriptions = [
    ['kept', 'Below', { type: 'below', question: 'Of start', value: 1 }, `Order ${person}1`],
    ['told', 'New names', { type: 'new_event_name' }, `${person} joined`],
    ['named', `About ${person}`, { type: 'quota' }, ''],
    ['asking', 'Above', { type: 'above', question: `Why ${person}`, value: 1 }, ''],
    ['digest', 'Daily', { type: 'digest', questions: ['Of start', `Why ${person}`] }, ''],
    ['silent', 'Silent', { type: 'silent', minutes: 10, event: `Call ${person}` }, ''],
  ] as const
  const insert = `insert into subscriptions (id, application_id, name, rule, target, origin, state, created_at)
    values (?, ?, ?, ?, '{"type":"chat","chat_id":"@lemon"}', 'https://mauve.example', '{}', 0)`
  const message = `insert into deliveries (id, subscription_id, kind, at, content, status) values (?, ?, 'noticed', 0, ?, 'sent')`
  for (const [id, name, rule, text] of subscriptions) {
    const own = `${id} ${applicationId}`
    await env.DB.prepare(insert).bind(own, applicationId, name, JSON.stringify(rule)).run()
    await env.DB.prepare(message)
      .bind(own, own, JSON.stringify({ text, path: '', data: {} }))
      .run()
  }
  await eraseOver({ ...filled, person })
  await work(applicationId)
  const idsIn = async (table: string) => {
    const { results } = await env.DB.prepare(`select id from ${table} where id like ?`).bind(`% ${applicationId}`).all()
    return results.map(({ id }) => String(id).split(' ')[0]).sort()
  }
  expect(await listSavedQuestions(db, applicationId)).toEqual([])
  expect([await idsIn('subscriptions'), await idsIn('deliveries')]).toEqual([['kept', 'told'], ['kept']])
})

it('takes the annotations away that say the id', async () => {
  const { applicationId, person, ...filled } = await createFilled()
  const about = { now: NOW, calendar: UTC }
  for (const text of [`${person} left`, `Version ${person}1`, 'Released']) {
    await addAnnotation(db, { applicationId, day: 20_000, time: null, text }, about)
  }
  await eraseOver({ ...filled, person })
  await work(applicationId)
  const left = await listAnnotations(db, { id: applicationId, calendar: UTC })
  expect(left.map(({ text }) => text).sort()).toEqual(['Released', `Version ${person}1`])
})

it('leaves the events of others in a dead letter as they are, even events that do not parse', async () => {
  const { applicationId } = await createPlainApplication()
  const [person = 0, other = 0] = [people++, people++]
  const deadLetterOf = (ids: readonly number[]) => {
    const events = ids.map((telegramId) => ({ name: null, telegramId, properties: { language: 'de' } }))
    return JSON.stringify({ version: 2, applicationId, scope: 'full', events })
  }
  const id = await env.DB.prepare('insert into dead_letters (body, put_aside_at) values (?, 1) returning id')
    .bind(deadLetterOf([person, other]))
    .first<number>('id')
  await eraseDeadLetters(db, { applicationId, telegramId: person })
  const left = await env.DB.prepare('select body from dead_letters where id = ?').bind(id).first('body')
  expect(parseMessage(left)).toEqual(parseMessage(deadLetterOf([other])))
})

const states = new RareStates([
  'an erased id sends again while the erasure is under way',
  'a second erasure begins before the first ends',
  'columns are read while an erasure is under way',
  'columns are made anew while an erasure is under way',
])

it('in whatever order deliveries, steps, columns and a second erasure come', async () => {
  const step = fc.constantFrom('send', 'send', 'step', 'step', 'columns', 'rebuild', 'erase')
  await holds(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const filled = await createFilled()
      const { applicationId, person, events, others } = filled
      let sent: readonly Sent[] = events
      const erase = async () => {
        expect((await eraseOver(filled)).status).toBe(202)
        sent = without(person, ...sent)
      }
      await settle(applicationId)
      await erase()
      for (const [index, next] of steps.entries()) {
        const isUnderWay = (await nextJob(db, applicationId)) !== null
        states.seen('an erased id sends again while the erasure is under way', isUnderWay && next === 'send')
        states.seen('a second erasure begins before the first ends', isUnderWay && next === 'erase')
        states.seen('columns are read while an erasure is under way', isUnderWay && next === 'columns')
        states.seen('columns are made anew while an erasure is under way', isUnderWay && next === 'rebuild')
        if (next === 'erase') await erase()
        if (next === 'rebuild') await markAllTime(db, [onlyObject(applicationId)], { from: 0, now: NOW })
        if (next === 'columns') await stubOf(onlyObject(applicationId)).readChanges(onlyObject(applicationId))
        if (next === 'step') await workOnJobs(applicationId, { steps: 1 })
        if (next !== 'send') continue
        const more = [person, ...others].map((telegram_id, user) => ({
          ...(events[telegram_id === person ? 0 : 1] as Sent),
          telegram_id,
          session_id: `more ${index}`,
          username: 'someone',
          datetime: NOW + index * 100 + user,
          event_id: `more ${applicationId} ${index} ${user}`,
          params: { by: telegram_id },
        }))
        // In a millisecond after the erasure, not within it.
        await scheduler.wait(2)
        await send(applicationId, more)
        sent = [...sent, ...more]
      }
      await work(applicationId)
      await expectFigures(applicationId, sent)
      const counts = env.DB.prepare('select total_events as n from users where application_id = ? and telegram_id = ?')
      const own = sent.filter(({ telegram_id }) => telegram_id === person)
      expect((await counts.bind(applicationId, person).first<number>('n')) ?? 0).toBe(own.length)
      if (own.length === 0) expect(await tracesOf(person)).toEqual([])
    }),
    { atLeast: 4, atMost: 40, states },
  )
})

reachesAll(states)

it('leaves no text that two contexts said which were erased one after the other', async () => {
  const { applicationId, person, ...filled } = await createFilled()
  const seen = async () => stubOf(onlyObject(applicationId)).readChanges(onlyObject(applicationId))
  const sendAgain = () => send(applicationId, [{ ...(filled.events[0] as Sent), datetime: NOW, event_id: 'again' }])
  await settle(applicationId)
  await eraseOver({ ...filled, person })
  // The first context is hidden once its events are gone, so the same properties then make another one.
  const isHidden = () =>
    env.DB.prepare("select count(*) as n from contexts where application_id = ? and fingerprint like 'hidden %'")
      .bind(applicationId)
      .first<number>('n')
  while ((await isHidden()) === 0) await workOnJobs(applicationId, { steps: 1 })
  await scheduler.wait(2)
  await sendAgain()
  await seen()
  await eraseOver({ ...filled, person })
  await work(applicationId)
  expect(await tracesOf(person)).toEqual([])
})

it('takes a key of scope full', async () => {
  const { person, accountId, applicationId } = await createFilled()
  expect((await eraseOver({ key: 'none', person })).status).toBe(401)
  for (const scope of ['read', 'client'] as const) {
    const key = await createKey(accountId, scope, applicationId)
    expect((await eraseOver({ key, person })).status).toBe(403)
  }
})

it('ends where the application is gone', async () => {
  const { applicationId, key, handle, person } = await createFilled()
  const confirmed = `/applications/${handle}?confirm=${handle}`
  expect((await request(confirmed, { method: 'DELETE', headers: { 'x-api-key': key } })).status).toBe(202)
  // Asked for a moment before, and noted a moment after.
  await addJob(db, { applicationId, kind: 'erase', progress: firstProgress(person), now: NOW })
  await work(applicationId)
  expect(await tracesOf(person)).toEqual([])
})
