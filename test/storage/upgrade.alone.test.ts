import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { nextJob } from '../../src/lifecycle/jobs/jobs.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { loadRelease } from '../support/dump.ts'
import { USER_PROPERTIES } from '../support/filter-oracle.ts'
import { workOnJobs } from '../support/jobs.ts'
import { onlyObject, settle, stubOf } from '../support/objects.ts'
import recorded from './a465e32.json'
import dump from './a465e32.sql?raw'
import objectDump from './a465e32-object.sql?raw'

/** The application whose columns lie in `a465e32-object.sql`, the one with waiting messages, and the one under deletion. */
const [SHOP, OTHER, GONE] = [1, 2, 3]
/** Opens the private keys of that release. */
const SECRET = { KEY_SEALING_SECRET: recorded.secret }
/** Users of the shop. */
const [BUYER, BLOCKED] = [7_000_000_001, 7_000_000_009]

/**
 * The data of release a465e32, killed while an erasure and a deletion were under way and messages waited in the queue. The answers
 * are those it gave itself once it was started again and had finished.
 */
beforeAll(async () => {
  await loadRelease(dump)
  await runInDurableObject(stubOf(onlyObject(SHOP)), (_, { storage }) => {
    storage.sql
      .exec("select name from sqlite_schema where type = 'table' and name not like '\\_cf%' escape '\\'")
      .toArray()
      .forEach(({ name }) => void storage.sql.exec(`drop table "${name}"`))
    for (const statement of objectDump.split(/;\n/)) if (statement.trim() !== '') storage.sql.exec(statement)
  })
  for (const { sent, body } of recorded.messages) {
    expect(await deliver([body], SECRET, new Date(sent))).toMatchObject({ acked: [0] })
  }
  for (const applicationId of [SHOP, OTHER, GONE]) {
    await workOnJobs(applicationId, { bindings: { ...env, ...SECRET } })
    expect(await nextJob(openDatabase(env.DB), applicationId)).toBeNull()
  }
  for (const applicationId of [SHOP, OTHER]) await settle(applicationId)
})

/** Removes properties of users, which that release did not list. */
function withoutLaterProperties(answer: unknown) {
  const { data, total, ...rest } = answer as { data?: unknown; total?: number }
  const isLater = (item: unknown) => USER_PROPERTIES.includes((item as { property?: string } | null)?.property ?? '')
  if (!Array.isArray(data) || !data.some(isLater)) return answer
  return { ...rest, data: data.filter((item) => !isLater(item)), total: Number(total) - data.filter(isLater).length }
}

it('answers every question as that release did, with jobs and messages of that release finished', async () => {
  for (const [account, key] of [
    ['KEY', recorded.keys.KEY],
    ['otherKey', recorded.keys.otherKey],
  ] as const) {
    for (const [path, { status, body }] of Object.entries(recorded.answers[account])) {
      const response = await getJson(path, key, { authorization: key })
      expect([response.status, withoutLaterProperties(await response.json())], path).toMatchObject([status, body])
    }
  }
})

it('rebuilds the columns, and leaves nothing of the tables in which that release had them', async () => {
  const tables = await runInDurableObject(stubOf(onlyObject(SHOP)), (_, { storage }) =>
    storage.sql
      .exec("select name from sqlite_schema where type = 'table' and name not like '\\_cf%' escape '\\' order by name")
      .toArray()
      .map(({ name }) => name),
  )
  expect(tables).toEqual([
    'arrays',
    'day_tasks',
    'days',
    'names',
    'notes',
    'segment_params',
    'segment_rests',
    'segments',
    'texts',
    'timelines',
  ])
})

it('keeps the daily figures, dead letters and blocked users of that release', async () => {
  // Days after these have been written since.
  const lastDay = Math.max(...recorded.figures.map(({ day }) => day))
  const query = 'select * from daily_figures where day <= ? order by 1, 2, 3'
  const { results: figures } = await env.DB.prepare(query).bind(lastDay).all()
  expect(figures).toEqual(recorded.figures)
  expect(await env.DB.prepare('select count(*) as n from dead_letters').first('n')).toBe(1)
  const order = { event_type: 'Order', telegram_id: BLOCKED, datetime: Date.UTC(2026, 10, 10) }
  await deliver(messagesOf(SHOP, [order]), SECRET)
  expect((await getJson(`/users/${BLOCKED}`, recorded.keys.KEY)).status).toBe(404)
})

it('knows events that it was sent under that release', async () => {
  const order = { event_type: 'Order', telegram_id: BUYER, datetime: Date.UTC(2026, 10, 10), session_id: 's1' }
  await deliver(
    messagesOf(SHOP, [
      { ...order, event_id: 'order-1' },
      { ...order, event_id: 'order-new' },
    ]),
    SECRET,
  )
  const total = () =>
    env.DB.prepare('select total_events from users where telegram_id = ?').bind(BUYER).first('total_events')
  expect(await total()).toBe(5)
})
