import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { acknowledge } from '../../../src/questions/rollups/changes.ts'
import { selectChanges } from '../../../src/questions/rollups/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { keepLayouts } from '../../support/activity.ts'
import { createPlainApplication } from '../../support/applications.ts'

const db = openDatabase(env.DB)
const NOTHING = { figures: [], monthly: [] }

/** An object with changes of two hours and of all time, and another one of the same application with one of them. */
async function createChanged() {
  const { applicationId } = await createPlainApplication()
  await keepLayouts(applicationId, [2])
  const rows = [
    [2, 1, 100, 7],
    [2, 1, 101, 7],
    [2, 1, -1, 0],
    [2, 1, 101, 8],
    [2, 1, 101, 0, '[7,8]'],
    [2, 0, 101, 8],
  ]
  const insert = `insert into changes select ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, 10, 20, 1, 1000, value ->> 4 from json_each(?)`
  await env.DB.prepare(insert).bind(applicationId, JSON.stringify(rows)).run()
  return { applicationId, objects: 2, part: 1 }
}

async function readAll(applicationId: number) {
  const sql = 'select part, hour, name_id, mark, marked_at from changes where application_id = ? order by 1, 2, 3'
  return (await env.DB.prepare(sql).bind(applicationId).raw()) as number[][]
}

it("lists an object's changes newest first, that of all time last", async () => {
  const key = await createChanged()
  const span = { names: null, from: 10, to: 20, mark: 1 }
  const changes = await selectChanges(db, key, { limit: 100 })
  expect(changes).toEqual([
    { bucket: 101, nameId: 8, ...span },
    { bucket: 101, nameId: 7, ...span },
    { bucket: 101, nameId: 0, ...span, names: [7, 8] },
    { bucket: 100, nameId: 7, ...span },
    { bucket: -1, nameId: 0, ...span },
  ])
  expect(await selectChanges(db, key, { limit: 3 })).toEqual(changes.slice(0, 3))
})

it('deletes acknowledged changes only; changes that grew meanwhile stay, dated from the run', async () => {
  const key = await createChanged()
  const changes = (await selectChanges(db, key, { limit: 3 })).slice(0, 2)
  const grow = 'update changes set mark = mark + 1 where application_id = ? and part = 1 and hour = 101 and name_id = 7'
  await env.DB.prepare(grow).bind(key.applicationId).run()
  await acknowledge({ db, directory: db }, key, { ...NOTHING, changes, asOf: 5_000 })
  expect(await readAll(key.applicationId)).toEqual([
    [0, 101, 8, 1, 1_000],
    [1, -1, 0, 1, 1_000],
    [1, 100, 7, 1, 1_000],
    [1, 101, 0, 1, 1_000],
    [1, 101, 7, 2, 5_000],
  ])
})

it('writes the figures of one object, and only the monthly active users of other days', async () => {
  const key = await createChanged()
  const other = { ...key, part: 0 }
  const counts = { activeUsers: 1, newUsers: 2, premiumUsers: 3, nonPremiumUsers: 4, events: 5 }
  const figures = [5, 6].map((day) => ({ day, monthlyActiveUsers: 6, ...counts }))
  for (const object of [key, other]) {
    await acknowledge({ db, directory: db }, object, { figures, monthly: [], changes: [], asOf: 0 })
  }
  const again = { figures: [{ day: 5, monthlyActiveUsers: 8, ...counts, events: 9 }], changes: [], asOf: 0 }
  const monthly = [6, 7].map((day) => ({ day, monthlyActiveUsers: 7 }))
  await acknowledge({ db, directory: db }, key, { ...again, monthly })
  const sql = `select objects, part, day, active_users, monthly_active_users, new_users, premium_users, non_premium_users, events
    from daily_figures where application_id = ? order by part, day`
  expect(await env.DB.prepare(sql).bind(key.applicationId).raw()).toEqual([
    [2, 0, 5, 1, 6, 2, 3, 4, 5],
    [2, 0, 6, 1, 6, 2, 3, 4, 5],
    [2, 1, 5, 1, 8, 2, 3, 4, 9],
    [2, 1, 6, 1, 7, 2, 3, 4, 5],
    [2, 1, 7, 0, 7, 0, 0, 0, 0],
  ])
})
