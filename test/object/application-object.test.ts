import {
  abortAllDurableObjects,
  createExecutionContext,
  createMessageBatch,
  evictDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { readChanges } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { databaseAway, inFastTime, silent, silentDatabase } from '../support/failures.ts'
import { beforeFigures, onlyObject, settle, stubOf, withDatabase, within } from '../support/objects.ts'

const DAY_MS = 86_400_000

it('processes a delivery immediately, without being asked', async () => {
  const { applicationId } = await createPlainApplication()
  await waitOnExecutionContext(await deliverToWorker(applicationId, [0, -1, -50]))
  await vi.waitFor(async () => expect(await readChanges(applicationId)).toEqual([]), 60_000)
  // The days themselves, the 29 after the oldest, and tomorrow.
  expect(await countFigures(applicationId)).toBe(3 + 29 + 1)
})

it('runs at most every 1.5 s, however often it is woken', async () => {
  const { applicationId } = await collectFor([0])
  const [key, started] = [onlyObject(applicationId), Date.now()]
  await settle(applicationId)
  await stubOf(key).wake(key)
  const alarm = await alarmOf(applicationId)
  await stubOf(key).wake(key)
  expect(await alarmOf(applicationId)).toBe(alarm)
  expect(alarm).toBeGreaterThanOrEqual(started + 1_500)
  expect(alarm).toBeLessThanOrEqual(Date.now() + 1_500)
})

it('makes a Worker of the next release retry a report that is unknown here', async () => {
  const { applicationId } = await createPlainApplication()
  const question = { report: 'a report of the next release', query: {}, caller: 'somebody' }
  const key = onlyObject(applicationId)
  expect(await stubOf(key).ask(key, question)).toEqual({ kind: 'filling' })
})

it('moves a distant alarm forward when woken', async () => {
  const { applicationId } = await collectFor([0])
  const key = onlyObject(applicationId)
  await within(key, (_, storage) => storage.setAlarm(Date.now() + DAY_MS))
  await stubOf(key).wake(key)
  await vi.waitFor(async () => expect(await readChanges(applicationId)).toEqual([]), 60_000)
})

it('loses nothing if evicted before it runs', async () => {
  const { applicationId } = await collectFor([0])
  const key = onlyObject(applicationId)
  await stubOf(key).wake(key)
  await evictDurableObject(stubOf(key))
  await settle(applicationId)
  expect(await countActive(applicationId)).toBe(1)
})

it('loses nothing if cut off in the middle of a run', async () => {
  const { applicationId } = await collectFor([0, -40])
  let isHanging = false
  const hang = () => {
    isHanging = true
    return new Promise(() => undefined)
  }
  const run = runWith(applicationId, beforeFigures(hang)).catch(() => 'cut off')
  await vi.waitUntil(() => isHanging, 60_000)
  await abortAllDurableObjects()
  expect(await run).toBe('cut off')
  expect(await readChanges(applicationId)).toHaveLength(2)
  await settle(applicationId)
  expect(await countActive(applicationId)).toBe(2)
})

it('retries with pauses that grow up to a minute and are reset by a success', async () => {
  const { applicationId } = await collectFor([0])
  // In an hour: an alarm that is to ring in the past rings now, and meanwhile time goes on outside.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const fail = () => runWith(applicationId, databaseAway())
  const pauses: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) pauses.push((await fail()) ?? 0)
  expect(pauses).toEqual([1.5, 3, 6, 12, 24, 48, 60, 60].map((seconds) => seconds * 1_000))
  expect(await readChanges(applicationId)).toHaveLength(1)
  expect(await countFigures(applicationId)).toBe(0)
  await runWith(applicationId, {})
  expect(await readChanges(applicationId)).toEqual([])
  expect(await fail()).toBe(1_500)
})

it('keeps the changes of a run that could not write', async () => {
  const { applicationId } = await collectFor([0])
  await runWith(applicationId, { batch: databaseAway().batch })
  expect(await readChanges(applicationId)).toHaveLength(1)
  await settle(applicationId)
  expect(await countActive(applicationId)).toBe(1)
})

it('gives up on a database that does not respond, and retries', async () => {
  const { applicationId } = await collectFor([0])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // Time flies inside the object: what waits there can only be called from there.
  await withDatabase(onlyObject(applicationId), silentDatabase(), async (object, storage) => {
    await storage.put('state', { key: onlyObject(applicationId), failures: 0 })
    expect((await inFastTime(object.alarm())).seconds).toBe(30)
  })
  vi.useRealTimers()
  expect(await readChanges(applicationId)).toHaveLength(1)
  await settle(applicationId)
})

it('does not block deliveries if it does not respond', async () => {
  const { applicationId } = await createPlainApplication()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const objects = { getByName: () => silent() } as unknown as Env['APPLICATIONS']
  const context = await deliverToWorker(applicationId, [0], { APPLICATIONS: objects })
  expect((await inFastTime(waitOnExecutionContext(context))).seconds).toBe(5)
  expect(await readChanges(applicationId)).toHaveLength(1)
})

it('keeps a change that grew during a run, dated from then', async () => {
  const { applicationId } = await collectFor([0])
  await env.DB.prepare('update changes set marked_at = 1 where application_id = ?').bind(applicationId).run()
  await runWith(
    applicationId,
    beforeFigures(() => collect(applicationId, [0])),
  )
  expect(await readChanges(applicationId)).toMatchObject([{ marked_at: expect.any(Number) }])
  expect((await readChanges(applicationId))[0]?.marked_at).toBeGreaterThan(1)
  await settle(applicationId)
  expect(await countActive(applicationId)).toBe(2)
})

it('runs again for changes that arrived during a run started by another call', async () => {
  const { applicationId } = await collectFor([0])
  const [key, reached, gate] = [onlyObject(applicationId), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const wait = () => {
    reached.resolve()
    return gate.promise
  }
  await withDatabase(key, beforeFigures(wait), async (object, storage) => {
    const first = object.readChanges(key)
    await reached.promise
    await collect(applicationId, [0])
    await storage.put('state', { key, failures: 0 })
    const second = object.alarm()
    gate.resolve()
    await Promise.all([first, second])
  })
  expect(await readChanges(applicationId)).toEqual([])
  expect(await countActive(applicationId)).toBe(2)
})

it('does not block another application while it runs', async () => {
  const [slow, quick] = [await collectFor([0]), await collectFor([0])]
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const wait = () => {
    reached.resolve()
    return gate.promise
  }
  const run = runWith(slow.applicationId, beforeFigures(wait))
  await reached.promise
  await settle(quick.applicationId)
  expect(await readChanges(slow.applicationId)).toHaveLength(1)
  gate.resolve()
  await run
  expect(await readChanges(slow.applicationId)).toEqual([])
})

it('reaches old days even if today changes in every run', async () => {
  const { applicationId } = await collectFor([0, -40, -80, -120])
  const todayAgain = () => collect(applicationId, [0])
  for (let run = 0; run < 3; run++) await runWith(applicationId, beforeFigures(todayAgain))
  expect(await readChanges(applicationId)).toHaveLength(1)
})

let users = 0

function eventOn(daysFromNow: number) {
  users += 1
  return { event_type: 'a', telegram_id: users, datetime: Date.now() + daysFromNow * DAY_MS }
}

/** Stores events of a new application; its object is not told. */
async function collectFor(days: readonly number[]) {
  const application = await createPlainApplication()
  await collect(application.applicationId, days)
  return application
}

async function collect(applicationId: number, days: readonly number[]): Promise<void> {
  await deliver(messagesOf(applicationId, days.map(eventOn)))
}

/** One delivery of the queue to the worker, which then wakes the object, behind its acknowledgement. */
async function deliverToWorker(applicationId: number, days: readonly number[], bindings: Partial<Env> = {}) {
  const [body] = messagesOf(applicationId, days.map(eventOn))
  const message = { id: '1', timestamp: new Date(), attempts: 1, body }
  const context = createExecutionContext()
  await worker.queue(createMessageBatch('mauve-events', [message]), { ...env, ...bindings }, context)
  return context
}

/** Runs the alarm on a database with these parts; returns after how many milliseconds it is to ring again, and lets it not. */
function runWith(applicationId: number, parts: Partial<D1Database>): Promise<number | null> {
  const key = onlyObject(applicationId)
  return withDatabase(key, parts, async (object, storage) => {
    if (!(await storage.get('state'))) await storage.put('state', { key, failures: 0 })
    await object.alarm()
    const alarm = await storage.getAlarm()
    await storage.deleteAlarm()
    return alarm === null ? null : alarm - Date.now()
  })
}

function alarmOf(applicationId: number): Promise<number | null> {
  return within(onlyObject(applicationId), (_, storage) => storage.getAlarm())
}

async function countFigures(applicationId: number): Promise<number | null> {
  return env.DB.prepare('select count(*) as days from daily_figures where application_id = ?')
    .bind(applicationId)
    .first('days')
}

async function countActive(applicationId: number): Promise<number | null> {
  return env.DB.prepare('select sum(active_users) as users from daily_figures where application_id = ?')
    .bind(applicationId)
    .first('users')
}
