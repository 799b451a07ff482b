import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { toCountryName } from '../../base/text/country.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../operation.ts'
import { toReading } from '../reading.ts'
import { getUser, listUsers, UNKNOWN_USER, type UserSegmentationEntry } from './contract.ts'
import { withFirstTouchFields } from './first-touch-fields.ts'
import { readUser, readUsers } from './users.ts'

export const listUsersRoute = question(listUsers, async ({ query: params }, context) => {
  const { access } = context
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
  return {
    ...SUCCESS,
    limit,
    offset,
    data: await withFirstTouchFields(await readUsers(query, toReading(context)), context),
  }
})

export const getUserRoute = question(getUser, async ({ path }, context) => {
  const query = { applicationId: applicationOf(context.access).id, telegramId: path.telegram_id }
  const user = await readUser(query, toReading(context))
  if (!user) throw new Failure('not-found', UNKNOWN_USER)
  const [data] = (await withFirstTouchFields([user], context)) as [UserSegmentationEntry]
  return { data, ...SUCCESS }
})
