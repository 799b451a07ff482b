import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { toCountryName } from '../../base/text/country.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../operation.ts'
import { toReading } from '../reading.ts'
import { getUser, listUsers, UNKNOWN_USER } from './contract.ts'
import { readUser, readUsers } from './users.ts'

export const listUsersRoute = question(listUsers, async ({ query: params }, { questions, env, access }) => {
  const { language, utm, city, limit, offset } = params
  const country = params.country && (toCountryName(params.country) ?? params.country)
  const query = {
    applicationId: applicationOf(access).id,
    filters: { language, utm, isPremium: params.is_premium, country, city },
    sortBy: params.sort_by,
    sortOrder: params.sort_order,
    limit,
    offset,
  }
  return { ...SUCCESS, limit, offset, data: await readUsers(query, toReading({ questions, env })) }
})

export const getUserRoute = question(getUser, async ({ path }, { questions, env, access }) => {
  const query = { applicationId: applicationOf(access).id, telegramId: path.telegram_id }
  const data = await readUser(query, toReading({ questions, env }))
  if (!data) throw new Failure('not-found', UNKNOWN_USER)
  return { data, ...SUCCESS }
})
