import { applicationOf } from '../../access/access.ts'
import { ACCEPTED } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { erase } from './begin.ts'
import { eraseUser } from './contract.ts'

export const eraseUserRoute = operation(
  eraseUser,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path: { telegram_id: telegramId }, query: { block } }, { access, env, now }) => {
    const { id: applicationId } = applicationOf(access)
    const erased = await erase({ applicationId, telegramId, block }, { env, now })
    return { data: { telegram_id: telegramId, ...erased }, ...ACCEPTED }
  },
)
