import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type HistoriesQuery, rangesOf, readHistories, type UserRange } from '../../../src/questions/paths/histories.ts'
import { holds } from '../../support/cases.ts'
import { columnsOf, inOrder } from '../../support/columns.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { passes } from '../../support/filter-oracle.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { meantBy, runToEnd } from '../../support/parts.ts'
import type { SegmentationQuestion } from '../../support/segmentation-oracle.ts'

const cases = fc.record({
  made: askedSegmentations({ questions: 10 }),
  maxEvents: fc.constantFrom(1, 7, 1_000),
  eventsPerSegment: fc.integer({ min: 1, max: 5 }),
})

it('tells what users did, user by user in order, however few of them at once', async () => {
  await holds(
    fc.property(cases, ({ made: { history, asked }, maxEvents, eventsPerSegment }) => {
      const columns = columnsOf(history.events, { eventsPerSegment })
      const names = [...new Set(history.events.map(({ event_type }) => event_type))]
      for (const { question } of asked) {
        const { filters } = meantBy(question)
        const about = {
          days: question,
          numberOf: (name: string) => names.indexOf(name),
          filters,
          filtered: names[0] as string,
        }
        const ranges = runToEnd(rangesOf(columns, question, maxEvents))
        expect(ranges.map(({ from }) => from)).toEqual([0, ...ranges.map(({ to }) => to)].slice(0, ranges.length))
        expect(ranges.at(-1)?.to ?? 0).toBe(columns.userCount)
        const told = ranges.flatMap((range) => toldIn(about, range))
        expect(told).toEqual(expectedOf(history.events, question, about.filtered))
      }

      function toldIn(about: HistoriesQuery, range: UserRange) {
        const { users, starts, times, names: numbers, passes } = runToEnd(readHistories(columns, about, range))
        const withEvents = users.counts.filter((count) => count > 0).length
        expect(withEvents === 1 || times.length <= maxEvents).toBe(true)
        return Array.from({ length: users.to - users.from }, (_, user) => user).flatMap((user) =>
          Array.from({ length: (starts[user + 1] as number) - (starts[user] as number) }, (_, index) => {
            const event = (starts[user] as number) + index
            return {
              user: columns.telegramIdOf(users.from + user),
              time: times[event],
              name: names[numbers[event] as number],
              isPassing: passes ? passes[event] === 1 : null,
            }
          }),
        )
      }
    }),
    { atLeast: 20, atMost: 1_000 },
  )
})

/** Users in the order in which they were first seen. Events of other names are as if they did not pass. */
function expectedOf(events: readonly SentEvent[], { from, to, filters }: SegmentationQuestion, filtered: string) {
  const byUser = Map.groupBy(inOrder(events), ({ telegram_id }) => telegram_id)
  return [...byUser.values()].flatMap((own) =>
    own
      .filter(({ datetime }) => datetime >= from * DAY_MS && datetime < (to + 1) * DAY_MS)
      .map((event) => ({
        user: event.telegram_id,
        time: event.datetime,
        name: event.event_type,
        isPassing: filters.length > 0 ? event.event_type === filtered && passes(event, filters) : null,
      })),
  )
}
