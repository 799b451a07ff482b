import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { countLiveUsers } from './contract.ts'
import { LIVE_MINUTES, LIVE_MS, liveUsersReport } from './live-users.ts'

export const countLiveUsersRoute = question(
  countLiveUsers,
  async ({ query: { filters } }, { ask, now }) => {
    const span = { from: now - LIVE_MS + 1, to: now + 1 }
    const users = await ask(liveUsersReport, { filters, span })
    return { data: { users, minutes: LIVE_MINUTES }, ...SUCCESS }
  },
  { reports: [liveUsersReport] },
)
