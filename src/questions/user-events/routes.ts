import { applicationOf } from '../../access/access.ts'
import { type ActivitySource, readKeeping } from '../../accounts/applications/placement.ts'
import { Failure } from '../../base/errors.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventFields } from '../events/contract.ts'
import { question } from '../operation.ts'
import { toReading } from '../reading.ts'
import { UNKNOWN_USER } from '../users/contract.ts'
import { readUser } from '../users/users.ts'
import { listUserEvents, toCursor } from './contract.ts'
import { type UserEvents, userEventsReport } from './user-events.ts'

export const listUserEventsRoute = question(
  listUserEvents,
  async ({ path, query: params }, context) => {
    const { limit, before = null } = params
    const query = { telegramId: path.telegram_id, limit, before }
    const found = await context.ask(userEventsReport, query)
    const user = { applicationId: applicationOf(context.access).id, telegramId: path.telegram_id }
    const { events, hasMore } = found ?? (await nothingLeftOf(user, context.calendar, toReading(context)))
    const last = events.at(-1)
    return {
      ...SUCCESS,
      data: events.map((event) => ({ ...toEventFields(event), session: event.session })),
      next: hasMore && last ? toCursor(last) : null,
    }
  },
  { reports: [userEventsReport] },
)

/** No event of somebody who was there before the first day that is kept. Throws `not-found` of anybody else. */
async function nothingLeftOf(
  user: Parameters<typeof readUser>[0],
  { dayOf }: Calendar,
  reading: ActivitySource,
): Promise<UserEvents> {
  const [{ keptFrom }, known] = await Promise.all([
    readKeeping(reading.directory, user.applicationId),
    readUser(user, reading),
  ])
  const wasThereBefore = known !== null && keptFrom !== null && dayOf(Date.parse(known.first_active_at)) < keptFrom
  if (!wasThereBefore) throw new Failure('not-found', UNKNOWN_USER)
  return { events: [], hasMore: false }
}
