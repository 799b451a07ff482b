import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { toCountryName } from '../../text/country.ts'
import { run } from '../run.ts'
import { listUsers } from './contract.ts'
import { usersReport } from './users.ts'

export const listUsersRoute = operation(
  listUsers,
  { header: 'x-api-key', scope: 'full' },
  async ({ query }, { questions, access }) => {
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
    return { ...SUCCESS, limit, offset, data: await run(usersReport, asked, questions) }
  },
)
