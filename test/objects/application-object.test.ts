import {
  abortAllDurableObjects,
  createExecutionContext,
  createMessageBatch,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import worker from '../../src/index.ts'
import type { ApplicationObject } from '../../src/rollups/application-object.ts'
import { readChanges } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { messagesOf } from '../support/delivery.ts'
import { inFastTime, silent, silentDatabase } from '../support/failures.ts'

const DAY_MS = 86_400_000

it('is woken by a delivery, and leaves no change', async () => {
  const { applicationId } = await collectFor([0, -1, -50])
  expect(await readChanges(applicationId)).toHaveLength(3)
  const object = objectOf(applicationId)
  await settle(object, applicationId)
  expect(await countFigures(applicationId)).toBe(3 + 30)
})

it('waits for the end of a burst: later deliveries set no second alarm', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  const alarm = await alarmOf(object)
  await waitOnExecutionContext(await deliver(applicationId, [-1]))
  expect(await alarmOf(object)).toBe(alarm)
})

it('loses nothing when it is evicted before its alarm', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  await evictDurableObject(object)
  await settle(object, applicationId)
})

it('loses nothing when it is evicted in the middle of a run', async () => {
  const { applicationId } = await collectFor([0, -40])
  const object = objectOf(applicationId)
  let isHanging = false
  const hang = () => {
    isHanging = true
    return new Promise<void>(() => undefined)
  }
  const run = runWithDatabase(object, beforeEachWrite(hang)).catch(() => 'cut off')
  await vi.waitUntil(() => isHanging, 60_000)
  await abortAllDurableObjects()
  expect(await readChanges(applicationId)).toHaveLength(2)
  await settle(objectOf(applicationId), applicationId)
  expect(await run).toBe('cut off')
})

it('keeps the mark of a run that fails half-way, and tries again after a growing pause', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  const pauses: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = Date.now()
    await runWithBrokenDatabase(object)
    pauses.push(((await alarmOf(object)) ?? 0) - before)
  }
  expect(pauses.map((pause) => Math.round(pause / 5_000))).toEqual([1, 2, 4])
  expect(await readChanges(applicationId)).toHaveLength(1)
  expect(await countFigures(applicationId)).toBe(0)
  await settle(object, applicationId)
})

it('gives a silent database up, and tries again', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // Time flies inside the object: what waits there can only be called from there.
  await runWithDatabase(object, silentDatabase(), async (run) => expect((await inFastTime(run)).seconds).toBe(30))
  vi.useRealTimers()
  expect(await readChanges(applicationId)).toHaveLength(1)
  await settle(object, applicationId)
})

it('tries again within a minute, however often it failed', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  await runInDurableObject(object, (_, { storage }) =>
    storage.put('state', { key: { applicationId, objects: 1, part: 0 }, failures: 50 }),
  )
  await runWithBrokenDatabase(object)
  expect((await alarmOf(object)) ?? Number.NaN).toBeLessThanOrEqual(Date.now() + 60_000)
})

it('brings an alarm forward that is far away when it is woken', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  await runInDurableObject(object, (_, { storage }) => storage.setAlarm(Date.now() + DAY_MS))
  await object.wake({ applicationId, objects: 1, part: 0 })
  expect((await alarmOf(object)) ?? Number.NaN).toBeLessThanOrEqual(Date.now() + 5_000)
})

it('holds up no delivery while it is silent', async () => {
  const { applicationId } = await createPlainApplication()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const rollups = { getByName: () => silent() } as unknown as Env['APPLICATIONS']
  const context = await deliver(applicationId, [0], { APPLICATIONS: rollups })
  expect((await inFastTime(waitOnExecutionContext(context))).seconds).toBe(5)
  expect(await readChanges(applicationId)).toHaveLength(1)
})

it('does not forget a change that was made while it ran, and what waits does so since then only', async () => {
  const { applicationId } = await collectFor([0])
  const object = objectOf(applicationId)
  await env.DB.prepare('update changes set marked_at = 1 where application_id = ?').bind(applicationId).run()
  const changeMeanwhile = beforeEachWrite(() => deliver(applicationId, [0]))
  await runWithDatabase(object, changeMeanwhile)
  expect(await readChanges(applicationId)).toHaveLength(1)
  expect(await readNumber('select marked_at from changes where application_id = ?', applicationId)).toBeGreaterThan(1)
  await settle(object, applicationId)
  expect(await readNumber('select sum(active_users) from daily_figures where application_id = ?', applicationId)).toBe(
    2,
  )
})

it('does not hold up another application while it runs', async () => {
  const [slow, quick] = [await collectFor([0]), await collectFor([0])]
  const gate = Promise.withResolvers<void>()
  const run = runWithDatabase(
    objectOf(slow.applicationId),
    beforeEachWrite(() => gate.promise),
  )
  await settle(objectOf(quick.applicationId), quick.applicationId)
  expect(await readChanges(slow.applicationId)).toHaveLength(1)
  gate.resolve()
  await run
  expect(await readChanges(slow.applicationId)).toEqual([])
})

it('reaches old days though today changes again in every run', async () => {
  const { applicationId } = await collectFor([0, -40, -80, -120])
  const todayAgain = () => deliver(applicationId, [0])
  for (let run = 0; run < 3; run++) await runWithDatabase(objectOf(applicationId), beforeEachWrite(todayAgain))
  expect(await readChanges(applicationId)).toHaveLength(1)
})

let users = 0

function eventOn(daysFromNow: number) {
  return { event_type: 'a', telegram_id: ++users, datetime: Date.now() + daysFromNow * DAY_MS }
}

async function collectFor(days: readonly number[]) {
  const application = await createPlainApplication()
  await waitOnExecutionContext(await deliver(application.applicationId, days))
  return application
}

/** One delivery of the queue to the worker, which then wakes the object, behind its acknowledgement. */
async function deliver(applicationId: number, days: readonly number[], bindings: Partial<Env> = {}) {
  const [body] = messagesOf(applicationId, days.map(eventOn))
  const message = { id: '1', timestamp: new Date(), attempts: 1, body }
  const context = createExecutionContext()
  await worker.queue(createMessageBatch('mauve-events', [message]), { ...env, ...bindings }, context)
  return context
}

function objectOf(applicationId: number) {
  return env.APPLICATIONS.getByName(String(applicationId)) as DurableObjectStub<ApplicationObject>
}

/** Runs the alarm now; those that it sets itself follow by themselves. */
async function settle(object: DurableObjectStub<ApplicationObject>, applicationId: number): Promise<void> {
  await runDurableObjectAlarm(object)
  await vi.waitFor(async () => expect(await readChanges(applicationId)).toEqual([]), 60_000)
}

function alarmOf(object: DurableObjectStub<ApplicationObject>): Promise<number | null> {
  return runInDurableObject(object, (_instance, state) => state.storage.getAlarm())
}

function runWithBrokenDatabase(object: DurableObjectStub<ApplicationObject>): Promise<void> {
  const batch = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))
  return runWithDatabase(object, { batch })
}

/** Runs the alarm's work on a database of which these parts are other ones. */
function runWithDatabase(
  object: DurableObjectStub<ApplicationObject>,
  parts: Partial<D1Database>,
  wait: (run: Promise<void>) => Promise<void> = (run) => run,
): Promise<void> {
  return runInDurableObject(object, async (instance) => {
    const holder = instance as unknown as { env: Env }
    const real = holder.env
    holder.env = {
      ...real,
      DB: Object.assign(Object.create(real.DB), { prepare: (sql: string) => real.DB.prepare(sql), ...parts }),
    }
    await wait((instance as { alarm(): Promise<void> }).alarm())
    holder.env = real
  })
}

/** Lets something happen each time between reading the activity and writing the figures. */
function beforeEachWrite(happen: () => Promise<unknown>): Partial<D1Database> {
  let batches = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    if (batches++ % 2 === 1) await happen()
    return env.DB.batch(statements)
  }
  return { batch } as Partial<D1Database>
}

async function countFigures(applicationId: number): Promise<number | null> {
  return env.DB.prepare('select count(*) as days from daily_figures where application_id = ?')
    .bind(applicationId)
    .first('days')
}

function readNumber(sql: string, applicationId: number): Promise<number | undefined> {
  return env.DB.prepare(sql)
    .bind(applicationId)
    .raw<[number]>()
    .then(([row]) => row?.[0])
}
