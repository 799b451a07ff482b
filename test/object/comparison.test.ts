import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { onlyObject, settle, stubOf, within } from '../support/objects.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()

it.each([
  ['an event is in the columns only', 'delete from events where application_id = ?1 and telegram_id = 2', 2],
  ['a name is in the columns only', 'delete from events where application_id = ?1', 0],
  [
    'an event is in the database only',
    `insert into events select application_id, name_id, time + 1, 9, 1, context_id, null from events
     where application_id = ?1 and telegram_id = 2`,
    4,
  ],
])('detects and repairs the columns if %s', async (_what, plant, mended) => {
  const { applicationId } = await createPlainApplication()
  const events = [1, 2, 3].map((user) => ({ event_type: 'a', telegram_id: user, datetime: NOW - 5 * DAY_MS }))
  await deliver(messagesOf(applicationId, events))
  await settle(applicationId)
  await env.DB.prepare(plant).bind(applicationId).run()
  await settle(applicationId)
  expect(await countActive(applicationId)).toBe(3)
  await compareAgain(applicationId)
  expect(await countActive(applicationId)).toBe(mended)
})

it('rebuilds the timelines of finished days during the comparison', async () => {
  const { applicationId } = await createPlainApplication()
  const eventOn = (daysAgo: number, user: number) => {
    return { event_type: 'a', telegram_id: user, datetime: NOW - daysAgo * DAY_MS }
  }
  await deliver(messagesOf(applicationId, [eventOn(5, 1), eventOn(4, 1), eventOn(3, 1)]))
  await settle(applicationId)
  const [first, second] = await daysOfTimelines(applicationId)
  expect(second).toBe((first ?? 0) + 1)
  await deliver(messagesOf(applicationId, [eventOn(5, 2)]))
  await settle(applicationId)
  expect(await daysOfTimelines(applicationId)).toEqual([second])
  await compareAgain(applicationId)
  expect(await daysOfTimelines(applicationId)).toEqual([first, second])
})

function daysOfTimelines(applicationId: number): Promise<number[]> {
  return within(onlyObject(applicationId), (_, storage) =>
    new Store(storage).numbers('select distinct day from timelines order by day'),
  )
}

/** Compares again, as if it were tomorrow. */
async function compareAgain(applicationId: number): Promise<void> {
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    store.setNote('compared on', null)
    new Activity(store).days.addToAll(['comparison'])
  })
  await stubOf(onlyObject(applicationId)).readChanges(onlyObject(applicationId))
}

function countActive(applicationId: number): Promise<number | null> {
  const sql = 'select max(active_users) as n from daily_figures where application_id = ?'
  return env.DB.prepare(sql).bind(applicationId).first<number>('n')
}
