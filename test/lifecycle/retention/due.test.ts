import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { beginRetaining } from '../../../src/lifecycle/retention/due.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { sendJson } from '../../support/client.ts'

const db = openDatabase(env.DB)

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}

function cronAt(moment: string): Promise<number> {
  return beginRetaining(db, Date.parse(moment))
}

async function createKeeping(months: number | null) {
  const application = await createPlainApplication()
  const keep = async (keep_months: number | null) => {
    const { handle, key } = application
    expect((await sendJson('PATCH', `/applications/${handle}`, { key, body: { keep_months } })).status).toBe(200)
  }
  await keep(months)
  return { ...application, keep }
}

/** From which day on events are kept, and how many jobs there are that delete others. */
async function stateOf(applicationId: number) {
  const jobs = `select count(*) from jobs where application_id = applications.id and kind = 'retain'`
  const state = env.DB.prepare(`select kept_from as keptFrom, (${jobs}) as jobs from applications where id = ?`)
  return state.bind(applicationId).first()
}

async function finishJobs(applicationId: number): Promise<void> {
  await env.DB.prepare('delete from jobs where application_id = ?').bind(applicationId).run()
}

it('moves on with each day, and lets the job of the day before end', async () => {
  const { applicationId } = await createKeeping(6)
  await cronAt('2026-09-10T00:02:00Z')
  expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-03-10'), jobs: 1 })
  await cronAt('2026-09-11T00:02:00Z')
  expect(await cronAt('2026-09-11T00:02:00Z'), 'told of as begun').toBe(0)
  expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-03-10'), jobs: 1 })
  await finishJobs(applicationId)
  await cronAt('2026-09-11T06:02:00Z')
  expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-03-11'), jobs: 1 })
  await finishJobs(applicationId)
  await cronAt('2026-09-11T12:02:00Z')
  expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-03-11'), jobs: 0 })
})

it('goes to the end of a month that has no such day', async () => {
  const { applicationId } = await createKeeping(2)
  await cronAt('2026-04-30T00:02:00Z')
  expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-02-28'), jobs: 1 })
})

it('never moves back, however long events are kept from now on', async () => {
  const { applicationId, keep } = await createKeeping(3)
  await cronAt('2026-09-10T00:02:00Z')
  await finishJobs(applicationId)
  for (const months of [4, null]) {
    await keep(months)
    await cronAt('2026-09-11T00:02:00Z')
    expect(await stateOf(applicationId)).toEqual({ keptFrom: dayOf('2026-06-10'), jobs: 0 })
  }
})

it('handles each of many applications, and none that keeps everything', async () => {
  const [everything, ...others] = await Promise.all(Array.from({ length: 102 }, createPlainApplication))
  const ids = JSON.stringify(others.map(({ applicationId }) => applicationId))
  const setting = 'update applications set keep_months = 2 where id in (select value from json_each(?))'
  await env.DB.prepare(setting).bind(ids).run()
  await cronAt('2026-09-10T00:02:00Z')
  const states = await Promise.all(others.map(({ applicationId }) => stateOf(applicationId)))
  for (const state of states) expect(state).toEqual({ keptFrom: dayOf('2026-07-10'), jobs: 1 })
  expect(await stateOf(everything?.applicationId ?? 0)).toEqual({ keptFrom: null, jobs: 0 })
})
