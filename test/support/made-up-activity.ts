import fc from 'fast-check'
import { askPeriod, toPath } from './asking.ts'
import { DAY_MS, type MadeHistory } from './event-history.ts'
import { type Asked, type AskedHistory, askedHistories, askFilters, filtersOf } from './made-up-questions.ts'
import type { Period } from './series-oracle.ts'
import type { ActivityQuestion } from './user-activity-oracle.ts'

export function askedActivities(
  histories: fc.Arbitrary<MadeHistory>,
  { questions, today }: { readonly questions: number; readonly today?: number },
): fc.Arbitrary<AskedHistory<ActivityQuestion>> {
  return askedHistories(histories, (history) => activityOf(history, today), questions)
}

/** A question asked on a given day or, without one, on some day around the period. */
function activityOf(history: MadeHistory, now: number | undefined): fc.Arbitrary<Asked<ActivityQuestion>> {
  return fc.tuple(periodAround(history), filtersOf(history), fc.nat()).chain(([{ from, to }, filters, place]) =>
    askFilters(filters).map((asked) => ({
      question: { from, to, filters, today: now ?? [to + 400, to + 1, to, to - 1, from, from - 1][place % 6] ?? to },
      path: toPath('/users/activity', [...askPeriod({ from, to }), ...asked]),
    })),
  )
}

/** A day, about a week or about a month; something happened within it, at either end, just outside or a month before. */
function periodAround({ events }: MadeHistory): fc.Arbitrary<Period> {
  const day = fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
  const length = fc.constantFrom(1, 1, 2, 3, 6, 7, 8, 29, 30, 31, 35)
  return fc.tuple(day, length, fc.constantFrom(-30, -29, -1, 0, 0, 1), fc.nat()).map(([day, length, shift, place]) => {
    const from = day - shift - (place % 2 === 0 ? place % length : 0)
    return { from, to: from + length - 1 }
  })
}
