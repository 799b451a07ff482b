import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toEventFields } from '../../../src/questions/events/contract.ts'
import { parseCursor, toCursor } from '../../../src/questions/user-events/contract.ts'
import { readUserEvents, userEventsReport } from '../../../src/questions/user-events/user-events.ts'
import { holds } from '../../support/cases.ts'
import { columnsOf } from '../../support/columns.ts'
import { answerUser } from '../../support/events-oracle.ts'
import { askParts, partsOf, runToEnd } from '../../support/parts.ts'
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

it('a page ends where the parameters of its events are too many characters; the next one goes on there', () => {
  const events = [1, 3, 1, 1, 1].map((count, datetime) => ({
    event_id: `${datetime}`,
    event_type: 'visit',
    telegram_id: 1,
    datetime,
    params: { text: 'a'.repeat(count * 10) },
  }))
  const columns = columnsOf(events)
  const pageFrom = (before: number | null) => {
    const position = before === null ? null : { time: before, key: 0 }
    const page = runToEnd(readUserEvents(columns, { telegramId: 1, limit: 4, before: position }, 35))
    return { times: page?.events.map(({ time }) => time), hasMore: page?.hasMore }
  }
  expect(pageFrom(null)).toEqual({ times: [4, 3], hasMore: true })
  expect(pageFrom(3)).toEqual({ times: [2], hasMore: true })
  expect(pageFrom(2)).toEqual({ times: [1], hasMore: true })
  expect(pageFrom(1)).toEqual({ times: [0], hasMore: false })
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
