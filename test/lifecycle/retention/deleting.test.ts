import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { dataSince, keptFromOn } from '../../../src/accounts/applications/kept.ts'
import { nextJob, type Works } from '../../../src/lifecycle/jobs/jobs.ts'
import { addJob, type Job } from '../../../src/lifecycle/jobs/statements.ts'
import { moveBy, newMove } from '../../../src/lifecycle/moves/move.ts'
import { retainBy } from '../../../src/lifecycle/retention/retain.ts'
import { WORKS } from '../../../src/object/application-object.ts'
import { runJob } from '../../../src/schedule.ts'
import { bindingOf, boundDatabases, type Placement } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { keysOf } from '../../../src/storage/object-name.ts'
import { dumpActivity, readChanges, readEvents, readFigures, readSessions } from '../../support/activity.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { request, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { readIds, storeIdsApart } from '../../support/event-keys.ts'
import { figuresOf } from '../../support/figures-oracle.ts'
import { twice, workOnJobs } from '../../support/jobs.ts'
import { settle, stubOf } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { tracesOf } from '../../support/traces.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()
const KEEP_MONTHS = 2
/** The first day that is kept, and the first millisecond of it. */
const KEPT_FROM = keptFromOn(Math.floor(NOW / DAY_MS), KEEP_MONTHS)
const KEPT_MS = KEPT_FROM * DAY_MS
const db = openDatabase(env.DB)

interface Sent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
  readonly is_premium: boolean
  readonly event_id: string
  readonly [field: string]: unknown
}

let people = 7_100_000_000

/** People whose ids nobody else's contain. */
function newPeople(count: number): number[] {
  return Array.from({ length: count }, () => people++)
}

function eventOf(telegram_id: number, datetime: number, step: number, page: unknown = datetime): Sent {
  return {
    event_type: `Step ${step % 5}`,
    telegram_id,
    datetime,
    is_premium: telegram_id % 2 === 0,
    session_id: `s${step % 9}`,
    event_id: `e${telegram_id} ${page}#${step}`,
    username: `u${telegram_id}`,
    start_parameter: `ref_${step % 4}`,
    params: { step },
  }
}

/** What a few people do in four months, about half of it in those that are kept; and at their edge. */
function history(persons: readonly number[]): Sent[] {
  const [first = 0] = persons
  const some = Array.from({ length: 120 }, (_, step) => {
    const datetime = NOW - ((step * 7) % 120) * DAY_MS - step * 1_000
    // Of ids that lie together some go and others stay.
    return eventOf(persons[step % persons.length] as number, datetime, step, 'page')
  })
  const edge = [KEPT_MS - 1, KEPT_MS].map((time, step) => eventOf(first, time, step))
  // Somebody left their id where clients can put it, long ago.
  const own = { ...eventOf(first, KEPT_MS - DAY_MS, 0), event_type: `Opened ${first}`, start_parameter: `by ${first}` }
  return [...some, ...edge, own]
}

function isKept({ datetime }: Sent): boolean {
  return datetime >= KEPT_MS
}

async function send(applicationId: number, events: readonly Sent[]): Promise<void> {
  // In the millisecond after whatever happened before.
  const { retried } = await deliver(messagesOf(applicationId, events), {}, new Date(Date.now() + 1))
  expect(retried).toEqual([])
}

async function createFilled(objects = 1, databases: Placement = [1]) {
  const application = await createPlainApplication()
  const { applicationId } = application
  await spreadOver(applicationId, objects, databases)
  const persons = newPeople(6)
  const events = history(persons)
  await send(applicationId, events)
  await settle(applicationId, objects)
  return { ...application, persons, events }
}

/** From now on the application keeps two months, and cron has noticed. */
async function keep({ handle, key }: PlainApplication): Promise<void> {
  const body = { keep_months: KEEP_MONTHS }
  expect((await sendJson('PATCH', `/applications/${handle}`, { key, body })).status).toBe(200)
  await runJob({ cron: '2 */6 * * *', scheduledTime: NOW, noRetry: () => {} }, env)
}

function remove(path: string, key: string): Promise<Response> {
  return request(path, { method: 'DELETE', headers: { 'x-api-key': key } })
}

/** Many portions of little. */
const WORKS_A_LITTLE = { ...WORKS, retain: retainBy(5), move: moveBy(30) }

/** Does jobs, this many portions at most; returns how many it did. */
function work(applicationId: number, steps?: number, works: Works = WORKS_A_LITTLE): Promise<number> {
  return workOnJobs(applicationId, { steps, works })
}

/** Figures of these days are those of these events, whatever of them is kept. */
async function expectFigures(applicationId: number, days: readonly number[], events: readonly Sent[]): Promise<void> {
  const stored = (await readFigures(applicationId)).filter(({ day }) => days.includes(day))
  expect(stored).toEqual(days.map((day) => figuresOf(day, events)))
}

/** The rows that go with their days, whatever application they are of. */
async function datedRowsOf(applicationId: number) {
  const [events, sessions] = [await readEvents(applicationId), await readSessions(applicationId)]
  return { events, sessions, ids: await readIds(applicationId) }
}

const NOTED = ['first_time', 'first_key', 'first_context_id', 'start_time', 'start_key', 'start_context_id']

/** A user but for what is noted of their first events when these go. */
function withoutFirsts(user: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(user).filter(([column]) => !NOTED.includes(column)))
}

/** The rows of an application that was sent nothing but these events. */
async function datedRows(events: readonly Sent[]) {
  const { applicationId } = await createPlainApplication()
  await send(applicationId, events)
  return datedRowsOf(applicationId)
}

it.each([
  [1, [2]],
  [4, [1]],
  [4, [1, 2, 3, 2]],
])('nothing older stays but users, texts and figures: %i objects, databases %j', async (objects, databases) => {
  const filled = await createFilled(objects, databases)
  const { applicationId, persons } = filled
  // No object has read these when it hears that they go: they are counted all the same.
  const unread = persons.map((person, index) => eventOf(person, KEPT_MS - index * DAY_MS - 5, index))
  await send(applicationId, unread)
  const events = [...filled.events, ...unread]
  const { users = [], contexts, event_names } = await dumpActivity(applicationId)
  await keep(filled)
  expect(await work(applicationId)).toBeGreaterThan(10)
  expect(await datedRowsOf(applicationId)).toEqual(await datedRows(events.filter(isKept)))
  const left = await dumpActivity(applicationId)
  expect(left).toMatchObject({ contexts, event_names })
  expect(left.users?.map(withoutFirsts)).toEqual(users.map(withoutFirsts))
  // Everybody did something that is gone, and nobody has anything noted that is not.
  expect(left.users?.map(({ first_time }) => Number(first_time) < KEPT_MS)).toEqual(users.map(() => true))
  expect(await readChanges(applicationId)).toEqual([])
  const days = new Set(events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
  await expectFigures(applicationId, [...days].sort(), events)
  // What comes late is stored or not by its own day.
  const edge = [KEPT_MS - 1, KEPT_MS].map((time) => eventOf(persons[1] as number, time, 7))
  await send(applicationId, edge)
  expect(await datedRowsOf(applicationId)).toEqual(await datedRows([...events, ...edge].filter(isKept)))
})

it('ids go as well that release a465e32 stored, each in a row to itself', async () => {
  const filled = await createFilled()
  const { applicationId, events } = filled
  await storeIdsApart(applicationId)
  await keep(filled)
  await work(applicationId)
  expect(await datedRowsOf(applicationId)).toEqual(await datedRows(events.filter(isKept)))
})

it('the application’s object does it, once cron has woken it', async () => {
  const filled = await createFilled(4, [1, 2, 3, 2])
  const { applicationId, events } = filled
  await keep(filled)
  await runJob({ cron: '*/5 * * * *', scheduledTime: NOW, noRetry: () => {} }, env)
  await vi.waitFor(async () => expect(await nextJob(db, applicationId)).toBeNull(), 60_000)
  expect(await datedRowsOf(applicationId)).toEqual(await datedRows(events.filter(isKept)))
})

it('each portion can be done twice, and so can the job', async () => {
  const filled = await createFilled(4, [1, 2, 3, 2])
  const { applicationId, events } = filled
  await keep(filled)
  await workOnJobs(applicationId, { works: { retain: twice(retainBy(5)) } })
  const { users } = await dumpActivity(applicationId)
  const kept = await datedRows(events.filter(isKept))
  expect(await datedRowsOf(applicationId)).toEqual(kept)
  await addJob(db, { applicationId, kind: 'retain', progress: {}, now: NOW })
  await work(applicationId)
  expect(await datedRowsOf(applicationId)).toEqual(kept)
  expect(await dumpActivity(applicationId)).toMatchObject({ users })
})

/** Days that questions know everything about. */
const KNOWN_DAYS = Array.from({ length: Math.floor(NOW / DAY_MS) - dataSince(KEPT_FROM) }, (_, index) => {
  return dataSince(KEPT_FROM) + index
})

it('deletes exactly the old events, in any order of deliveries, portions, columns and erasures', async () => {
  const step = fc.constantFrom('send', 'late', 'portion', 'portion', 'portions', 'columns', 'erase')
  const placed = fc.constantFrom<Placement>([1], [2], [1, 2, 3, 2])
  await holds(
    fc.asyncProperty(placed, fc.array(step, { minLength: 4, maxLength: 14 }), async (databases, steps) => {
      const filled = await createFilled(4, databases)
      const { applicationId, persons, events, key } = filled
      const [person = 0, ...others] = persons
      let sent: readonly Sent[] = events
      await keep(filled)
      for (const [index, next] of steps.entries()) {
        if (next === 'portion') await work(applicationId, 1)
        if (next === 'portions') await work(applicationId, 7)
        if (next === 'columns')
          for (const key of keysOf({ applicationId, objects: 4 })) await stubOf(key).readChanges(key)
        if (next === 'late') {
          await send(
            applicationId,
            others.map((other) => eventOf(other, KEPT_MS - 1 - index, index)),
          )
        }
        if (next === 'erase') {
          expect((await remove(`/users/${person}`, key)).status).toBe(202)
          sent = sent.filter(({ telegram_id }) => telegram_id !== person)
        }
        if (next === 'send') {
          const more = persons.map((telegram_id, user) => eventOf(telegram_id, NOW + index * 100 + user, index))
          await send(applicationId, more)
          sent = [...sent, ...more]
        }
      }
      await work(applicationId)
      await settle(applicationId, 4)
      expect(await datedRowsOf(applicationId)).toEqual(await datedRows(sent.filter(isKept)))
      await expectFigures(applicationId, KNOWN_DAYS, sent)
      if (!sent.some(({ telegram_id }) => telegram_id === person)) expect(await tracesOf(person)).toEqual([])
    }),
    { atLeast: 2, atMost: 40 },
  )
})

it('a person who is erased later leaves no trace, even if most of their events were deleted before', async () => {
  const filled = await createFilled()
  const { applicationId, persons, key } = filled
  await keep(filled)
  await work(applicationId)
  expect((await remove(`/users/${persons[0]}`, key)).status).toBe(202)
  await work(applicationId)
  expect(await tracesOf(persons[0] as number)).toEqual([])
})

it('continues in the database to which the application has moved', async () => {
  for (const [portions, from, to] of [
    [1, [2], [1, 2, 3, 2]],
    [12, [1, 2, 3, 2], [3, 1]],
  ] as const) {
    const filled = await createFilled(4, from)
    const { applicationId, events } = filled
    await keep(filled)
    await work(applicationId, portions)
    await addJob(db, { applicationId, kind: 'move', progress: newMove({ from, to }), now: NOW })
    // An object that knows names by other ids begins anew: the portion that asked it fails, and is tried again.
    for (const _ of keysOf({ applicationId, objects: 4 })) await work(applicationId).catch(() => {})
    await work(applicationId)
    expect(await datedRowsOf(applicationId)).toEqual(await datedRows(events.filter(isKept)))
    expect(await databasesOf(applicationId)).toEqual([...new Set<number>(to)].sort())
  }
})

/** The databases that have events of an application. */
async function databasesOf(applicationId: number): Promise<number[]> {
  const query = 'select count(*) as n from events where application_id = ?'
  const counts = boundDatabases(env).map(async (number) => {
    const count = await bindingOf(env, number).prepare(query).bind(applicationId).first<number>('n')
    return { number, count }
  })
  return (await Promise.all(counts)).filter(({ count }) => count !== 0).map(({ number }) => number)
}

it('ends where the application is gone', async () => {
  const filled = await createFilled()
  const { applicationId, handle, key } = filled
  await keep(filled)
  await work(applicationId, 8)
  const under = await nextJob(db, applicationId)
  expect(under).toMatchObject({ kind: 'retain', progress: { stage: 'events' } })
  expect((await remove(`/applications/${handle}?confirm=${handle}`, key)).status).toBe(202)
  await work(applicationId)
  expect(await retainBy(5)(under as Job, { env, db, now: Date.now })).toBe('done')
  expect(Object.values(await dumpActivity(applicationId)).flat()).toEqual([])
})
