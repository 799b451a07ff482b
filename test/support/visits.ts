import fc from 'fast-check'
import { DAY_MS, type MadeHistory, type SentEvent } from './event-history.ts'

/** Around the ends of months, leap days, and new years that fall into a week: 2020 has an ISO week 53, 2024 and 2026 do not. */
const SPECIAL_DAYS = ['2020-12-31', '2023-02-28', '2024-02-29', '2024-12-30', '2026-01-01', '2026-03-31', '2026-11-20']

/** From the first day on which anything happens: weeks and months long, and a day more or less. */
const OFFSETS = [0, 1, 2, 3, 6, 7, 8, 13, 14, 28, 29, 30, 31, 32, 59, 60, 61, 366]

const NAMES = ['visit', 'order', "o'rder"]
const PARAM_NAMES = ['plan', 'tags', 'with, comma']

/** Both ends of a day, and moments within it that events share. */
const timeOfDay = fc.constantFrom(0, 0, 1, 1000, DAY_MS / 2, DAY_MS / 2, DAY_MS - 1)

const word = fc.constantFrom('a', 'b', 'a, b', '(none)', '5', undefined)
const value = fc.constantFrom('a', 'b', 5, '5', true, null, ['a', 'b'], ['b'])

/** Days on which things happen: a few around one, or many of those that follow it. */
const days = fc
  .tuple(
    fc.constantFrom(...SPECIAL_DAYS),
    fc.integer({ min: -3, max: 1 }),
    fc.shuffledSubarray(OFFSETS, { minLength: 1 }),
  )
  .map(([special, shift, offsets]) => offsets.map((offset) => Date.parse(special) / DAY_MS + shift + offset))

/** Users whose visits are days, weeks and months apart, often at the same instant. */
export const madeVisits: fc.Arbitrary<MadeHistory> = days.chain(visitsOn)

/** A history of visits on these days since 1970. */
export function visitsOn(days: readonly number[]): fc.Arbitrary<MadeHistory> {
  const visit = fc.record({
    event_type: fc.constantFrom(...NAMES),
    telegram_id: fc.integer({ min: 1, max: 7 }),
    datetime: fc.tuple(fc.constantFrom(...days), timeOfDay).map(([day, time]) => day * DAY_MS + time),
    country: word,
    city: word,
    is_premium: fc.constantFrom(true, false, undefined),
    params: fc.option(fc.dictionary(fc.constantFrom(...PARAM_NAMES), value, { maxKeys: 2 })),
  })
  return fc.array(visit, { minLength: 1, maxLength: 40, size: 'max' }).chain((visits) =>
    // Ids decide which of several events of one instant is the first: in any order.
    fc
      .shuffledSubarray(
        visits.map((_, place) => place),
        { minLength: visits.length },
      )
      .map((ids) => ({
        events: visits.map((visit, place): SentEvent => ({ ...visit, event_id: `event ${ids[place]}` })),
        names: NAMES,
        path: NAMES,
        telling: ['country', 'city'],
        windows: [],
        paramNames: PARAM_NAMES,
      })),
  )
}
