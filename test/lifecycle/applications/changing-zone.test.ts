import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rebuildColumns } from '../../../src/commands/account/partitionings.ts'
import type { TargetDatabases } from '../../../src/commands/database.ts'
import { erase } from '../../../src/lifecycle/erasure/begin.ts'
import { changePartitionings } from '../../../src/lifecycle/partitionings/promoting.ts'
import { openTomorrow } from '../../../src/questions/rollups/wake.ts'
import { bindingOf } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { generationOf, type Partitioning } from '../../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { segmentationPath } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { createKey, getJson, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { figuresOf, type PlainEvent } from '../../support/figures-oracle.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { readAllChanges } from '../../support/objects.ts'
import { place, placements, spreadOver } from '../../support/placement.ts'
import { dateOf, daysUntil } from '../../support/series-oracle.ts'
import { dayIn, ZONES } from '../../support/zones.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const NOW = Date.now()
const DAYS = 40
const db = openDatabase(env.DB)

/** Around every midnight there is: on the hour and half an hour, a moment before or at it. */
const moment = fc
  .record({
    daysAgo: fc.integer({ min: 0, max: DAYS - 2 }),
    halfHour: fc.integer({ min: 0, max: 47 }),
    ms: fc.constantFrom(-1, 0, 1, 60_000),
  })
  .map(({ daysAgo, halfHour, ms }) => {
    const time = Math.floor(NOW / DAY_MS - daysAgo) * DAY_MS + halfHour * 30 * MINUTE_MS + ms
    return time > NOW ? time - DAY_MS : time
  })

const events: fc.Arbitrary<PlainEvent[]> = fc.uniqueArray(
  fc.record({
    event_type: fc.constantFrom('a', 'b'),
    telegram_id: fc.integer({ min: 1, max: 6 }),
    datetime: moment,
    is_premium: fc.boolean(),
  }),
  { minLength: 8, maxLength: 24, selector: ({ telegram_id, datetime }) => `${telegram_id} ${datetime}` },
)

/** What happens while the objects read by the days of the next zone. */
const MEANWHILE = ['nothing', 'erase', 'rebuild', 'open tomorrow', 'give up first', 'other zone first'] as const

const change = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  meanwhile: fc.constantFrom(...MEANWHILE),
  /** Or while the last one is still to be dropped. */
  isLater: fc.boolean(),
})

const life = fc.constantFrom(1, 1, 4).chain((count) =>
  fc.record({
    count: fc.constant(count),
    databases: placements(count),
    events,
    changes: fc.array(change, { minLength: 2, maxLength: 3 }),
  }),
)

interface Living extends PlainApplication {
  /** The events that are stored. */
  readonly stored: PlainEvent[]
  /** The zone whose days answers are by. */
  timeZone: string
}

it('answers by the days of the old zone until everything is read by those of the new one, whatever happens meanwhile', async () => {
  await holds(
    fc.asyncProperty(life, async ({ count, databases, events, changes }) => {
      const living: Living = { ...(await createPlainApplication()), stored: [], timeZone: 'UTC' }
      if (count === 1) await place(living.applicationId, databases)
      else await spreadOver(living.applicationId, count, databases)
      const waiting = [...events]
      const portion = Math.ceil(events.length / (changes.length * 2 + 1))
      const send = async () => {
        const more = waiting.splice(0, portion)
        if (more.length > 0) await deliver(messagesOf(living.applicationId, more))
        living.stored.push(...more)
      }
      await send()
      await readAllChanges(await servingOf(living))
      await expectAnswers(living, await newKey(living))
      for (const changing of changes) await changeTo(living, changing, send)
    }),
    { atLeast: 1, atMost: 25, endOnFailure: true },
  )
})

type Changing = typeof change extends fc.Arbitrary<infer C> ? C : never

async function changeTo(living: Living, { timeZone, meanwhile, isLater }: Changing, send: () => Promise<void>) {
  if ((await countOthers(living)) > 1) await runCron(Date.now() + 11 * MINUTE_MS)
  const before = await servingOf(living)
  const known = await newKey(living)
  if (meanwhile === 'other zone first') await patchZone(living, 'Asia/Tokyo')
  if (meanwhile === 'give up first') {
    await patchZone(living, timeZone)
    expect(await patchZone(living, living.timeZone)).toEqual({ time_zone: living.timeZone, time_zone_next: null })
    await runCron()
  }
  const isSame = timeZone === living.timeZone
  const expected = { time_zone: living.timeZone, time_zone_next: isSame ? null : timeZone }
  expect(await patchZone(living, timeZone)).toEqual(expected)
  expect(await patchZone(living, timeZone)).toEqual(expected)
  if (isSame) return
  const after = await fillingOf(living)
  expect(generationOf(after.objects)).toBeGreaterThan(generationOf(before.objects))
  await send()
  await happen(living, meanwhile)
  await readAllChanges(before)
  await expectAnswers(living, known)
  await readAllChanges(after)
  await expectAnswers(living, await newKey(living))
  expect(await promotedBy(living, before)).toBe(true)
  await send()
  await readAllChanges(before)
  await readAllChanges(after)
  // Some still know the key with the partitioning that was, and with its zone.
  await expectActivity(living, known)
  living.timeZone = timeZone
  expect(await zonesOf(living)).toEqual({ time_zone: timeZone, time_zone_next: null })
  await expectAnswers(living, await newKey(living))
  if (!isLater) return
  await runCron(Date.now() + 11 * MINUTE_MS)
  expect(await countTraces(before)).toBe(0)
  await expectAnswers(living, await newKey(living))
}

/** Opens databases as a command does. */
const open = ((number: number) => openDatabase(bindingOf(env, number))) as unknown as TargetDatabases

async function happen(living: Living, meanwhile: Changing['meanwhile']): Promise<void> {
  const { applicationId } = living
  if (meanwhile === 'erase') {
    const telegramId = living.stored[0]?.telegram_id ?? 1
    await erase({ applicationId, telegramId, block: undefined }, { env, now: Date.now() })
    await workOnJobs(applicationId)
    living.stored.splice(0, living.stored.length, ...living.stored.filter((event) => event.telegram_id !== telegramId))
  }
  if (meanwhile === 'rebuild') await rebuildColumns(open, living.handle)
  if (meanwhile === 'open tomorrow') await openTomorrow({ db, namespace: env.APPLICATIONS, now: Date.now() })
}

/** Everything that is by day, against counting events one by one in the zone. */
async function expectAnswers(living: Living, key: string): Promise<void> {
  const { handle, stored, timeZone } = living
  await expectActivity(living, key)
  const days = daysUntil(dayIn(Date.now(), timeZone), DAYS)
  const figures = days.map((day) => ({ date: dateOf(day), ...figuresOf(day, stored, timeZone) }))
  const { timeseries_data } = await getDirectly<{ timeseries_data: object }>(
    `/monthly-active-users/timeseries/${handle}?days=${DAYS}`,
    key,
  )
  expect(Object.entries(timeseries_data)).toEqual(figures.map((day) => [day.date, day.monthly_active_users]))
  const { data } = await getDirectly<{ data: { date: string }[] }>(`/enterprise/${handle}/premium-timeseries`, key)
  expect(data.slice(-DAYS)).toEqual(
    figures.map(({ date, premium_users, non_premium_users }) => {
      return { date: `${date}T00:00:00Z`, premium_users, non_premium_users }
    }),
  )
  const growth = await getDirectly<{ data: object }>(`/monthly-active-users/growth-trend/${handle}`, key)
  const usersOn = (ago: number) => figures.at(-1 - ago)?.monthly_active_users
  const [today_users, yesterday_users, week_ago_users, month_ago_users] = [0, 1, 7, 30].map(usersOn)
  expect(growth.data).toMatchObject({ today_users, yesterday_users, week_ago_users, month_ago_users })
}

/** What the objects of the partitioning answer that a key is known with. */
async function expectActivity({ stored, timeZone }: Living, key: string): Promise<void> {
  const to = dayIn(Date.now(), timeZone)
  const period = { from: to - DAYS + 1, to }
  const path = segmentationPath({ event: '_active', mode: 'uniques', filters: [], groupBy: [], ...period })
  const answer = await getJson(path, key)
  expect([answer.status, answer.headers.get('time-zone')]).toEqual([200, timeZone])
  const { yValues } = await answer.json<{ yValues: { data: number[] }[] }>()
  const days = daysUntil(to, DAYS)
  expect(yValues[0]?.data ?? days.map(() => 0)).toEqual(
    days.map((day) => figuresOf(day, stored, timeZone).active_users),
  )
}

async function patchZone({ handle, key }: PlainApplication, time_zone: string) {
  const answer = await sendJson('PATCH', `/applications/${handle}`, { key, body: { time_zone } })
  expect(answer.status).toBe(200)
  const { data } = await answer.json<{ data: { time_zone: string; time_zone_next: string | null } }>()
  return { time_zone: data.time_zone, time_zone_next: data.time_zone_next }
}

async function zonesOf({ handle, key }: PlainApplication) {
  const answer = await getJson(`/applications/${handle}`, key)
  const { data } = await answer.json<{ data: { time_zone: string; time_zone_next: string | null } }>()
  return { time_zone: data.time_zone, time_zone_next: data.time_zone_next }
}

async function newKey({ accountId, applicationId }: PlainApplication): Promise<string> {
  return createKey(accountId, 'full', applicationId)
}

async function servingOf({ applicationId }: PlainApplication): Promise<Partitioning> {
  const serving = env.DB.prepare('select objects from applications where id = ?').bind(applicationId)
  return { applicationId, objects: (await serving.first<number>('objects')) ?? Number.NaN }
}

async function fillingOf({ applicationId }: PlainApplication): Promise<Partitioning> {
  const filling = env.DB.prepare(`select l.objects from layouts as l join applications as a on a.id = l.application_id
    where l.application_id = ? and l.retired_at is null and l.objects <> a.objects`)
  return { applicationId, objects: (await filling.bind(applicationId).first<number>('objects')) ?? Number.NaN }
}

/** Partitionings that are still to be dropped. */
async function countOthers({ applicationId }: PlainApplication): Promise<number> {
  const others = env.DB.prepare('select count(*) as n from layouts where application_id = ? and retired_at is not null')
  return (await others.bind(applicationId).first<number>('n')) ?? Number.NaN
}

function runCron(now = Date.now()) {
  return changePartitionings({ env, db, namespace: env.APPLICATIONS, now })
}

async function promotedBy(living: PlainApplication, before: Partitioning): Promise<boolean> {
  await runCron()
  return (await servingOf(living)).objects !== before.objects
}

/** Rows that the directory still has of a partitioning. */
async function countTraces({ applicationId, objects }: Partitioning): Promise<number> {
  const counts = ['layouts', 'changes', 'daily_figures'].map((table) =>
    env.DB.prepare(`select count(*) as n from ${table} where application_id = ? and objects = ?`)
      .bind(applicationId, objects)
      .first<number>('n'),
  )
  return (await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0)
}
