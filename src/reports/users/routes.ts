import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { Failure } from '../../errors.ts'
import { toCountryName } from '../../text/country.ts'
import { toReading } from '../reading.ts'
import { getUser, listUsers, UNKNOWN_USER } from './contract.ts'
import { readUser, readUsers } from './users.ts'

export const listUsersRoute = operation(
  listUsers,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query }, { questions, env, access }) => {
    const { language, utm, city, limit, offset } = query
    const country = query.country && (toCountryName(query.country) ?? query.country)
    const asked = {
      applicationId: applicationOf(access).id,
      filters: { language, utm, isPremium: query.is_premium, country, city },
      sortBy: query.sort_by,
      sortOrder: query.sort_order,
      limit,
      offset,
    }
    return { ...SUCCESS, limit, offset, data: await readUsers(asked, toReading({ questions, env })) }
  },
)

export const getUserRoute = operation(
  getUser,
  { header: 'x-api-key', scope: 'questions' },
  async ({ path }, { questions, env, access }) => {
    const asked = { applicationId: applicationOf(access).id, telegramId: path.telegram_id }
    const data = await readUser(asked, toReading({ questions, env }))
    if (!data) throw new Failure('not-found', UNKNOWN_USER)
    return { data, ...SUCCESS }
  },
)
