import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Store } from '../../src/columns/store.ts'
import { partition } from '../../src/commands/account/partitionings.ts'
import type { TargetDatabases } from '../../src/commands/database.ts'
import { addMove } from '../../src/lifecycle/moves/move.ts'
import { changePartitionings } from '../../src/lifecycle/partitionings/promoting.ts'
import {
  addPartitionings,
  beginFilling,
  dropPartitioning,
  giveUpPartitioning,
  markAllTime,
  promote,
  selectUnread,
} from '../../src/lifecycle/partitionings/sql.ts'
import { ColumnsSync } from '../../src/object/columns-sync.ts'
import { FairQueue } from '../../src/object/fair-queue.ts'
import { readGrowth } from '../../src/questions/growth-trend/growth-trend.ts'
import { acknowledge, FORGETTING } from '../../src/questions/rollups/changes.ts'
import { bindingOf } from '../../src/storage/activity.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { keysOf, nameOfObject, type ObjectKey, type Partitioning } from '../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { segmentationPath } from '../support/asking.ts'
import { holds } from '../support/cases.ts'
import { createKey, getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { getDirectly } from '../support/direct-request.ts'
import type { SentEvent } from '../support/event-history.ts'
import { storedKeyOf } from '../support/event-keys.ts'
import { databaseAway } from '../support/failures.ts'
import { orderInstantsBy } from '../support/filter-oracle.ts'
import { askedSegmentations } from '../support/made-up-questions.ts'
import { readAllChanges, stubOf } from '../support/objects.ts'
import { place } from '../support/placement.ts'
import { answerSegmentation } from '../support/segmentation-oracle.ts'

orderInstantsBy(storedKeyOf)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const db = openDatabase(env.DB)

it('answers the same while users are spread over 1, 2, 4 and again 1 objects and events arrive', async () => {
  await holds(
    fc.asyncProperty(askedSegmentations({ questions: 4 }), async ({ history: { events }, asked }) => {
      const application = await createPlainApplication()
      const sent: SentEvent[] = []
      const send = async () => {
        const more = events.slice(sent.length, sent.length + Math.ceil(events.length / 7))
        if (more.length > 0) await deliver(messagesOf(application.applicationId, more))
        sent.push(...more)
      }
      const check = async (key: string) => {
        for (const { question, path } of asked) {
          expect(await getDirectly(path, key), path).toEqual(answerSegmentation(sent, question))
        }
      }
      await send()
      await readAllChanges({ ...application, objects: 1 })
      await check(application.key)
      for (const [from, to] of [
        [1, 2],
        [2, 4],
        [4, 1],
      ] as const)
        await change(application, { from, to, send, check })
    }),
    { atLeast: 1, atMost: 12, endOnFailure: true },
  )
})

interface Change {
  readonly from: number
  readonly to: number
  readonly send: () => Promise<void>
  readonly check: (key: string) => Promise<void>
}

/** From one number of objects to another, step by step: cron does what it does after each. */
async function change(application: PlainApplication, { from, to, send, check }: Change): Promise<void> {
  const { applicationId } = application
  const [before, after] = [
    { applicationId, objects: from },
    { applicationId, objects: to },
  ]
  const known = await newKey(application)
  await addNew(after)
  await send()
  await readAllChanges(before)
  await check(known)
  // On a busy machine the alarms of the new objects have rung by now: then they have read everything already.
  const { promoted } = await runCron()
  await readAllChanges(after)
  expect(await runCron()).toEqual({ promoted: 1 - promoted, dropped: 0 })
  await send()
  await readAllChanges(before)
  await readAllChanges(after)
  // Some still know the key with the number that was.
  await check(known)
  await check(await newKey(application))
  const figures = await readFigures(before)
  expect(await readFigures(after)).toEqual(figures)
  const overviews = await readOverviews(application)
  expect(overviews).toMatchObject([{ status_code: 200 }, { status_code: 200 }, { handle: application.handle }])
  expect(overviews).toEqual(await readOverviewsBy(application, from))
  expect(await runCron(Date.now() + 11 * MINUTE_MS)).toEqual({ promoted: 0, dropped: 1 })
  expect(await readTraces(before)).toEqual([])
  await check(await newKey(application))
}

/** Opens databases as a command does. */
const open = ((number: number) => openDatabase(bindingOf(env, number))) as unknown as TargetDatabases

it('accepts one of several concurrent partitionings, and no move at the same time', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { applicationId, handle } = await createPlainApplication()
    await place(applicationId, [2])
    const moving = addMove(db, { applicationId, from: [2], to: [3], now: Date.now() })
    const outcomes = await Promise.allSettled([2, 4, 8, 4].map((objects) => partition(open, handle, objects)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    for (const reason of refused) expect(String(reason)).toMatch(/right now/)
    const isMoving = (await moving).length
    const others = env.DB.prepare('select count(*) as n from layouts where application_id = ? and objects > 1')
    const accepted = (await others.bind(applicationId).first<number>('n')) ?? Number.NaN
    expect(isMoving + accepted).toBe(1)
  }
})

it('lets an interrupted command be repeated', async () => {
  const { applicationId, handle } = await createPlainApplication()
  await place(applicationId, [2])
  const broken = ((number: number) => {
    if (number === 2) throw new Error('away')
    return open(number)
  }) as TargetDatabases
  const isFree = { applicationId, objects: 2, timeZone: 'UTC', serving: 1, servingZone: 'UTC', databases: [2] }
  await db.batch(beginFilling(db, isFree, [], Date.now()))
  await expect(partition(broken, handle, 2)).rejects.toThrow('away')
  await expect(partition(open, handle, 4)).rejects.toThrow('over 2 objects right now')
  await partition(open, handle, 2)
  expect(await selectUnread(open(2), applicationId)).toMatchObject([{ objects: 2, reading: 2 }])
  await expect(partition(open, handle, 2)).rejects.toThrow('over 2 objects right now')
})

it('a late cron run drops nothing of a partitioning that is in use again', async () => {
  const { applicationId, handle } = await createPlainApplication()
  await place(applicationId, [2])
  await partition(open, handle, 2)
  await partition(open, handle, 1)
  const now = Date.now() + 11 * MINUTE_MS
  const drop = (bindings: Partial<Env> = {}) =>
    changePartitionings({ env: { ...env, ...bindings }, db, namespace: env.APPLICATIONS, now })
  const prepare = (query: string) => env.ACTIVITY_2.prepare(query)
  let isUsedAgain = false
  const batch = async (statements: D1PreparedStatement[]) => {
    if (!isUsedAgain) {
      isUsedAgain = true
      await drop()
      await partition(open, handle, 2)
    }
    return env.ACTIVITY_2.batch(statements)
  }
  await drop({ ACTIVITY_2: { prepare, batch } as unknown as D1Database } as Partial<Env>)
  expect(isUsedAgain).toBe(true)
  expect(await selectUnread(open(2), applicationId)).toMatchObject([{ objects: 2, reading: 2 }])
})

it('takes over when every object has read everything and few changes are pending', async () => {
  const { applicationId } = await createFilled([1, 2, 3])
  const partitioning = { applicationId, objects: 4 }
  await addNew(partitioning)
  for (const key of keysOf(partitioning)) {
    expect(await runCron()).toEqual({ promoted: 0, dropped: 0 })
    await stubOf(key).readChanges(key)
  }
  await deliver(messagesOf(applicationId, [visit(4)]))
  expect(await runCron(Date.now() + 2 * MINUTE_MS)).toEqual({ promoted: 0, dropped: 0 })
  expect(await runCron()).toEqual({ promoted: 1, dropped: 0 })
  expect(await runCron()).toEqual({ promoted: 0, dropped: 0 })
})

it('an object counts as filled only when it can answer, however many changes are pending', async () => {
  const { applicationId } = await createPlainApplication()
  await deliver(messagesOf(applicationId, [visit(1)]))
  const key = { applicationId, objects: 1, part: 0 }
  await rebuild({ applicationId, objects: 1 })
  const change = `insert into changes with recursive h as (select 1 as hour union all select hour + 1 from h limit 2100)
    select ?, 1, 0, hour, 1, hour, hour, 1, 0, null from h`
  await env.DB.prepare(change).bind(applicationId).run()
  await runInDurableObject(stubOf(key), async (_, { storage }) => {
    const store = new Store(storage)
    store.clear()
    const sync = new ColumnsSync({ store, key, queue: new FairQueue() })
    while (await sync.run({ db, number: 1, directory: db, keptFrom: null, now: Date.now() }))
      expect(await isReading(applicationId)).toBe(true)
    expect(sync.asOf).not.toBeNull()
  })
  expect(await isReading(applicationId)).toBe(false)
})

it('figures-as-of stays where it is while one run does not get to all changes', async () => {
  const { applicationId } = await createPlainApplication()
  await deliver(messagesOf(applicationId, [visit(1)]))
  const key = { applicationId, objects: 1, part: 0 }
  await runInDurableObject(stubOf(key), async (_, { storage }) => {
    const store = new Store(storage)
    store.clear()
    const sync = new ColumnsSync({ store, key, queue: new FairQueue() })
    const run = (now: number) => sync.run({ db, number: 1, directory: db, keptFrom: null, now })
    while (await run(1_000));
    const change = `insert into changes with recursive h as (select 1 as hour union all select hour + 1 from h limit 5000)
      select ?, 1, 0, hour, 1, hour, hour, 1, 0, null from h`
    await env.DB.prepare(change).bind(applicationId).run()
    expect([await run(2_000), sync.asOf]).toEqual([true, 1_000])
    expect([await run(3_000), sync.asOf]).toEqual([false, 3_000])
  })
})

it('figures-as-of is earlier than events that new objects have not read yet', async () => {
  const application = await createFilled([1, 2, 3])
  const partitioning = { ...application, objects: 2 }
  await addNew(partitioning)
  await readAllChanges(partitioning)
  await deliver(messagesOf(application.applicationId, [visit(4)]))
  const stored = Date.now()
  await runCron()
  const answer = await getJson(ACTIVE_TODAY, await newKey(application))
  expect(Date.parse(answer.headers.get('figures-as-of') ?? '')).toBeLessThanOrEqual(stored)
  expect(await activeToday(application)).toBe(3)
})

it('drops a partitioning only after all its objects dropped their data, and new events refill none of them', async () => {
  const application = await createSpread([1, 2, 3, 4], [1, 2])
  const { applicationId } = application
  await addNew({ applicationId, objects: 1 })
  await readAllChanges({ applicationId, objects: 1 })
  await runCron()
  const later = Date.now() + 11 * MINUTE_MS
  expect(
    await changePartitionings({ env, db, namespace: failingFor(`${applicationId}/2/1`), now: later }),
  ).toMatchObject({
    dropped: 0,
  })
  await deliver(messagesOf(applicationId, [visit(5), visit(6)]))
  await readAllChanges({ applicationId, objects: 2 })
  const [first, second] = keysOf({ applicationId, objects: 2 }) as [ObjectKey, ObjectKey]
  expect([await countSegments(first), await countSegments(second)]).toEqual([0, 1])
  expect(await runCron(later)).toEqual({ promoted: 0, dropped: 1 })
  await wakeAndRun(second)
  expect(await readTraces({ applicationId, objects: 2 })).toEqual([])
  await readAllChanges({ applicationId, objects: 1 })
  expect(await activeToday(application)).toBe(6)
})

it('late writes do not outlive their partitioning', async () => {
  const { applicationId } = await createSpread([1, 2], [1, 2])
  const counts = { activeUsers: 1, monthlyActiveUsers: 1, newUsers: 1, premiumUsers: 0, nonPremiumUsers: 1, events: 1 }
  const figures = { figures: [{ day: 20_000, ...counts }], monthly: [], changes: [], asOf: 0 }
  await acknowledge({ db, directory: db }, { applicationId, objects: 1, part: 0 }, figures)
  expect(await readTraces({ applicationId, objects: 1 })).toEqual([])
  await acknowledge({ db, directory: db }, { applicationId, objects: 2, part: 0 }, figures)
  expect(await readFigures({ applicationId, objects: 2 })).toContainEqual({ day: 20_000, ...counts })
})

it('a late drop keeps a partitioning that is in use again', async () => {
  const { applicationId } = await createFilled([1, 2])
  const partitioning = { applicationId, objects: 2 }
  await addNew(partitioning)
  await readAllChanges(partitioning)
  await deliver(messagesOf(applicationId, [visit(3), visit(4)]))
  await db.batch(dropPartitioning(db, partitioning))
  expect((await readTraces(partitioning)).slice(0, 3)).toEqual(['layouts', 'changes', 'daily_figures'])
})

it('a late drop keeps the columns of an object that is in use again', async () => {
  const application = await createFilled([1, 2])
  const key = { applicationId: application.applicationId, objects: 1, part: 0 }
  await stubOf(key).retire(key)
  expect(await countSegments(key)).toBe(1)
})

it('the object named like its application keeps the usage of quotas', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const key = { applicationId, objects: 1, part: 0 }
  const use = { share: 'client', events: 5, bytes: 70 } as const
  await stubOf(key).countUse({ applicationId, day: 20_000 }, use)
  await spreadOver(application, [1, 2])
  const kept = await runInDurableObject(stubOf(key), (_, { storage }) => storage.list())
  expect([...kept.keys()]).toEqual(['quotas'])
  expect(kept.get('quotas')).toMatchObject({ day: 20_000, client: { events: 5, bytes: 70 } })
})

it('a partitioning that is canceled while filling never takes over', async () => {
  const application = await createFilled([1, 2, 3])
  const partitioning = { applicationId: application.applicationId, objects: 8 }
  await addNew(partitioning)
  await readAllChanges(partitioning)
  const now = Date.now()
  await giveUpPartitioning(db, { ...partitioning, now })
  await db.batch(promote(db, { ...partitioning, timeZone: 'UTC', serving: 1, keptFrom: null, keptFromThen: null, now }))
  expect(await runCron()).toEqual({ promoted: 0, dropped: 0 })
  expect(await runCron(now + 11 * MINUTE_MS)).toEqual({ promoted: 0, dropped: 1 })
  expect(await readTraces(partitioning)).toEqual([])
  expect(await activeToday(application)).toBe(3)
})

it('keeps a partitioning whose database is unavailable for later, and drops the others', async () => {
  const [application, other] = [await createFilled([1]), await createFilled([1])]
  const partitionings = [application, other].map(({ applicationId }) => ({ applicationId, objects: 8 }))
  const now = Date.now()
  for (const partitioning of partitionings) {
    await addNew(partitioning)
    await giveUpPartitioning(db, { ...partitioning, now })
  }
  await place(application.applicationId, [2])
  const away = { env: { ...env, ACTIVITY_2: databaseAway() }, db, namespace: env.APPLICATIONS }
  const later = now + 11 * MINUTE_MS
  expect(await changePartitionings({ ...away, now: later })).toEqual({ promoted: 0, dropped: 1 })
  expect(await runCron(later)).toEqual({ promoted: 0, dropped: 1 })
})

it('copies figures of days without enough stored data unchanged from partitioning to partitioning', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const visits = [1, 2, 3, 4, 5].flatMap((user) =>
    [95, 80, 61, 59, 40, 2].map((ago) => visit(user, TODAY - ago - user)),
  )
  await deliver(messagesOf(applicationId, visits))
  await readAllChanges({ applicationId, objects: 1 })
  const figures = await readFigures({ applicationId, objects: 1 })
  const overviews = await readOverviews(application)
  const keptFrom = TODAY - 61
  await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(keptFrom, applicationId).run()
  await readAllChanges({ applicationId, objects: 1 })
  const drop = env.DB.prepare('delete from events where application_id = ? and time < ?')
  await drop.bind(applicationId, keptFrom * DAY_MS).run()
  await spreadOver(application, [1, 4, 2, 1])
  expect(await readFigures({ applicationId, objects: 1 })).toEqual(figures)
  expect(await readOverviews(application)).toEqual(overviews)
})

it('an object does not overwrite copied figures of days that it still has', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const old = TODAY - 80
  await deliver(messagesOf(applicationId, [visit(1, old), visit(2, old), visit(3, TODAY)]))
  await readAllChanges({ applicationId, objects: 1 })
  const keepFrom = async (day: number | null) => {
    await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(day, applicationId).run()
  }
  await addNew({ applicationId, objects: 2 })
  await readAllChanges({ applicationId, objects: 2 })
  await keepFrom(TODAY - 61)
  expect(await runCron()).toMatchObject({ promoted: 1 })
  const figures = await readFigures({ applicationId, objects: 2 })
  await keepFrom(null)
  await deliver(messagesOf(applicationId, [visit(4, old), visit(5, TODAY)]))
  await readAllChanges({ applicationId, objects: 2 })
  const isOfToday = ({ day }: { day: number }) => day >= TODAY
  const after = await readFigures({ applicationId, objects: 2 })
  expect(after.filter((row) => !isOfToday(row))).toEqual(figures.filter((row) => !isOfToday(row)))
  expect(after.find(isOfToday)).toMatchObject({ activeUsers: 2 })
})

it('the partitioning that answers cannot be canceled', async () => {
  const { applicationId } = await createSpread([1, 2], [1, 2])
  await giveUpPartitioning(db, { applicationId, objects: 2, now: 1 })
  expect(await runCron()).toEqual({ promoted: 0, dropped: 0 })
})

it('rereads everything whenever a command asks for it, and still answers questions', async () => {
  const application = await createSpread([1, 2, 3], [1, 2])
  const { applicationId } = application
  const partitioning = { applicationId, objects: 2 }
  for (const users of [[1, 3], [1], []]) {
    const gone = `delete from events where application_id = ? and telegram_id not in (select value from json_each(?))`
    await env.DB.prepare(gone).bind(applicationId, JSON.stringify(users)).run()
    const asked = await activeToday(application)
    await rebuild({ applicationId, objects: 2 })
    expect(await activeToday(application)).toBe(asked)
    await readAllChanges(partitioning)
    expect(await activeToday(application)).toBe(users.length)
  }
})

async function newKey({ accountId, applicationId }: PlainApplication): Promise<string> {
  return createKey(accountId, 'full', applicationId)
}

function runCron(now = Date.now()) {
  return changePartitionings({ env, db, namespace: env.APPLICATIONS, now })
}

async function addNew(partitioning: Partitioning): Promise<void> {
  const { applicationId, objects } = partitioning
  const serving = await env.DB.prepare('select objects from applications where id = ?')
    .bind(applicationId)
    .first('objects')
  await db.batch([
    addPartitionings(
      db,
      [Number(serving), objects].map((number) => ({ applicationId, objects: number, timeZone: 'UTC' })),
    ),
    markAllTime(db, keysOf(partitioning), { from: FORGETTING, now: Date.now() }),
  ])
}

async function rebuild(partitioning: Partitioning): Promise<void> {
  await markAllTime(db, keysOf(partitioning), { from: 0, now: Date.now() })
}

async function isReading(applicationId: number): Promise<boolean> {
  const [partitioning] = await selectUnread(db, applicationId)
  return partitioning !== undefined && partitioning.reading !== 0
}

/** Wakes an object late and lets it run. */
async function wakeAndRun(key: ObjectKey): Promise<void> {
  await stubOf(key).wake(key)
  await runDurableObjectAlarm(stubOf(key))
}

const NOW = Date.now()
const TODAY = Math.floor(NOW / DAY_MS)

function visit(user: number, day = TODAY) {
  return { event_type: 'a', telegram_id: user, datetime: NOW - (TODAY - day) * DAY_MS }
}

/** An application, one object of which has a visit of each of these users. */
async function createFilled(users: readonly number[]): Promise<PlainApplication> {
  const application = await createPlainApplication()
  await deliver(
    messagesOf(
      application.applicationId,
      users.map((user) => visit(user)),
    ),
  )
  await readAllChanges({ ...application, objects: 1 })
  return application
}

async function createSpread(users: readonly number[], numbers: readonly number[]): Promise<PlainApplication> {
  const application = await createFilled(users)
  await spreadOver(application, numbers)
  return application
}

/** Over each of these numbers of objects, one after the other; nothing of those before is left. */
async function spreadOver({ applicationId }: PlainApplication, numbers: readonly number[]): Promise<void> {
  for (const objects of numbers.slice(1)) {
    await addNew({ applicationId, objects })
    await readAllChanges({ applicationId, objects })
    await runCron()
    await runCron(Date.now() + 11 * MINUTE_MS)
  }
}

const ACTIVE_TODAY = segmentationPath({
  event: '_active',
  mode: 'uniques',
  filters: [],
  groupBy: [],
  from: TODAY,
  to: TODAY,
})

async function activeToday(application: PlainApplication): Promise<number> {
  const answer = await getDirectly<{ yValues: { data: number[] }[] }>(ACTIVE_TODAY, await newKey(application))
  return answer.yValues[0]?.data[0] ?? Number.NaN
}

/** The objects of the test pool, but for one that is away. */
function failingFor(name: string): Env['APPLICATIONS'] {
  const away = { retire: () => Promise.reject(new Error('The object is away')) }
  const getByName = (asked: string) => (asked === name ? away : env.APPLICATIONS.getByName(asked))
  return { getByName } as unknown as Env['APPLICATIONS']
}

async function readFigures({ applicationId, objects }: Partitioning) {
  const sql = `select day, sum(active_users) as activeUsers, sum(monthly_active_users) as monthlyActiveUsers, sum(new_users) as newUsers,
      sum(premium_users) as premiumUsers, sum(non_premium_users) as nonPremiumUsers, sum(events) as events
    from daily_figures where application_id = ? and objects = ? group by day order by day`
  return (await env.DB.prepare(sql).bind(applicationId, objects).all<Record<'day', number>>()).results
}

/** What is read from daily figures. */
async function readOverviews(application: PlainApplication): Promise<unknown[]> {
  const { handle } = application
  const key = await newKey(application)
  const growth = await readGrowth(
    { today: { utc: TODAY, elsewhere: [] }, limit: 1_000, offset: 0 },
    { env, directory: db },
  )
  return [
    await getDirectly(`/enterprise/${handle}/premium-timeseries`, key),
    await getDirectly(`/monthly-active-users/timeseries/${handle}`, key),
    growth.find((entry) => entry.handle === handle),
  ]
}

/** Reads the overviews from the figures of a partitioning that does not answer. */
async function readOverviewsBy(application: PlainApplication, objects: number): Promise<unknown[]> {
  const { applicationId } = application
  const serve = (partitioning: unknown) =>
    env.DB.prepare('update applications set objects = ? where id = ?').bind(partitioning, applicationId).run()
  const serving = await env.DB.prepare('select objects from applications where id = ?')
    .bind(applicationId)
    .first('objects')
  await serve(objects)
  const overviews = await readOverviews(application)
  await serve(serving)
  return overviews
}

/** What the database and the objects still have of a partitioning. */
async function readTraces(partitioning: Partitioning): Promise<string[]> {
  const tables = ['layouts', 'changes', 'daily_figures']
  const rows = tables.map(async (table) => {
    const sql = `select count(*) as n from ${table} where application_id = ? and objects = ?`
    const count = await env.DB.prepare(sql).bind(partitioning.applicationId, partitioning.objects).first<number>('n')
    return count === 0 ? [] : [table]
  })
  const objects = keysOf(partitioning).map(async (key) => ((await countSegments(key)) === 0 ? [] : [nameOfObject(key)]))
  return (await Promise.all([...rows, ...objects])).flat()
}

function countSegments(key: ObjectKey): Promise<number> {
  return runInDurableObject(stubOf(key), (_, { storage }) => {
    const [table] = storage.sql.exec("select 1 from sqlite_schema where name = 'segments'")
    return table ? Number(storage.sql.exec('select count(*) as n from segments').one().n) : 0
  })
}
