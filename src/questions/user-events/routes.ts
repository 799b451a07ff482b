import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { toEventFields } from '../events/contract.ts'
import { expectDeleted } from '../events/deleted.ts'
import { listUserEvents, toCursor } from './contract.ts'
import { userEventsReport } from './user-events.ts'

export const listUserEventsRoute = question(
  listUserEvents,
  async ({ path: { telegram_id: telegramId }, query: params }, context) => {
    const { event = null, limit, before = null } = params
    const found = await context.ask(userEventsReport, { telegramId, event, limit, before })
    if (!found) await expectDeleted(telegramId, context)
    const { events = [], hasMore = false } = found ?? {}
    const last = events.at(-1)
    return {
      ...SUCCESS,
      data: events.map((event) => ({ ...toEventFields(event), session: event.session })),
      next: hasMore && last ? toCursor(last) : null,
    }
  },
  { reports: [userEventsReport] },
)
