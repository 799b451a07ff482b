import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { figuresOf, type PlainEvent } from '../../support/figures-oracle.ts'
import { place, placements } from '../../support/placement.ts'

const DAY_MS = 86_400_000
const today = Math.floor(Date.now() / DAY_MS)

/** Three months with gaps over 30 days; times differ, so that no tie decides what a day's last event said. */
const history = fc.uniqueArray(
  fc.record({
    event_type: fc.constantFrom('a', 'b'),
    telegram_id: fc.integer({ min: 1, max: 5 }),
    datetime: fc.oneof(atAnyTime(), atMidnight(), lately()),
    session_id: fc.constantFrom('s1', 's2', undefined),
    is_premium: fc.constantFrom(true, false, undefined),
  }),
  { minLength: 1, maxLength: 30, selector: ({ datetime }) => datetime },
)

function atAnyTime() {
  return fc.integer({ min: (today - 100) * DAY_MS, max: today * DAY_MS })
}

function atMidnight() {
  return fc
    .tuple(fc.integer({ min: today - 100, max: today }), fc.constantFrom(-1, 0))
    .map(([day, ms]) => day * DAY_MS + ms)
}

/** Often several of a user on one day. */
function lately() {
  return fc.integer({ min: (today - 2) * DAY_MS, max: today * DAY_MS })
}

it("equals a count of each day's events after every round of collection", async () => {
  const rounds = fc.array(history, { minLength: 1, maxLength: 3 })
  await holds(
    fc.asyncProperty(rounds, placements(1), async (rounds, databases) => {
      const { applicationId } = await createPlainApplication()
      await place(applicationId, databases)
      const collected = new Map<number, PlainEvent>()
      for (const events of rounds) {
        const fresh = (events as PlainEvent[]).filter(({ datetime }) => !collected.has(datetime))
        for (const event of fresh) collected.set(event.datetime, event)
        if (fresh.length > 0) await deliver(messagesOf(applicationId, fresh))
        await settle(applicationId)
        expect(await readFigures(applicationId)).toEqual(expectedFigures([...collected.values()]))
      }
    }),
    { atLeast: 5, atMost: 40, endOnFailure: true },
  )
})

/** Runs until nothing is to be done, as the object's alarm does. */
async function settle(applicationId: number): Promise<void> {
  await env.APPLICATIONS.getByName(String(applicationId)).readChanges({ applicationId, objects: 1, part: 0 })
}

async function readFigures(applicationId: number) {
  const sql = `select day, active_users, monthly_active_users, new_users, premium_users, non_premium_users, events
    from daily_figures where application_id = ? and monthly_active_users > 0 order by day`
  const { results } = await env.DB.prepare(sql).bind(applicationId).all()
  return results
}

function expectedFigures(events: readonly PlainEvent[]) {
  const days = Array.from({ length: 103 }, (_, index) => today - 101 + index)
  return days.map((day) => figuresOf(day, events)).filter((figures) => figures.monthly_active_users > 0)
}
