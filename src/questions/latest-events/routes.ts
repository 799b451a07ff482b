import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventName } from '../event-name.ts'
import { toEventFields } from '../events/contract.ts'
import { listLatestEvents } from './contract.ts'
import { latestEventsReport } from './latest-events.ts'

export const listLatestEventsRoute = operation(
  listLatestEvents,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const { event, filters, limit } = params
    const query = { event: toEventName(event), filters, limit }
    const { asOf, data: events } = await ask(latestEventsReport, query, context)
    context.setHeader(AS_OF_HEADER, asOf)
    const data = events.map((found) => ({ ...toEventFields(found), telegram_id: found.telegramId }))
    return { ...SUCCESS, data }
  },
)
