import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toEventFields } from '../../../src/questions/events/contract.ts'
import { parseCursor, type TimelineCursor, toCursor } from '../../../src/questions/user-events/contract.ts'
import { type UserEvents, userEventsReport } from '../../../src/questions/user-events/user-events.ts'
import { holds } from '../../support/cases.ts'
import { answerUser } from '../../support/events-oracle.ts'
import { type Objects, objectsOf } from '../../support/parts.ts'
import { pausedHistory } from '../../support/paused-history.ts'

it.each([1, 2, 4])('lists all events of a user from %i objects, page by page', async (objects) => {
  await holds(
    fc.asyncProperty(pausedHistory, fc.integer({ min: 1, max: 5 }), fc.nat(), async ({ events }, limit, one) => {
      const all = objectsOf(events, objects)
      const name = events[one % events.length]?.event_type ?? ''
      for (const telegramId of new Set(events.map(({ telegram_id }) => telegram_id))) {
        for (const event of [null, name]) {
          const expected = answerUser(events, telegramId).filter((told) => event === null || told.name === event)
          const pages = await readPages(all, { telegramId, event, limit })
          expect(pages.flat()).toEqual(expected)
          expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)))
        }
      }
      expect(await readPages(all, { telegramId: 77, event: null, limit })).toEqual([])
    }),
    { atLeast: 10, atMost: 500 },
  )
})

it('a page ends if parameters take too many characters, and the next page continues there', async () => {
  const events = [1, 3, 1, 1, 1].map((count, datetime) => ({
    event_id: `${datetime}`,
    event_type: 'visit',
    telegram_id: 1,
    datetime,
    params: { text: 'a'.repeat(count * 10) },
  }))
  const { ask } = objectsOf(events, 1, { pageCharacters: 35 })
  const pageFrom = async (before: number | null) => {
    const position = before === null ? null : { time: before, key: 0 }
    const page = await ask(userEventsReport, { telegramId: 1, event: null, limit: 4, before: position })
    return { times: page?.events.map(({ time }) => time), hasMore: page?.hasMore }
  }
  expect(await pageFrom(null)).toEqual({ times: [4, 3], hasMore: true })
  expect(await pageFrom(3)).toEqual({ times: [2], hasMore: true })
  expect(await pageFrom(2)).toEqual({ times: [1], hasMore: true })
  expect(await pageFrom(1)).toEqual({ times: [0], hasMore: false })
})

async function readPages({ ask }: Objects, asked: { telegramId: number; event: string | null; limit: number }) {
  const pages: unknown[][] = []
  let before: TimelineCursor | null = null
  do {
    const found: UserEvents | null = await ask(userEventsReport, { ...asked, before })
    if (!found) return pages
    pages.push(found.events.map((event) => ({ ...toEventFields(event), session: event.session })))
    const last = found.events.at(-1)
    before = found.hasMore && last ? parseCursor(toCursor(last)) : null
  } while (before)
  return pages
}
