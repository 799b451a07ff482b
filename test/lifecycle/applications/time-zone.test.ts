import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { calendarOf } from '../../../src/base/time/calendar.ts'
import { partition } from '../../../src/commands/account/partitionings.ts'
import type { TargetDatabases } from '../../../src/commands/database.ts'
import { addMove } from '../../../src/lifecycle/moves/move.ts'
import { changePartitionings } from '../../../src/lifecycle/partitionings/promoting.ts'
import { beginFilling } from '../../../src/lifecycle/partitionings/sql.ts'
import { beginRetaining } from '../../../src/lifecycle/retention/due.ts'
import { bindingOf } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { createAccount, getJson, postJson, registrationOf, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { readAllChanges, within } from '../../support/objects.ts'
import { place, spreadOver } from '../../support/placement.ts'
import { dayIn } from '../../support/zones.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const db = openDatabase(env.DB)

/** Opens databases as a command does. */
const open = ((number: number) => openDatabase(bindingOf(env, number))) as unknown as TargetDatabases

it.each([
  ['Asia/Jakarta', 'Asia/Jakarta'],
  ['asia/jakarta', 'Asia/Jakarta'],
  ['Etc/UTC', 'UTC'],
  [undefined, 'UTC'],
])(
  'an application that is registered with the time zone %s counts by the days of %s from its first event on',
  async (asked, timeZone) => {
    const { key } = await createAccount()
    const handle = `bot_${randomUUID().slice(0, 8)}`
    const registered = await postJson('/applications/register', key, { ...registrationOf(handle), time_zone: asked })
    expect(registered.status).toBe(200)
    const { project_id } = await registered.json<{ project_id: string }>()
    expect(await zonesOf(handle, key)).toEqual([timeZone, null])
    const { id: applicationId, objects } = await rowOf(handle)
    await deliver(messagesOf(applicationId, [{ event_type: 'a', telegram_id: 1, datetime: Date.now() }]))
    await readAllChanges({ applicationId, objects })
    const answer = await getJson(`/monthly-active-users/timeseries/${handle}?days=2`, key)
    const { timeseries_data } = await answer.json<{ timeseries_data: Record<string, number> }>()
    const today = new Date(dayIn(Date.now(), timeZone) * 24 * HOUR_MS).toISOString().slice(0, 10)
    expect([project_id.length, Object.keys(timeseries_data).at(-1), timeseries_data[today]]).toEqual([36, today, 1])
  },
)

it('registering a handle again keeps its time zone, and changes it if the request names another one', async () => {
  const { key } = await createAccount()
  const handle = `bot_${randomUUID().slice(0, 8)}`
  const register = (body: object) => postJson('/applications/register', key, { ...registrationOf(handle), ...body })
  await register({ time_zone: 'Asia/Kolkata' })
  await register({})
  expect(await zonesOf(handle, key)).toEqual(['Asia/Kolkata', null])
  await register({ time_zone: 'Europe/Berlin' })
  expect(await zonesOf(handle, key)).toEqual(['Asia/Kolkata', 'Europe/Berlin'])
})

it.each(['Mars/Olympus', '+03:00', '', 'UTC+3', 7, null])('%j is no time zone', async (time_zone) => {
  const { handle, key } = await createPlainApplication()
  const patched = await patch({ handle, key }, time_zone)
  const registered = await postJson('/applications/register', key, { ...registrationOf(`${handle}_2`), time_zone })
  for (const answer of [patched, registered]) {
    expect(answer.status).toBe(422)
    const { detail } = await answer.json<{ detail: { loc: string[] }[] }>()
    expect(detail.map(({ loc }) => loc)).toEqual([['body', 'time_zone']])
  }
  expect(await zonesOf(handle, key)).toEqual(['UTC', null])
})

it('naming the zone that an application has, or that is being prepared, changes nothing', async () => {
  const application = await createPlainApplication()
  expect((await patch(application, 'UTC')).status).toBe(200)
  expect(await layoutsOf(application)).toEqual([])
  await patch(application, 'Asia/Tokyo')
  const layouts = await layoutsOf(application)
  expect(layouts).toEqual([
    { objects: 1, time_zone: 'UTC', isRetired: 0 },
    { objects: 33, time_zone: 'Asia/Tokyo', isRetired: 0 },
  ])
  expect((await patch(application, 'Asia/Tokyo')).status).toBe(200)
  expect(await layoutsOf(application)).toEqual(layouts)
})

it('one of two zones that are set at the same time is prepared, in every database', async () => {
  for (let round = 0; round < 3; round += 1) {
    const application = await createPlainApplication()
    await spreadOver(application.applicationId, 4, [2, 3])
    const zones = ['Asia/Tokyo', 'Europe/Berlin', 'Asia/Tokyo']
    const answers = await Promise.all(zones.map((zone) => patch(application, zone)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const [zone, next] = await zonesOf(application.handle, application.key)
    expect([zone, zones.includes(next ?? '')]).toEqual(['UTC', true])
    const filled = (await layoutsOf(application)).find(({ isRetired, objects }) => isRetired === 0 && objects !== 4)
    for (const binding of [env.ACTIVITY_2, env.ACTIVITY_3]) {
      expect(await layoutsOf(application, binding)).toContainEqual({ ...filled, time_zone: next })
    }
  }
})

it('naming the current zone cancels a change, and its remains are dropped', async () => {
  const application = await createPlainApplication()
  await patch(application, 'Asia/Tokyo')
  await patch(application, 'UTC')
  expect(await zonesOf(application.handle, application.key)).toEqual(['UTC', null])
  await readAllChanges({ ...application, objects: 33 })
  await runCron()
  expect(await zonesOf(application.handle, application.key)).toEqual(['UTC', null])
  await runCron(11)
  expect(await layoutsOf(application)).toEqual([{ objects: 1, time_zone: 'UTC', isRetired: 0 }])
})

it('waits for another number of objects, for a move, and for what several changes left', async () => {
  const [spread, moved, changed] = [
    await createPlainApplication(),
    await createPlainApplication(),
    await createPlainApplication(),
  ]
  await partition(open, spread.handle, 4)
  await addMove(db, { applicationId: moved.applicationId, from: [1], to: [2], now: Date.now() })
  for (const zone of ['Asia/Tokyo', 'UTC', 'Asia/Tokyo', 'UTC', 'Asia/Tokyo', 'UTC']) await patch(changed, zone)
  for (const [application, sentence] of [
    [spread, 'number of objects'],
    [moved, 'moved to another database'],
    [changed, '15 minutes'],
  ] as const) {
    const details = await sendJson('PATCH', `/applications/${application.handle}`, {
      key: application.key,
      body: { time_zone: 'Asia/Jakarta', name: 'Other' },
    })
    const again = { ...registrationOf(application.handle), name: 'Other', time_zone: 'Asia/Jakarta' }
    for (const answer of [details, await postJson('/applications/register', application.key, again)]) {
      expect(answer.status).toBe(409)
      expect(await answer.text()).toContain(sentence)
    }
    const row = await getJson(`/applications/${application.handle}`, application.key)
    expect(await row.json()).toMatchObject({ data: { name: 'Lemon Shop', time_zone: 'UTC', time_zone_next: null } })
  }
  await runCron(11)
  expect((await patch(changed, 'Asia/Tokyo')).status).toBe(200)
})

it('a move takes the time zone along', async () => {
  const application = await createPlainApplication()
  const { applicationId, handle, key } = application
  await spreadOver(applicationId, 34, [1], 'Asia/Tokyo')
  // 23:30 and 00:30 of a day in Tokyo.
  const midnight = calendarOf('Asia/Tokyo').startOf(dayIn(Date.now(), 'Asia/Tokyo'))
  await deliver(messagesOf(applicationId, [visit(1, midnight - HOUR_MS / 2), visit(2, midnight - 1)]))
  await readAllChanges({ applicationId, objects: 34 })
  await addMove(db, { applicationId, from: [1], to: [2, 3], now: Date.now() })
  await workOnJobs(applicationId)
  for (const binding of [env.ACTIVITY_2, env.ACTIVITY_3]) {
    expect(await layoutsOf(application, binding)).toEqual([{ objects: 34, time_zone: 'Asia/Tokyo', isRetired: 0 }])
  }
  await deliver(messagesOf(applicationId, [visit(3, midnight), visit(4, midnight - 1)]))
  await readAllChanges({ applicationId, objects: 34 })
  const answer = await getJson(`/enterprise/${handle}/premium-timeseries`, key)
  const { data } = await answer.json<{ data: { non_premium_users: number }[] }>()
  expect(data.slice(-3).map((day) => day.non_premium_users)).toEqual([0, 3, 1])
  await patch(application, 'UTC')
  await readAllChanges({ applicationId, objects: 66 })
  await runCron()
  expect(await rowOf(handle)).toMatchObject({ objects: 66, time_zone: 'UTC' })
})

it('another number of objects keeps the time zone, and waits for another zone', async () => {
  const application = await createPlainApplication()
  const { applicationId, handle } = application
  await spreadOver(applicationId, 65, [1], 'Asia/Tokyo')
  await expect(partition(open, handle, 1)).rejects.toThrow('over 1 object already')
  await partition(open, handle, 2)
  await readAllChanges({ applicationId, objects: 66 })
  await runCron()
  expect(await rowOf(handle)).toMatchObject({ objects: 66, time_zone: 'Asia/Tokyo' })
  await runCron(11)
  await patch(application, 'Europe/Berlin')
  await expect(partition(open, handle, 4)).rejects.toThrow('days of Europe/Berlin right now')
  expect((await layoutsOf(application)).map(({ objects }) => objects)).toEqual([66, 98])
})

it('cron adds a zone in the databases that a request which was cut off did not get to', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  await place(applicationId, [2])
  const events = [1, 2].map((user) => ({ event_type: 'a', telegram_id: user, datetime: Date.now() }))
  await deliver(messagesOf(applicationId, events))
  await readAllChanges({ applicationId, objects: 1 })
  const filled = { applicationId, objects: 33, timeZone: 'Asia/Tokyo', serving: 1, servingZone: 'UTC', databases: [2] }
  await db.batch(beginFilling(db, filled, [], Date.now()))
  await runCron()
  expect(await layoutsOf(application, env.ACTIVITY_2)).toEqual([
    { objects: 1, time_zone: 'UTC', isRetired: 0 },
    { objects: 33, time_zone: 'Asia/Tokyo', isRetired: 0 },
  ])
  expect(await rowOf(application.handle)).toMatchObject({ objects: 1 })
  await readAllChanges({ applicationId, objects: 33 })
  await runCron()
  expect(await rowOf(application.handle)).toMatchObject({ objects: 33, time_zone: 'Asia/Tokyo' })
})

it('an object forgets what it read by the days of another zone, where a restored database has another one', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const key = { applicationId, objects: 33, part: 0 }
  await spreadOver(applicationId, 33, [1], 'Asia/Tokyo')
  await deliver(messagesOf(applicationId, [{ event_type: 'a', telegram_id: 1, datetime: Date.now() }]))
  await readAllChanges(key)
  const zoneOf = () =>
    within(key, (_, { sql }) => String(sql.exec("select value from notes where name = 'time zone'").one().value))
  expect(await zoneOf()).toContain('Asia/Tokyo')
  await env.DB.batch(
    [
      'update layouts set time_zone = ? where application_id = ?',
      'update applications set time_zone = ? where id = ?',
    ].map((update) => env.DB.prepare(update).bind('Europe/Berlin', applicationId)),
  )
  await readAllChanges(key)
  expect(await zoneOf()).toContain('Europe/Berlin')
  expect(await within(key, (object) => object.heldEvents(key))).toBe(1)
})

it.each(['America/Los_Angeles', 'Asia/Tokyo', 'Asia/Kolkata'])(
  'events are kept from the moment at which a day of %s begins',
  async (timeZone) => {
    const application = await createPlainApplication()
    const { applicationId } = application
    await spreadOver(applicationId, 34, [1, 2], timeZone)
    await env.DB.prepare('update applications set keep_months = 2 where id = ?').bind(applicationId).run()
    const now = Date.parse('2026-08-15T20:00:00Z')
    // 15 August in Los Angeles, 16 August in the two others.
    const since = calendarOf(timeZone).startOf(
      Date.parse(timeZone.startsWith('America') ? '2026-06-15' : '2026-06-16') / (24 * HOUR_MS),
    )
    const around = [-24 * HOUR_MS, -1, 0, 1, 24 * HOUR_MS].flatMap((ms) =>
      [1, 2].map((user) => visit(user, since + ms)),
    )
    await deliver(messagesOf(applicationId, around))
    await readAllChanges({ applicationId, objects: 34 })
    await beginRetaining(db, now)
    await workOnJobs(applicationId)
    const kept = around.map(({ datetime }) => datetime).filter((time) => time >= since)
    expect(await timesOf(applicationId)).toEqual(kept.toSorted())
    // Deliveries look the first kept day up anew, as the fences have changed.
    await deliver(messagesOf(applicationId, [visit(1, since - 2), visit(1, since + 2)]))
    expect(await timesOf(applicationId)).toEqual([...kept, since + 2].toSorted())
  },
)

it('the first kept day becomes the first that is whole in the new zone, and the figures of days before stay', async () => {
  const application = await createPlainApplication()
  const { applicationId, handle } = application
  const today = Math.floor(Date.now() / (24 * HOUR_MS))
  const keptFrom = today - 70
  await deliver(
    messagesOf(
      applicationId,
      [80, 60, 45, 41, 35, 2].map((ago) => visit(ago, (today - ago) * 24 * HOUR_MS + HOUR_MS)),
    ),
  )
  await readAllChanges({ applicationId, objects: 1 })
  await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(keptFrom, applicationId).run()
  await readAllChanges({ applicationId, objects: 1 })
  const before = await monthlyOf(applicationId, 1)
  await patch(application, 'Asia/Tokyo')
  await readAllChanges({ applicationId, objects: 33 })
  await runCron()
  // In Tokyo the first kept UTC day begins at nine in the morning: that one is not whole.
  expect(await rowOf(handle)).toMatchObject({ objects: 33, kept_from: keptFrom + 1 })
  const after = await monthlyOf(applicationId, 33)
  const isEarlier = ({ day }: { day: number }) => day < keptFrom + 1 + 30
  expect(after.filter(isEarlier)).toEqual(before.filter(isEarlier))
  await patch(application, 'UTC')
  await readAllChanges({ applicationId, objects: 65 })
  await runCron()
  expect(await rowOf(handle)).toMatchObject({ objects: 65, time_zone: 'UTC', kept_from: keptFrom + 1 })
})

function visit(user: number, datetime: number) {
  return { event_type: 'a', telegram_id: user, datetime }
}

async function timesOf(applicationId: number): Promise<number[]> {
  const rows = [env.DB, env.ACTIVITY_2].map((binding) =>
    binding.prepare('select time from events where application_id = ?').bind(applicationId).all<{ time: number }>(),
  )
  return (await Promise.all(rows)).flatMap(({ results }) => results.map(({ time }) => time)).toSorted()
}

async function monthlyOf(applicationId: number, objects: number) {
  const figures = env.DB.prepare(
    'select day, monthly_active_users as users from daily_figures where application_id = ? and objects = ? and users > 0 order by day',
  )
  return (await figures.bind(applicationId, objects).all<{ day: number; users: number }>()).results
}

function patch({ handle, key }: Pick<PlainApplication, 'handle' | 'key'>, time_zone: unknown): Promise<Response> {
  return sendJson('PATCH', `/applications/${handle}`, { key, body: { time_zone } })
}

async function zonesOf(handle: string, key: string): Promise<[string, string | null]> {
  const answer = await getJson(`/applications/${handle}`, key)
  const { data } = await answer.json<{ data: { time_zone: string; time_zone_next: string | null } }>()
  return [data.time_zone, data.time_zone_next]
}

async function rowOf(handle: string) {
  const row = await env.DB.prepare('select id, objects, time_zone, kept_from from applications where handle = ?')
    .bind(handle)
    .first<{ id: number; objects: number; time_zone: string; kept_from: number | null }>()
  if (!row) throw new Error(`No application ${handle}`)
  return row
}

async function layoutsOf({ applicationId }: PlainApplication, binding: D1Database = env.DB) {
  const layouts = binding.prepare(
    'select objects, time_zone, retired_at is not null as isRetired from layouts where application_id = ? order by objects',
  )
  return (await layouts.bind(applicationId).all<{ objects: number; time_zone: string; isRetired: number }>()).results
}

function runCron(minutesLater = 0) {
  return changePartitionings({ env, db, namespace: env.APPLICATIONS, now: Date.now() + minutesLater * MINUTE_MS })
}
