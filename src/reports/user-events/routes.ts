import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { Failure } from '../../errors.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventFields } from '../events/contract.ts'
import { UNKNOWN_USER } from '../users/contract.ts'
import { listUserEvents } from './contract.ts'
import { toCursor } from './query.ts'
import { userEventsReport } from './user-events.ts'

export const listUserEventsRoute = operation(
  listUserEvents,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path, query: asked }, context) => {
    const { limit, before = null } = asked
    const query = { telegramId: path.telegram_id, limit, before }
    const { asOf, data: found } = await ask(userEventsReport, query, context)
    if (!found) throw new Failure('not-found', UNKNOWN_USER)
    context.setHeader(AS_OF_HEADER, asOf)
    const { events, hasMore } = found
    const last = events.at(-1)
    return {
      ...SUCCESS,
      data: events.map((event) => ({ ...toEventFields(event), session: event.session })),
      next: hasMore && last ? toCursor(last) : null,
    }
  },
)
