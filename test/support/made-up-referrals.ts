import fc from 'fast-check'
import { DAY_MS, type MadeHistory, type SentEvent } from './event-history.ts'
import { madePayments } from './made-up-payments.ts'

const USERS = 9

/** Few moments: many first events fall on one instant, where loops can be. */
const time = fc
  .tuple(fc.constantFrom(0, 0, 0, 1, 2, 7, 29, 30, 31, 60), fc.constantFrom(0, 0, 0, 1, DAY_MS - 1))
  .map(([days, ms]) => Date.parse('2026-03-01') + days * DAY_MS + ms)

/** Start parameters that name a user, by a number that is not exactly an id, nobody, or no number at all. */
const startParameter = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: USERS }).map((id) => `r.${id}`) },
  { weight: 1, arbitrary: fc.constantFrom('r.0', 'r.02', 'r.1x', 'r.99', 'r', 'r.1.2', '5.3', 'r.9007199254740993') },
  { weight: 3, arbitrary: fc.constant(undefined) },
)

/** First events that name others, themselves and each other, and whatever else users do. */
export const madeReferrals: fc.Arbitrary<MadeHistory> = fc
  .tuple(
    madePayments,
    fc.array(
      fc.record({
        event_type: fc.constantFrom('visit', 'Order'),
        telegram_id: fc.integer({ min: 1, max: USERS }),
        datetime: time,
        start_parameter: startParameter,
      }),
      { minLength: 4, maxLength: 24, size: 'max' },
    ),
    fc.boolean(),
  )
  .map(([payments, starts, hasPayments]) => {
    const [first = 0] = payments.events.map(({ datetime }) => datetime).sort((a, b) => a - b)
    const paid = payments.events.map((event) => ({
      ...event,
      datetime: event.datetime - first + Date.parse('2026-03-02'),
    }))
    const told = [...starts, ...(hasPayments ? paid : [])]
    return { ...payments, events: told.map((event, index): SentEvent => ({ ...event, event_id: `event ${index}` })) }
  })

/** Says that all events are stored. */
export async function noneGone() {
  const none = new Float64Array(0)
  return { ids: none, times: none, referrers: none }
}
