import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { findByHandle } from '../../../src/accounts/applications/applications.ts'
import { calendarOf } from '../../../src/base/time/calendar.ts'
import { currentDays } from '../../../src/base/time/current-days.ts'
import { readFigures } from '../../../src/questions/daily-figures/figures.ts'
import { growthOf, readGrowth } from '../../../src/questions/growth-trend/growth-trend.ts'
import { acknowledge } from '../../../src/questions/rollups/changes.ts'
import { selectChanges } from '../../../src/questions/rollups/sql.ts'
import { bindingOf, databaseOf } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { countOf, numberOf, type ObjectKey } from '../../../src/storage/object-name.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { figuresOf, type PlainEvent } from '../../support/figures-oracle.ts'
import { placements, spreadOver } from '../../support/placement.ts'
import { dayIn, ZONES } from '../../support/zones.ts'

const DAY_MS = 86_400_000
const DAYS = 100
/** The day on which the last event was collected. */
const LAST = Date.parse('2027-03-01') / DAY_MS

afterEach(() => void vi.useRealTimers())

const event: fc.Arbitrary<PlainEvent> = fc
  .record({
    telegram_id: fc.integer({ min: 1, max: 6 }),
    daysAgo: fc.integer({ min: 0, max: 70 }),
    msOfDay: fc.constantFrom(0, DAY_MS / 2 - 1, DAY_MS - 1),
    is_premium: fc.boolean(),
  })
  .map(({ daysAgo, msOfDay, ...rest }) => ({ event_type: 'a', datetime: (LAST - daysAgo) * DAY_MS + msOfDay, ...rest }))

/** One of an instant: which of a user's events of one instant was last is not decided. */
const events = fc.uniqueArray(event, {
  minLength: 1,
  maxLength: 15,
  selector: (one) => `${one.telegram_id} ${one.datetime}`,
})

/** A number of days without events, and for how many days beyond them each object already has figures. */
const silence = fc.constantFrom(1, 1, 2, 4).chain((objects) =>
  fc.record({
    daysPassed: fc.integer({ min: 0, max: 45 }),
    objects: fc.constant(objects),
    databases: placements(objects),
    timeZone: fc.constantFrom(...ZONES),
    daysAhead: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 4 }),
  }),
)

it('counts days without figures exactly, in each partition that lacks them because nothing happened', async () => {
  const db = openDatabase(env.DB)
  await holds(
    fc.asyncProperty(
      events,
      silence,
      async (events, { daysPassed, objects: count, databases, timeZone, daysAhead }) => {
        const objects = numberOf({ count, generation: timeZone === 'UTC' ? 0 : 1 })
        const { applicationId, handle } = await createPlainApplication()
        await spreadOver(applicationId, objects, databases, timeZone)
        await addOtherLayout(applicationId)
        vi.setSystemTime((LAST + 1) * DAY_MS)
        const last = dayIn(Math.max(...events.map(({ datetime }) => datetime)), timeZone)
        await deliver(messagesOf(applicationId, events, Date.now()))
        for (let part = 0; part < count; part++) {
          const key = { applicationId, objects, part }
          const to = last + 1 + (daysAhead[part] as number)
          await writeFigures(key, databaseOf(databases, part), { events, to, timeZone })
        }
        const now = (LAST + daysPassed + 1) * DAY_MS - 1
        const today = dayIn(now, timeZone)
        const reading = { env, directory: db }
        const calendar = calendarOf(timeZone)
        const query = { applicationId, objects, calendar, from: today - DAYS + 1, to: today }
        const { asOf, data } = await readFigures(query, { questions: db, env, now })
        expect(asOf).toBe(new Date(now).toISOString())
        const expected = Array.from({ length: DAYS }, (_, index) => figuresOf(query.from + index, events, timeZone))
        expect(data.map((day) => [day.day, day.monthlyActiveUsers, day.premiumUsers, day.nonPremiumUsers])).toEqual(
          expected.map((day) => [day.day, day.monthly_active_users, day.premium_users, day.non_premium_users]),
        )
        const growth = await readGrowth({ today: currentDays(ZONES, now), limit: 1000, offset: 0 }, reading)
        const usersOn = (daysAgo: number) => figuresOf(today - daysAgo, events, timeZone).monthly_active_users
        const [today_users, yesterday_users, week_ago_users, month_ago_users] = [0, 1, 7, 30].map(usersOn)
        const entry = growth.find((entry) => entry.handle === handle)
        expect(entry).toMatchObject({ today_users, yesterday_users, week_ago_users, month_ago_users })
        expect(growthOf(await findByHandle(db, handle), data)).toEqual(entry)
      },
    ),
    { atLeast: 6, atMost: 100 },
  )
})

/** Figures of a layout that does not answer, which must not count. */
async function addOtherLayout(applicationId: number): Promise<void> {
  const insert = env.DB.prepare('insert into daily_figures values (?, ?, 8, 0, 9, 9, 9, 9, 9, 9)')
  await env.DB.batch([LAST - 3, LAST, LAST + 40].map((day) => insert.bind(applicationId, day)))
}

/** Writes the figures of one part up to a day, as its object does, and acknowledges its changes. */
async function writeFigures(
  key: ObjectKey,
  number: number,
  { events, to, timeZone }: { readonly events: readonly PlainEvent[]; readonly to: number; readonly timeZone: string },
): Promise<void> {
  const [db, directory] = [openDatabase(bindingOf(env, number)), openDatabase(env.DB)]
  const own = events.filter((event) => event.telegram_id % countOf(key.objects) === key.part)
  const figures = Array.from({ length: DAYS }, (_, index) => figuresOf(to - index, own, timeZone)).map((day) => ({
    day: day.day,
    activeUsers: day.active_users,
    monthlyActiveUsers: day.monthly_active_users,
    newUsers: day.new_users,
    premiumUsers: day.premium_users,
    nonPremiumUsers: day.non_premium_users,
    events: day.events,
  }))
  const changes = await selectChanges(db, key, { limit: 1_000 })
  await acknowledge({ db, directory }, key, { figures, monthly: [], changes, asOf: Date.now() })
}
