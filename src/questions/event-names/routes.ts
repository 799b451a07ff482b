import { toPartOfName } from '../../base/text/text.ts'
import { toIso } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { askForList } from '../engine/lists.ts'
import { question } from '../engine/question.ts'
import { listEventNames } from './contract.ts'
import { eventNamesReport, nameUsers } from './event-names.ts'

export const listEventNamesRoute = question(
  listEventNames,
  async ({ query: params }, asking) => {
    const { filters, limit, offset } = params
    const query = { contains: toPartOfName(params.contains), filters, limit, offset, ...asking.period }
    const { names, total } = await askForList(eventNamesReport, query, asking)
    const data = names.map(({ first, last, ...counts }) => ({
      ...counts,
      first_seen_at: toIso(first),
      last_seen_at: toIso(last),
    }))
    return { ...SUCCESS, limit, offset, total, data }
  },
  {
    reports: [eventNamesReport],
    users: nameUsers,
    toldFirst: { events: `${listEventNames.path}?limit=100` },
  },
)
