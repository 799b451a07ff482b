import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { currentDays } from '../../../src/base/time/current-days.ts'
import { readGrowth } from '../../../src/questions/growth-trend/growth-trend.ts'
import { runJob } from '../../../src/schedule.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { numberOf } from '../../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { figuresOf, type PlainEvent } from '../../support/figures-oracle.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { dateOf, daysUntil } from '../../support/series-oracle.ts'
import { dayIn, ZONES } from '../../support/zones.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

afterEach(() => {
  vi.useRealTimers()
})

interface Happening {
  readonly user: number
  readonly daysAgo: number
  readonly msOfDay: number
  readonly premium: boolean | undefined
}

const happening = fc.record({
  user: fc.integer({ min: 1, max: 4 }),
  daysAgo: fc.integer({ min: 0, max: 70 }),
  msOfDay: fc.oneof(fc.constantFrom(0, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
  premium: fc.constantFrom(true, false, undefined),
})

/** This many days pass, then these things happen in this order: cron fires, events come in, the rollup object runs. */
const round = fc.record({
  daysPassed: fc.constantFrom(0, 0, 1, 2, 4, 15, 45),
  happenings: fc.array(happening, { maxLength: 8 }),
  order: fc.shuffledSubarray(['wake', 'open', 'collect', 'run'] as const),
})

// The last of February in a leap year and in another one, and the ends of a month and of a year lie within reach of these.
const start = fc
  .constantFrom('2028-02-27', '2027-02-27', '2028-01-30', '2026-12-30')
  .map((date) => Date.parse(date) / DAY_MS)

const zone = fc.constantFrom(...ZONES)

it('equals a count of the raw events, whatever arrives, while days pass and cron runs', async () => {
  await holds(
    fc.asyncProperty(
      start,
      zone,
      fc.array(round, { minLength: 1, maxLength: 4 }),
      async (firstDay, timeZone, rounds) => {
        const application = { ...(await createPlainApplication()), timeZone }
        const objects = timeZone === 'UTC' ? 1 : numberOf({ count: 1, generation: 3 })
        await spreadOver(application.applicationId, objects, [1], timeZone)
        const collected: PlainEvent[] = []
        let today = firstDay
        for (const [number, { daysPassed, happenings, order }] of rounds.entries()) {
          today += daysPassed
          vi.setSystemTime((today + 1) * DAY_MS - 4 * MINUTE_MS + number)
          // Nobody has opened these days yet.
          if (daysPassed > 0) await expectExactAnswers(application, collected)
          const events = happenings.map((happened) => toEvent(happened, today))
          const steps = {
            wake: () => fireCron('*/5 * * * *'),
            open: () => fireCron('2 */6 * * *'),
            collect: () => collect(application, events, collected),
            run: () => settle(application.applicationId, objects),
          }
          for (const step of order) await steps[step]()
          await settle(application.applicationId, objects)
          await expectExactAnswers(application, collected)
        }
      },
    ),
    { atLeast: 5, atMost: 60 },
  )
})

function toEvent({ user, daysAgo, msOfDay, premium }: Happening, today: number): PlainEvent {
  const event = { event_type: 'a', telegram_id: user, datetime: (today - daysAgo) * DAY_MS + msOfDay }
  return premium === undefined ? event : { ...event, is_premium: premium }
}

async function fireCron(cron: string): Promise<void> {
  await runJob(createScheduledController({ cron, scheduledTime: new Date() }), env)
}

/** A user's events of one instant are left out but for the first: which of them was last is not decided. */
async function collect(
  { applicationId }: PlainApplication,
  events: PlainEvent[],
  collected: PlainEvent[],
): Promise<void> {
  const fresh: PlainEvent[] = []
  for (const event of events) {
    const isSame = (other: PlainEvent) => other.telegram_id === event.telegram_id && other.datetime === event.datetime
    if (!collected.some(isSame) && !fresh.some(isSame)) fresh.push(event)
  }
  collected.push(...fresh)
  if (fresh.length > 0) await deliver(messagesOf(applicationId, fresh))
}

interface ZonedApplication extends PlainApplication {
  readonly timeZone: string
}

async function expectExactAnswers(application: ZonedApplication, events: PlainEvent[]): Promise<void> {
  const { timeZone } = application
  const today = dayIn(Date.now(), timeZone)
  expect(await timeseriesOf(application)).toEqual(
    daysUntil(today, 100).map((day) => [dateOf(day), figuresOf(day, events, timeZone).monthly_active_users]),
  )
  expect(await premiumOf(application)).toEqual(
    daysUntil(today, 60).map((day) => {
      const { premium_users, non_premium_users } = figuresOf(day, events, timeZone)
      return { date: `${dateOf(day)}T00:00:00Z`, premium_users, non_premium_users }
    }),
  )
  const usersOn = (daysAgo: number) => figuresOf(today - daysAgo, events, timeZone).monthly_active_users
  const [today_users, yesterday_users, week_ago_users, month_ago_users] = [0, 1, 7, 30].map(usersOn)
  expect(await growthOf(application)).toMatchObject({
    today_users,
    yesterday_users,
    week_ago_users,
    month_ago_users,
  })
}

async function timeseriesOf({ handle, key }: PlainApplication): Promise<[string, number][]> {
  const response = await getJson(`/monthly-active-users/timeseries/${handle}?days=100`, key)
  const { timeseries_data } = await response.json<{ timeseries_data: Record<string, number> }>()
  return Object.entries(timeseries_data)
}

async function premiumOf({ handle, key }: PlainApplication): Promise<unknown> {
  const response = await getJson(`/enterprise/${handle}/premium-timeseries`, key)
  return (await response.json<{ data: unknown }>()).data
}

/** Past the cache, which may be a minute old. */
async function growthOf({ handle }: PlainApplication): Promise<unknown> {
  const query = { today: currentDays(ZONES, Date.now()), limit: 1000, offset: 0 }
  const entries = await readGrowth(query, { env, directory: openDatabase(env.DB) })
  return entries.find((entry) => entry.handle === handle)
}
