import fc from 'fast-check'
import { DAY_MS, type MadeHistory, madeHistory, type SentEvent } from './event-history.ts'

const SESSION_GAP_MS = 30 * 60 * 1000
const YESTERDAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - 1

/** Pauses of about the length that ends a session, or about as long in the middle of a half hour. */
const pause = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(-1, 0, 1).map((over) => SESSION_GAP_MS + over) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 1_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 * SESSION_GAP_MS }) },
)

/** Random histories in which users pause for about as long as makes two sessions of one. */
export const pausedHistory: fc.Arbitrary<MadeHistory> = madeHistory.chain((history) =>
  fc.array(fc.tuple(fc.nat(), fc.array(pause, { minLength: 1, maxLength: 6 })), { maxLength: 4 }).map((walks) => ({
    ...history,
    events: [...history.events, ...walks.flatMap((walk, number) => wander(history, walk, number))],
  })),
)

function wander({ events }: MadeHistory, [place, pauses]: [number, number[]], walk: number): SentEvent[] {
  const start = events[place % events.length] as SentEvent
  let { datetime } = start
  return pauses.map((length, step) => {
    datetime = Math.min(datetime + length, YESTERDAY)
    return { ...start, event_id: `walk ${walk} ${step}`, datetime }
  })
}
