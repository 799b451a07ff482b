import { beforeEach, expect, it } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { askApi } from '../support/dashboard.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import {
  addTestMember,
  createNotifier,
  forgetSubscriptions,
  listed,
  saveReport,
  setDue,
  subscribe,
} from '../support/notifying.ts'

beforeEach(forgetSubscriptions)

const DAY_MS = 86_400_000
const NOW = Date.now()

function dayBefore(days: number): string {
  return new Date(NOW - days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Noon of a day. */
function noon(days: number): number {
  return Math.floor(NOW / DAY_MS - days) * DAY_MS + DAY_MS / 2
}

interface Made {
  readonly name?: string
  readonly user: number
  readonly days: number
  readonly source?: string
}

async function history(made: readonly Made[]): Promise<PlainApplication> {
  const application = await createPlainApplication()
  const events = made.map(({ name = 'Order', user, days, source }, index) => ({
    event_type: name,
    telegram_id: user,
    datetime: noon(days) + index,
    ...(source && { start_parameter: source }),
  }))
  await deliver(messagesOf(application.applicationId, events, NOW))
  return application
}

const DAILY = { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin', questions: [] as string[] }

async function digestOf(
  application: PlainApplication,
  rule: object,
  meanwhile?: () => Promise<unknown>,
): Promise<string> {
  const telegram_id = await addTestMember(application)
  const { id } = await subscribe(application, { name: 'Morning', rule, target: { type: 'member', telegram_id } })
  await meanwhile?.()
  const notifier = createNotifier()
  await setDue(id, NOW)
  await notifier.run(NOW)
  await notifier.run(NOW)
  expect(notifier.sent).toHaveLength(1)
  return notifier.texts()[0] ?? ''
}

it('has the figures that the API gives for that moment', async () => {
  const made = [
    ...[1, 2, 3, 4, 5].map((user) => ({ user, days: 1 })),
    ...[1, 2, 9].map((user) => ({ user, days: 2 })),
    ...[1, 8].map((user) => ({ user, days: 8 })),
    ...[1, 2].map((user) => ({ user, days: 1, name: 'Paid' })),
  ]
  const application = await history(made)
  await saveReport(application, 'Paid users', 'events?event=Paid&period=7d')
  await saveReport(application, 'Pays', 'funnels?events=Order&events=Paid')
  const text = await digestOf(application, { ...DAILY, questions: ['Paid users', 'Pays'] })
  const [day, before] = [
    { start: dayBefore(1), end: dayBefore(1) },
    { start: dayBefore(8), end: dayBefore(8) },
  ]
  const figureOf = async (path: string, asked: object, name: string) =>
    (await askApi(application, path, asked as never)).yValues.find((series: { name: string }) => series.name === name)
      .key_value
  const weekday = new Date(NOW - 8 * DAY_MS).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  const [active, activeBefore] = [
    await figureOf('/users/activity', day, 'dau'),
    await figureOf('/users/activity', before, 'dau'),
  ]
  expect([active, activeBefore]).toEqual([5, 2])
  expect(text).toContain(`Active users: ${active}, up 150% from ${activeBefore} the ${weekday} before`)
  expect(await figureOf('/users/activity', day, 'new')).toBe(3)
  expect(text).toContain(`New users: 3, up 50% from 2 the ${weekday} before`)
  expect(text).toContain(`Sessions: ${await figureOf('/sessions/average', day, 'sessions')},`)
  const sources = (await askApi(application, '/acquisition', { ...day, by: 'source', limit: '3' })).data
  expect(text).toContain(`New users by source: ${sources[0].name} ${sources[0].users}`)
  const retention = await askApi(application, '/retention', { start: dayBefore(2), end: dayBefore(1) })
  expect(text).toContain(`Day 1 retention: ${Number(retention.data[0].retentionMatrix[0][1])}% of 2 new users`)
  expect(text).toContain('Paid users: 2 on ')
  const { steps } = await askApi(application, '/funnels', [
    ['events', '["Order","Paid"]'],
    ['start', day.start],
    ['end', day.end],
  ])
  expect(text).toContain(`Pays: ${steps[1].conversion_from_start}% of ${steps[0].users} users`)
  expect(text).toMatch(/\n[▁▂▃▄▅▆▇█]{14} active users, 14 days\n/)
})

it('says in one line that a day had no events', async () => {
  const text = await digestOf(await history([{ user: 1, days: 3 }]), DAILY)
  expect(text).toMatch(/^Lemon Shop: \w+ \d+ \w+\. No events\.$/)
})

it('says of a report that has become one without a figure a day that it cannot be answered', async () => {
  const application = await history([{ user: 1, days: 1 }])
  await saveReport(application, 'Users', '')
  const text = await digestOf(application, { ...DAILY, questions: ['Users'] }, () =>
    saveReport(application, 'Users', 'retention'),
  )
  expect(text).toContain('Users: cannot be answered any more')
})

it('is of the last whole week', async () => {
  const application = await history(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((days) => ({ user: days, days })),
  )
  const text = await digestOf(application, { ...DAILY, every: 'weekly' })
  const weeks = await askApi(application, '/events/trends', {
    series: '[{"event":"_active"}]',
    interval: 'week',
    start: dayBefore(21),
    end: dayBefore(0),
  })
  const [then, last] = weeks.yValues[0].data.slice(-3)
  expect(text).toContain(`Active users: ${last}, ${last === then ? 'the same as' : ''}`)
})

it('is shown on the page and in the log where there is no bot', async () => {
  const application = await history([{ user: 1, days: 1 }])
  const telegram_id = await addTestMember(application)
  const { id } = await subscribe(application, { name: 'Morning', rule: DAILY, target: { type: 'member', telegram_id } })
  const notifier = createNotifier({ token: null })
  await setDue(id, NOW)
  await notifier.run(NOW)
  expect(notifier.sent).toEqual([])
  const [subscription] = await listed(application)
  expect(subscription.deliveries).toMatchObject([
    { kind: 'digest', status: 'shown', text: expect.stringContaining('Active users: 1') },
  ])
  expect(Date.parse(subscription.next_at)).toBeGreaterThan(NOW)
})
