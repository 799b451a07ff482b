import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { nextJob } from '../../../src/lifecycle/jobs/jobs.ts'
import { runJob } from '../../../src/schedule.ts'
import type { Placement } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { keysOf } from '../../../src/storage/object-name.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { request, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { settle, within } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'

const DAYS_AGO = 100

function visitOf(telegram_id: number, daysAgo: number, start_parameter?: string) {
  const datetime = Date.now() - daysAgo * DAY_MS
  return { event_type: 'visit', telegram_id, datetime, ...(start_parameter && { start_parameter }) }
}

it.each<[number, Placement]>([
  [1, [2]],
  [4, [1, 2, 3, 2]],
])('inviters still count after all their events are deleted: %i objects, databases %j', async (objects, databases) => {
  const { applicationId, handle, key } = await createPlainApplication()
  await spreadOver(applicationId, objects, databases)
  const rules = JSON.stringify([{ pattern: 'ref_{referrer}' }])
  await env.DB.prepare('update applications set sources = ? where id = ?').bind(rules, applicationId).run()
  const events = [
    visitOf(11, DAYS_AGO + 2),
    visitOf(12, DAYS_AGO, 'ref_11'),
    // Not acquired by 11: it is a day too late.
    visitOf(13, DAYS_AGO),
    visitOf(13, DAYS_AGO - 2, 'ref_11'),
    ...[21, 22, 23].map((id) => visitOf(id, 5, 'ref_12')),
    visitOf(24, 4, 'ref_13'),
    visitOf(25, 4, 'ref_99'),
    visitOf(26, 3, 'ref_21'),
  ]
  await deliver(messagesOf(applicationId, events))
  await settle(applicationId, objects)
  const answers = async () => [
    await getDirectly('/referrals', key),
    await getDirectly('/users/12/referrals', key),
    await getDirectly('/users/21/referrals', key),
    await getDirectly('/users/13/referrals', key),
  ]
  const before = await answers()
  expect(before).toMatchObject([
    { invited: 5, new_users: 6, generations: [1, 3, 1], ignored: 0, top: [{ telegram_id: 12, invited: 3 }, {}, {}] },
    { invited_by: 11, total: 3 },
    { invited_by: 12, total: 1 },
    { invited_by: null, total: 1 },
  ])
  expect((await sendJson('PATCH', `/applications/${handle}`, { key, body: { keep_months: 2 } })).status).toBe(200)
  await runJob({ cron: '2 */6 * * *', scheduledTime: Date.now(), noRetry: () => {} }, env)
  while (await nextJob(openDatabase(env.DB), applicationId)) await workOnJobs(applicationId)
  await settle(applicationId, objects)
  expect(await answers()).toEqual(before)
  for (const object of keysOf({ applicationId, objects })) {
    await within(object, (_, storage) => void storage.sql.exec("delete from notes where name = 'version'"))
  }
  await abortAllDurableObjects()
  await settle(applicationId, objects)
  expect(await answers()).toEqual(before)
  // Nothing is left of an erased inviter, even of one without events.
  expect((await request('/users/12', { method: 'DELETE', headers: { 'x-api-key': key } })).status).toBe(202)
  await workOnJobs(applicationId)
  await settle(applicationId, objects)
  expect(await getDirectly('/referrals', key)).toMatchObject({ invited: 2, generations: [2] })
  expect(await getDirectly('/users/21/referrals', key)).toMatchObject({ invited_by: null })
})
