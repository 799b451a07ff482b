import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openDictionary } from '../../src/selection/dictionary.ts'
import { groupingByText } from '../../src/selection/grouping.ts'
import { type AskedHistories, rangesOf, readHistories } from '../../src/selection/histories.ts'
import { WHOLE } from '../../src/selection/share.ts'
import { holds } from '../support/cases.ts'
import { columnsOf, inOrder } from '../support/columns.ts'
import { DAY_MS, type SentEvent } from '../support/event-history.ts'
import { groupOf, passes } from '../support/filter-oracle.ts'
import { askedSegmentations } from '../support/made-up-questions.ts'
import { meantBy, runToEnd } from '../support/parts.ts'
import type { SegmentationQuestion } from '../support/segmentation-oracle.ts'

const cases = fc.record({
  made: askedSegmentations({ questions: 10 }),
  maxEvents: fc.constantFrom(1, 7, 1_000),
  eventsPerLeaf: fc.integer({ min: 1, max: 5 }),
  isAnyName: fc.boolean(),
})

it('tells what users did, user by user in order, however few of them at once', async () => {
  await holds(
    fc.property(cases, ({ made: { history, asked }, maxEvents, eventsPerLeaf, isAnyName }) => {
      const columns = columnsOf(history.events, { eventsPerLeaf })
      const names = isAnyName ? [...new Set(history.events.map(({ event_type }) => event_type))] : history.names
      for (const { question } of asked) {
        const { filters, groupBy } = meantBy(question)
        const grouping = groupBy.length > 0 ? groupingByText(columns, groupBy, openDictionary(WHOLE)) : null
        const codeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : null)
        const about = { days: question, codeOf, filters, grouping }
        const ranges = runToEnd(rangesOf(columns, about, maxEvents))
        expect(ranges.map(({ from }) => from)).toEqual([0, ...ranges.map(({ to }) => to)].slice(0, ranges.length))
        expect(ranges.at(-1)?.to ?? 0).toBe(columns.userCount)
        const told = ranges.flatMap((range) => toldIn(about, range))
        expect(told).toEqual(expectedOf(history.events, question, names))
      }

      function toldIn(about: AskedHistories, range: Parameters<typeof readHistories>[2]) {
        const { users, starts, times, codes, ...facts } = runToEnd(readHistories(columns, about, range))
        const withEvents = users.counts.filter((count) => count > 0).length
        expect(withEvents === 1 || times.length <= maxEvents).toBe(true)
        return Array.from({ length: users.to - users.from }, (_, user) => user).flatMap((user) =>
          Array.from({ length: (starts[user + 1] as number) - (starts[user] as number) }, (_, index) => {
            const event = (starts[user] as number) + index
            return {
              user: columns.telegramIdOf(users.from + user),
              time: times[event],
              name: names[codes?.[event] as number],
              isPassing: facts.passes ? facts.passes[event] === 1 : true,
              group: facts.groups ? about.grouping?.valuesOf(facts.groups[event] as number) : [],
            }
          }),
        )
      }
    }),
    { atLeast: 20, atMost: 1_000 },
  )
})

/** Users in the order in which they were first seen. */
function expectedOf(events: readonly SentEvent[], question: SegmentationQuestion, names: readonly string[]) {
  const { from, to, filters, groupBy } = question
  const byUser = Map.groupBy(inOrder(events), ({ telegram_id }) => telegram_id)
  return [...byUser.values()].flatMap((own) =>
    own
      .filter(({ datetime }) => datetime >= from * DAY_MS && datetime < (to + 1) * DAY_MS)
      .filter(({ event_type }) => names.includes(event_type))
      .map((event) => ({
        user: event.telegram_id,
        time: event.datetime,
        name: event.event_type,
        isPassing: passes(event, filters),
        group: groupOf(event, groupBy),
      })),
  )
}
