import { toIso } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { listAuditEntries } from './contract.ts'
import { countAudit, selectAudit } from './sql.ts'

export const listAuditEntriesRoute = operation(
  listAuditEntries,
  { header: 'x-api-key', scope: 'full' },
  async ({ query: page }, { db, access: { accountId } }) => {
    const [rows, total] = await Promise.all([selectAudit(db, accountId, page), countAudit(db, accountId)])
    const data = rows.map(({ at, actorId, actorName, ...row }) => ({
      ...row,
      at: toIso(at),
      actor_id: actorId,
      actor_name: actorName || null,
    }))
    return { ...SUCCESS, ...page, total, data }
  },
)
