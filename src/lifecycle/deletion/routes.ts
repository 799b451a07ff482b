import { ownerOf } from '../../access/access.ts'
import { findOwnApplication, isSameHandle } from '../../accounts/applications/applications.ts'
import { Invalid } from '../../base/errors.ts'
import { ACCEPTED } from '../../http/api/answers.ts'
import { changeApplications } from '../../http/api/api-key.ts'
import { operation } from '../../http/api/operation.ts'
import { CONFIRM, deleteApplication } from './contract.ts'
import { beginDeleting } from './delete.ts'

export const deleteApplicationRoute = operation(
  deleteApplication,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, query: { confirm } }, context) => {
    const { db, env, access, now, elapsed } = context
    const application = await findOwnApplication(db, path.handle, ownerOf(access))
    const { handle, projectId } = application
    if (!isSameHandle(confirm, handle)) throw new Invalid([NOT_CONFIRMED])
    await changeApplications(context, [projectId], () => beginDeleting(application, { env, now: now + elapsed() }))
    return { data: { handle }, ...ACCEPTED }
  },
)

const NOT_CONFIRMED = { loc: ['query', 'confirm'], msg: CONFIRM, type: 'value_error' }
