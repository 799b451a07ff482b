import { createScheduledController, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { wakeDirty } from '../src/rollups/wake.ts'
import { runJob } from '../src/schedule.ts'
import { openDatabase } from '../src/storage/database.ts'
import { createPlainApplication } from './support/applications.ts'

const EVERY_FIVE_MINUTES = '*/5 * * * *'
const EVERY_SIX_HOURS = '2 */6 * * *'

it('wakes the object of an application whose wake-up was lost', async () => {
  const { applicationId } = await createPlainApplication()
  await env.DB.prepare('insert into dirty_days values (?, 20000, 1, 0)').bind(applicationId).run()
  expect(await alarmOf(applicationId)).toBeNull()
  await runJob(createScheduledController({ cron: EVERY_FIVE_MINUTES }), env)
  expect(await alarmOf(applicationId)).not.toBeNull()
})

it('wakes every one of many applications', async () => {
  const ids = Array.from({ length: 110 }, (_, index) => 1_000_000 + index)
  await env.DB.prepare('insert into dirty_days select value, 20000, 1, 0 from json_each(?)')
    .bind(JSON.stringify(ids))
    .run()
  await runJob(createScheduledController({ cron: EVERY_FIVE_MINUTES }), env)
  const alarms = await Promise.all(ids.map(alarmOf))
  expect(alarms.filter((alarm) => alarm === null)).toEqual([])
})

it('has its turn with every one of more applications than an invocation may call', async () => {
  // The objects that were woken before this test still bring their days right, and would change the list between two calls.
  await env.DB.prepare('delete from dirty_days').run()
  const ids = Array.from({ length: 2_000 }, (_, index) => 2_000_000 + index)
  const insert = env.DB.prepare('insert into dirty_days select value, 20000, 1, 0 from json_each(?)')
  await insert.bind(JSON.stringify(ids)).run()
  const woken = new Set<number>()
  const rollups = {
    getByName: () => ({ wake: async (id: number) => void woken.add(id) }),
  } as unknown as Env['APPLICATIONS']
  for (const minutes of [0, 5, 10]) await wakeDirty({ db: openDatabase(env.DB), rollups, now: minutes * 60_000 })
  await env.DB.prepare('delete from dirty_days where application_id >= ?').bind(ids[0]).run()
  expect(ids.filter((id) => !woken.has(id))).toEqual([])
})

it('asks for the days without figures, up to tomorrow, of an application whose users stay away', async () => {
  const { applicationId } = await createPlainApplication()
  const scheduledTime = new Date('2026-03-01T00:02:00Z')
  const today = Math.floor(scheduledTime.getTime() / 86_400_000)
  await addFigures(applicationId, { day: today - 3, monthlyActiveUsers: 1 })
  await runJob(createScheduledController({ cron: EVERY_SIX_HOURS, scheduledTime }), env)
  expect(await readDirtyDays(applicationId)).toEqual([today - 2])
  expect(await alarmOf(applicationId)).not.toBeNull()
})

it('asks for nothing where nobody was active in a month, or tomorrow is there already', async () => {
  const [quiet, ready] = [await createPlainApplication(), await createPlainApplication()]
  const scheduledTime = new Date('2026-03-01T00:02:00Z')
  const today = Math.floor(scheduledTime.getTime() / 86_400_000)
  await addFigures(quiet.applicationId, { day: today, monthlyActiveUsers: 0 })
  await addFigures(ready.applicationId, { day: today + 1, monthlyActiveUsers: 1 })
  await runJob(createScheduledController({ cron: EVERY_SIX_HOURS, scheduledTime }), env)
  expect(await readDirtyDays(quiet.applicationId)).toEqual([])
  expect(await readDirtyDays(ready.applicationId)).toEqual([])
})

it('refuses a cron expression that it has no job for', async () => {
  await expect(runJob(createScheduledController({ cron: '0 0 1 1 *' }), env)).rejects.toThrow('0 0 1 1 *')
})

function alarmOf(applicationId: number): Promise<number | null> {
  const object = env.APPLICATIONS.getByName(String(applicationId))
  return runInDurableObject(object, (_instance, state) => state.storage.getAlarm())
}

async function addFigures(applicationId: number, figures: { day: number; monthlyActiveUsers: number }): Promise<void> {
  const { day, monthlyActiveUsers } = figures
  const statement = env.DB.prepare('insert into daily_figures values (?, ?, 0, ?, 0, 0, 0, 0, 0)')
  await statement.bind(applicationId, day, monthlyActiveUsers).run()
}

async function readDirtyDays(applicationId: number): Promise<unknown[]> {
  const statement = env.DB.prepare('select day from dirty_days where application_id = ?').bind(applicationId)
  return (await statement.all()).results.map(({ day }) => day)
}
