import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { nameOfObject } from '../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { askApi } from '../support/dashboard.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import {
  addTestMember,
  change,
  createNotifier,
  forgetSubscriptions,
  listed,
  saveReport,
  setDue,
  subscribe,
} from '../support/notifying.ts'

beforeEach(forgetSubscriptions)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2

async function happen(
  { applicationId }: PlainApplication,
  events: readonly { user: number; at: number; name?: string }[],
) {
  const plain = events.map(({ user, at, name = 'Order' }) => ({ event_type: name, telegram_id: user, datetime: at }))
  await deliver(messagesOf(applicationId, plain, Math.max(NOW, ...events.map(({ at }) => at))))
  const key = { applicationId, objects: 1, part: 0 }
  await env.APPLICATIONS.getByName(nameOfObject(key)).readChanges(key)
}

/** Users of a day, counted from today back. */
function ordersOf(users: number, days: number) {
  return Array.from({ length: users }, (_, user) => ({ user: user + 1, at: NOW - days * DAY_MS }))
}

async function alertOn(application: PlainApplication, rule: object) {
  const telegram_id = await addTestMember(application)
  const { id } = await subscribe(application, { name: 'Watch', rule, target: { type: 'member', telegram_id } })
  const notifier = createNotifier()
  return {
    id,
    notifier,
    /** Checks it, twice by cron and by two deliveries of the same task. */
    async check(now: number) {
      await setDue(id, now)
      await notifier.enqueue(now)
      const tasks = notifier.tasks.splice(0)
      await Promise.all([notifier.work(now, tasks), notifier.work(now, tasks)])
      await notifier.finish(now)
      await notifier.run(now)
    },
  }
}

describe('an alert about a report', () => {
  it('notifies once at the start and once at the end, with the figures of the API', async () => {
    const application = await createPlainApplication()
    await saveReport(application, 'Buyers', 'events?event=Order&mode=uniques')
    await happen(application, ordersOf(2, 1))
    const { check, notifier } = await alertOn(application, { type: 'above', question: 'Buyers', value: 3 })
    await check(NOW)
    expect(notifier.texts()).toEqual([])
    await happen(application, ordersOf(5, 1))
    await check(NOW)
    await check(NOW + MINUTE_MS)
    expect(notifier.texts()).toHaveLength(1)
    const day = new Date(NOW - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
    const { yValues } = await askApi(application, '/events/segmentation', { event: 'Order', start: day, end: day })
    expect(yValues[0].data).toEqual([5])
    expect(notifier.texts()[0]).toContain('Lemon Shop: Watch\nBuyers is above 3: 5 on ')
    expect((await listed(application))[0].is_active).toBe(true)
    await check(NOW + DAY_MS)
    await check(NOW + DAY_MS + MINUTE_MS)
    expect(notifier.texts()).toHaveLength(2)
    expect(notifier.texts()[1]).toContain('Buyers is not above 3 any more: 0 on ')
  })

  it.each([
    [{ type: 'below', value: 4 }, 'is below 4: 3 on '],
    [{ type: 'changes_by', percent: 50 }, 'changed by 50% or more: 3 on '],
  ])('%o', async (rule, words) => {
    const application = await createPlainApplication()
    await saveReport(application, 'Users', '')
    await happen(application, [...ordersOf(3, 1), ...ordersOf(6, 8)])
    const { check, notifier } = await alertOn(application, { ...rule, question: 'Users' })
    await check(NOW)
    expect(notifier.texts()).toHaveLength(1)
    expect(notifier.texts()[0]).toContain(`Users ${words}`)
    expect(notifier.texts()[0]).toMatch(/down 50% from 6 the \w+ before/)
  })

  it('takes formulas by the week, and filters', async () => {
    const application = await createPlainApplication()
    const trend = new URLSearchParams({
      event_a: 'Order',
      mode_a: 'totals',
      formula: 'A*2',
      interval: 'week',
      filters: '{"prop":"language","op":"is","values":["(none)"]}',
    })
    await saveReport(application, 'Twice', `trends?${trend}`)
    await happen(application, Array.from({ length: 14 }, (_, day) => ordersOf(1, day + 1)).flat())
    const { check, notifier } = await alertOn(application, { type: 'above', question: 'Twice', value: 13 })
    await check(NOW)
    expect(notifier.texts()[0]).toContain('Twice is above 13: 14 in the week from ')
  })

  it('says that its report was deleted', async () => {
    const application = await createPlainApplication()
    await saveReport(application, 'Users', '')
    const { check, notifier } = await alertOn(application, { type: 'above', question: 'Users', value: 3 })
    await env.DB.prepare('delete from saved_questions where application_id = ?').bind(application.applicationId).run()
    await check(NOW)
    expect(notifier.sent).toEqual([])
    expect((await listed(application))[0].problem).toBe('The saved report “Users” was deleted.')
  })
})

describe('an alert', () => {
  it('about silence notifies when it begins and ends', async () => {
    const application = await createPlainApplication()
    const { check, notifier } = await alertOn(application, { type: 'silent', minutes: 30, event: 'Order' })
    const start = Date.now()
    await happen(application, [{ user: 1, at: start }])
    await check(start + 29 * MINUTE_MS)
    expect(notifier.texts()).toEqual([])
    await happen(application, [{ user: 1, at: start + 25 * MINUTE_MS, name: 'Other' }])
    await check(start + 31 * MINUTE_MS)
    expect(notifier.texts()).toEqual([expect.stringContaining('No “Order” for 30 minutes. The last one was at ')])
    await happen(application, [{ user: 1, at: start + 32 * MINUTE_MS }])
    await check(start + 35 * MINUTE_MS)
    expect(notifier.texts()).toHaveLength(2)
    expect(notifier.texts()[1]).toContain('Events arrive again')
  })

  it('names new events, each once', async () => {
    const application = await createPlainApplication()
    const now = Date.now()
    await happen(application, [{ user: 1, at: now }])
    const { check, notifier } = await alertOn(application, { type: 'new_event_name' })
    await check(now)
    expect(notifier.texts()).toEqual([])
    await happen(application, [
      { user: 1, at: now, name: 'Refunded' },
      { user: 1, at: now - 9 * DAY_MS, name: 'Old' },
    ])
    await check(now)
    await check(now + MINUTE_MS)
    expect(notifier.texts()).toEqual(['Lemon Shop: Watch\nNew event names: Refunded'])
  })

  it('about a quota ends with the day', async () => {
    const application = await createPlainApplication()
    const { check, notifier } = await alertOn(application, { type: 'quota' })
    const object = env.APPLICATIONS.getByName(String(application.applicationId))
    const day = Math.floor(NOW / DAY_MS)
    const use = async (events: number) =>
      object.countUse({ applicationId: application.applicationId, day }, { share: 'full', events })
    await use(env.QUOTA_EVENTS * 0.79)
    await check(NOW)
    expect(notifier.texts()).toEqual([])
    await use(env.QUOTA_EVENTS * 0.02)
    await check(NOW)
    await check(NOW + MINUTE_MS)
    await check(NOW + DAY_MS)
    expect(notifier.texts()).toEqual([
      "Lemon Shop: Watch\n80% of today's quota of events are used.",
      expect.stringContaining('A new day'),
    ])
  })

  it('is not checked while it is snoozed or off', async () => {
    const application = await createPlainApplication()
    const { id, notifier } = await alertOn(application, { type: 'silent', minutes: 10 })
    const now = Date.now() + 60 * MINUTE_MS
    const until = new Date(now + 60 * MINUTE_MS).toISOString()
    expect(await change(application, id, { snoozed_until: until })).toMatchObject({
      snoozed_until: until,
      next_at: until,
    })
    await notifier.run(now)
    expect(await change(application, id, { is_on: false })).toMatchObject({ is_on: false })
    await notifier.run(now + 2 * 60 * MINUTE_MS)
    expect(notifier.texts()).toEqual([])
    await change(application, id, { is_on: true })
    await notifier.run(now + 2 * 60 * MINUTE_MS)
    expect(notifier.texts()).toHaveLength(1)
  })
})
