import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toEventFields } from '../../../src/reports/events/contract.ts'
import { parseCursor, toCursor } from '../../../src/reports/user-events/query.ts'
import { readUserEvents, userEventsReport } from '../../../src/reports/user-events/user-events.ts'
import { holds } from '../../support/cases.ts'
import { answerUser } from '../../support/events-oracle.ts'
import { askParts, partsOf } from '../../support/parts.ts'
import { pausedHistory } from '../../support/paused-history.ts'

it.each([1, 2, 4])('tells from %i objects everything that a user did, page by page', async (objects) => {
  await holds(
    fc.asyncProperty(pausedHistory, fc.integer({ min: 1, max: 5 }), async ({ events }, limit) => {
      const parts = partsOf(events, objects)
      for (const telegramId of new Set(events.map(({ telegram_id }) => telegram_id))) {
        const expected = answerUser(events, telegramId)
        const pages = readPages(parts, { telegramId, limit })
        expect(pages.flat()).toEqual(expected)
        expect(pages).toHaveLength(Math.ceil(expected.length / limit))
      }
      expect(readPages(parts, { telegramId: 77, limit })).toEqual([])
    }),
    { atLeast: 20, atMost: 500 },
  )
})

function readPages(parts: ReturnType<typeof partsOf>, asked: { telegramId: number; limit: number }) {
  const pages: unknown[][] = []
  let before: ReturnType<typeof parseCursor> = null
  do {
    const query = { ...asked, before }
    const found = userEventsReport.result(
      askParts(parts, (columns) => readUserEvents(columns, query)),
      query,
    )
    if (!found) return pages
    pages.push(found.events.map((event) => ({ ...toEventFields(event), session: event.session })))
    const last = found.events.at(-1)
    before = found.hasMore && last ? parseCursor(toCursor(last)) : null
  } while (before)
  return pages
}
