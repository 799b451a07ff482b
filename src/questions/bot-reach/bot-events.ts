import { applicationOf } from '../../access/access.ts'
import type { RequestContext } from '../../http/context.ts'
import { askAbout } from '../engine/ask.ts'
import type { Report } from '../engine/report.ts'

/** Prefix of the names of events that a bot's client captures. */
export const BOT_PREFIX = 'telegram_'

/** Whether the application has events of a bot. */
export const botEventsReport: Report<object, boolean, boolean> = {
  name: 'bot events',
  *part(columns) {
    for (const { name } of columns.names()) {
      if (name.startsWith(BOT_PREFIX)) return true
      yield
    }
    return false
  },
  result: (parts) => parts.includes(true),
}

export async function hasBotEvents(context: RequestContext): Promise<boolean> {
  const { data } = await askAbout(applicationOf(context.access), botEventsReport, {}, context)
  return data
}
