import { applicationOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { type QuestionContext, question } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import { toEventFields } from '../events/contract.ts'
import { expectDeleted } from '../events/deleted.ts'
import { listUserEvents, toCursor } from './contract.ts'
import { type UserEvents, userEventsReport } from './user-events.ts'

export const listUserEventsRoute = question(
  listUserEvents,
  async ({ path, query: params }, context) => {
    const { event = null, limit, before = null } = params
    const query = { telegramId: path.telegram_id, event, limit, before }
    const found = await context.ask(userEventsReport, query)
    const user = { applicationId: applicationOf(context.access).id, telegramId: path.telegram_id }
    const { events, hasMore } = found ?? (await noneOf(user, context))
    const last = events.at(-1)
    return {
      ...SUCCESS,
      data: events.map((event) => ({ ...toEventFields(event), session: event.session })),
      next: hasMore && last ? toCursor(last) : null,
    }
  },
  { reports: [userEventsReport] },
)

/** An empty list for a user whose events are all deleted. Throws `not-found` for an unknown user. */
async function noneOf(user: Parameters<typeof expectDeleted>[0], context: QuestionContext): Promise<UserEvents> {
  await expectDeleted(user, context.calendar, toReading(context))
  return { events: [], hasMore: false }
}
