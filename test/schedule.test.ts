import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { issueLink, LINK_SECONDS, SESSION_SECONDS } from '../src/access/sessions.ts'
import { openTomorrow, wakeChanged } from '../src/questions/rollups/wake.ts'
import { runJob } from '../src/schedule.ts'
import { openDatabase } from '../src/storage/database.ts'
import { nameOfObject, type ObjectKey } from '../src/storage/object-name.ts'
import { keepLayouts } from './support/activity.ts'
import { createPlainApplication } from './support/applications.ts'
import { signInAsOwner } from './support/browsing.ts'
import { createAccount } from './support/client.ts'

const EVERY_FIVE_MINUTES = '*/5 * * * *'
const EVERY_SIX_HOURS = '2 */6 * * *'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TODAY = Date.UTC(2026, 2, 1) / DAY_MS
const NOW = TODAY * DAY_MS + 2 * 60_000

beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('delete from changes'), env.DB.prepare('delete from daily_figures')])
})

it('wakes the object of an application whose wake-up was lost', async () => {
  const { applicationId } = await createPlainApplication()
  const key = { applicationId, objects: 1, part: 0 }
  await addChanges([key])
  expect(await wokenBy(EVERY_FIVE_MINUTES)).toEqual([nameOfObject(key)])
})

it('wakes each of many objects, also those of one application', async () => {
  const applications = Array.from({ length: 110 }, (_, index) => ({
    applicationId: 1_000_000 + index,
    objects: 1,
    part: 0,
  }))
  const parts = Array.from({ length: 4 }, (_, part) => ({ applicationId: 1_100_000, objects: 4, part }))
  const keys = [...applications, ...parts]
  await addChanges(keys)
  expect(await wokenBy(EVERY_FIVE_MINUTES)).toEqual(keys.map(nameOfObject))
})

it('lets another number of objects take over', async () => {
  const { applicationId } = await createPlainApplication()
  await keepLayouts(applicationId, [1, 2])
  await runJob(createScheduledController({ cron: EVERY_FIVE_MINUTES }), env)
  const serving = env.DB.prepare('select objects from applications where id = ?').bind(applicationId)
  expect(await serving.first('objects')).toBe(2)
})

it('has its turn with every one of more objects than an invocation may call', async () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => ({
    applicationId: 2_000_000 + (index >> 1),
    objects: 2,
    part: index & 1,
  }))
  await addChanges(keys)
  const { woken, namespace } = recordingNamespace()
  for (const minutes of [0, 5, 10])
    await wakeChanged({ env: { ...env, APPLICATIONS: namespace }, now: minutes * 60_000 })
  expect(keys.map(nameOfObject).filter((name) => !woken.includes(name))).toEqual([])
  expect(woken).toHaveLength(2_000)
})

it('wakes objects that lack a day up to tomorrow, where users may stay away', async () => {
  const { applicationId } = await createPlainApplication()
  const key = { applicationId, objects: 1, part: 0 }
  await addFigures(key, TODAY - 3, 1)
  expect(await wokenBy(EVERY_SIX_HOURS)).toEqual([nameOfObject(key)])
})

it('wakes no object where nobody was active in a month, or tomorrow is there already', async () => {
  const [quiet, ready, behind] = await Promise.all([0, 1, 2].map(createPlainApplication))
  await addFigures(objectOf(quiet), TODAY - 1, 1)
  await addFigures(objectOf(quiet), TODAY, 0)
  await addFigures(objectOf(ready), TODAY, 1)
  await addFigures(objectOf(ready), TODAY + 1, 1)
  await addFigures(objectOf(behind), TODAY, 1)
  expect(await wokenForTomorrow(NOW)).toEqual([nameOfObject(objectOf(behind))])
})

it('looks at each object of each layout by its own figures', async () => {
  const { applicationId } = await createPlainApplication()
  await keepLayouts(applicationId, [2, 4])
  const parts = [2, 4].flatMap((objects) =>
    Array.from({ length: objects }, (_, part) => ({ applicationId, objects, part })),
  )
  for (const key of parts) await addFigures(key, key.part === 1 ? TODAY : TODAY + 1, 1)
  // Of a layout that is not kept any more.
  await addFigures({ applicationId, objects: 1, part: 0 }, TODAY, 1)
  expect(await wokenForTomorrow(NOW)).toEqual([`${applicationId}/2/1`, `${applicationId}/4/1`])
})

it('uses the day after today in the time zone of each partitioning', async () => {
  // The next day begins at ten in the morning UTC on Kiritimati, at ten or eleven at night in Berlin, at seven or eight in Los Angeles.
  const zones = { UTC: 1, 'Pacific/Kiritimati': 33, 'Europe/Berlin': 65, 'America/Los_Angeles': 97 }
  const { applicationId } = await createPlainApplication()
  const insert = env.DB.prepare('insert into layouts (application_id, objects, time_zone) values (?, ?, ?)')
  await env.DB.batch(Object.entries(zones).map(([zone, objects]) => insert.bind(applicationId, objects, zone)))
  for (const objects of Object.values(zones)) await addFigures({ applicationId, objects, part: 0 }, TODAY + 1, 1)
  const nameOf = (zone: keyof typeof zones) => nameOfObject({ applicationId, objects: zones[zone], part: 0 })
  const midnight = TODAY * DAY_MS
  expect(await wokenForTomorrow(midnight + 9 * HOUR_MS)).toEqual([])
  expect(await wokenForTomorrow(midnight + 10 * HOUR_MS)).toEqual([nameOf('Pacific/Kiritimati')])
  const late = await wokenForTomorrow(midnight + 23 * HOUR_MS)
  expect(late.toSorted()).toEqual([nameOf('Europe/Berlin'), nameOf('Pacific/Kiritimati')].toSorted())
  const later = await wokenForTomorrow(midnight + 32 * HOUR_MS)
  expect(later.toSorted()).toEqual(
    Object.keys(zones)
      .map((zone) => nameOf(zone as keyof typeof zones))
      .toSorted(),
  )
})

it('has its turn with every one of more objects that lack tomorrow than an invocation may call', async () => {
  const applications = await Promise.all(Array.from({ length: 60 }, createPlainApplication))
  await Promise.all(applications.map(({ applicationId }) => keepLayouts(applicationId, [16])))
  const keys = applications.flatMap(({ applicationId }) =>
    Array.from({ length: 16 }, (_, part) => ({ applicationId, objects: 16, part })),
  )
  await env.DB.batch(keys.map((key) => figuresOf(key, TODAY, 1)))
  const woken = [...(await wokenForTomorrow(NOW)), ...(await wokenForTomorrow(NOW + DAY_MS / 4))]
  expect(woken.toSorted()).toEqual(keys.map(nameOfObject).toSorted())
})

it('deletes sessions and links to sign in that have expired, and nothing else', async () => {
  const { id } = await createAccount()
  const count = async () => {
    const sql = `select (select count(*) from sign_in_links where account_id = ?1) as links,
      (select count(*) from dashboard_sessions where account_id = ?1) as sessions`
    return env.DB.prepare(sql).bind(id).first()
  }
  await signInAsOwner(id)
  await issueLink(openDatabase(env.DB), id, Date.now())
  const run = (seconds: number) => {
    const scheduledTime = new Date(Date.now() + seconds * 1000)
    return runJob(createScheduledController({ cron: EVERY_SIX_HOURS, scheduledTime }), env)
  }
  await run(LINK_SECONDS - 60)
  expect(await count()).toEqual({ links: 1, sessions: 1 })
  await run(LINK_SECONDS)
  expect(await count()).toEqual({ links: 0, sessions: 1 })
  await run(SESSION_SECONDS)
  expect(await count()).toEqual({ links: 0, sessions: 0 })
})

it('says which database fills up, from 80 percent on', async () => {
  const { meta } = await env.DB.prepare('select 1').all()
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => void error.mockRestore())
  const told = async (percent: number) => {
    const DATABASE_BYTES = Math.floor((100 * meta.size_after) / percent) as never
    await runJob(createScheduledController({ cron: EVERY_FIVE_MINUTES }), { ...env, DATABASE_BYTES })
    const lines = error.mock.calls.splice(0).map(([line]) => JSON.parse(line))
    return lines.filter(({ event, database }) => event === 'database fills up' && database === 'DB')
  }
  expect(await told(79)).toEqual([])
  expect(await told(90)).toEqual([expect.objectContaining({ level: 'error', percent: 90 })])
})

it('refuses a cron expression that it has no job for', async () => {
  await expect(runJob(createScheduledController({ cron: '0 0 1 1 *' }), env)).rejects.toThrow('0 0 1 1 *')
})

function objectOf(application: { applicationId: number } | undefined): ObjectKey {
  return { applicationId: application?.applicationId ?? Number.NaN, objects: 1, part: 0 }
}

/** Writes down whom it wakes. */
function recordingNamespace() {
  const woken: string[] = []
  const getByName = (name: string) => ({ wake: async () => void woken.push(name) })
  return { woken, namespace: { getByName } as unknown as Env['APPLICATIONS'] }
}

async function wokenForTomorrow(now: number): Promise<string[]> {
  const { woken, namespace } = recordingNamespace()
  await openTomorrow({ db: openDatabase(env.DB), namespace, now })
  return woken
}

async function wokenBy(cron: string): Promise<string[]> {
  const { woken, namespace } = recordingNamespace()
  await runJob(createScheduledController({ cron, scheduledTime: new Date(NOW) }), { ...env, APPLICATIONS: namespace })
  return woken
}

async function addChanges(keys: readonly ObjectKey[]): Promise<void> {
  const rows = keys.map(({ applicationId, objects, part }) => [applicationId, objects, part])
  const insert = `insert into changes
    select value ->> 0, value ->> 1, value ->> 2, hour, 1, 0, 0, 1, 0, null
    from json_each(?) cross join (select 480000 as hour union all select 480001)`
  await env.DB.prepare(insert).bind(JSON.stringify(rows)).run()
}

async function addFigures(key: ObjectKey, day: number, users: number): Promise<void> {
  await figuresOf(key, day, users).run()
}

function figuresOf({ applicationId, objects, part }: ObjectKey, day: number, users: number): D1PreparedStatement {
  const insert = env.DB.prepare('insert into daily_figures values (?, ?, ?, ?, 0, ?, 0, 0, 0, 0)')
  return insert.bind(applicationId, day, objects, part, users)
}
