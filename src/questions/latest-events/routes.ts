import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { question } from '../engine/question.ts'
import { toEventFields } from '../events/contract.ts'
import { listLatestEvents } from './contract.ts'
import { latestEventsReport } from './latest-events.ts'

export const listLatestEventsRoute = question(
  listLatestEvents,
  async ({ query: { event, filters, limit } }, { ask }) => {
    const events = await ask(latestEventsReport, { event: toEventName(event), filters, limit })
    const data = events.map((found) => ({ ...toEventFields(found), telegram_id: found.telegramId }))
    return { ...SUCCESS, data }
  },
  { reports: [latestEventsReport] },
)
