import fc from 'fast-check'
import { expect, it } from 'vitest'
import { userDaysReport } from '../../../src/questions/user-days/user-days.ts'
import { holds } from '../../support/cases.ts'
import { madeHistory, type SentEvent } from '../../support/event-history.ts'
import { periodOf } from '../../support/made-up-questions.ts'
import { inSomeZone } from '../../support/moved-history.ts'
import { objectsOf } from '../../support/parts.ts'
import { daysOf, isIn, type Period, precedingPeriod } from '../../support/series-oracle.ts'
import { dayIn } from '../../support/zones.ts'

/** The rules (11), read event by event. */
function expected(events: readonly SentEvent[], telegramId: number, period: Period) {
  const all = events.filter(({ telegram_id }) => telegram_id === telegramId)
  if (all.length === 0) return null
  const own = all.filter(({ datetime }) => isIn(datetime, period))
  const names = [...Map.groupBy(own, ({ event_type }) => event_type)]
  return {
    events: daysOf(period).map((day) => own.filter(({ datetime }) => dayIn(datetime, period.timeZone) === day).length),
    before: all.filter(({ datetime }) => isIn(datetime, precedingPeriod(period))).length,
    names: names
      .map(([name, { length }]) => ({ name, events: length }))
      .sort((a, b) => b.events - a.events || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      .slice(0, 100),
  }
}

const cases = madeHistory.chain((history) =>
  periodOf(history, [1, 7, 31, 90]).map((period) => ({ history, asked: [{ question: period, path: '' }] })),
)

it.each([1, 2, 4])("a user's events per day equal a brute-force count with %i objects", async (count) => {
  await holds(
    fc.asyncProperty(cases.chain(inSomeZone), async ({ history: { events }, asked, timeZone }) => {
      const { ask } = objectsOf(events, count, {}, timeZone)
      for (const { question } of asked) {
        const { from, to } = question
        const length = to - from + 1
        for (const telegramId of [...new Set(events.map(({ telegram_id }) => telegram_id)), 77]) {
          const query = { telegramId, period: { from, to }, before: { from: from - length, to: from - 1 } }
          const told = JSON.stringify({ telegramId, from, to, timeZone, events })
          expect(await ask(userDaysReport, query), told).toEqual(expected(events, telegramId, { from, to, timeZone }))
        }
      }
    }),
    { atLeast: 10, atMost: 500, endOnFailure: true },
  )
})
