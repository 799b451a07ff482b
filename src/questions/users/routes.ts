import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { UNKNOWN_USER } from '../engine/contract.ts'
import { question } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import { firstTouchesReport } from '../first-touches/first-touches.ts'
import { getUser, listUsers, type UserSegmentationEntry } from './contract.ts'
import { withFirstTouchFields } from './first-touch-fields.ts'
import { toListQuery } from './list-query.ts'
import { readUser, readUsers } from './stored-users.ts'

export const listUsersRoute = question(
  listUsers,
  async ({ query: params }, context) => {
    const { limit, offset } = params
    const query = toListQuery(params, applicationOf(context.access).id)
    return {
      ...SUCCESS,
      limit,
      offset,
      data: await withFirstTouchFields(await readUsers(query, toReading(context)), context),
    }
  },
  { reports: [firstTouchesReport], isCovered: true },
)

export const getUserRoute = question(getUser, async ({ path }, context) => {
  const query = { applicationId: applicationOf(context.access).id, telegramId: path.telegram_id }
  const user = await readUser(query, toReading(context))
  if (!user) throw new Failure('not-found', UNKNOWN_USER)
  const [data] = (await withFirstTouchFields([user], context)) as [UserSegmentationEntry]
  return { data, ...SUCCESS }
})
