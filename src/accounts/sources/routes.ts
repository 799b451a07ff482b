import { ownerOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { changeSources, findOwnApplication } from '../applications/applications.ts'
import { getSources, replaceSources } from './contract.ts'

export const getSourcesRoute = operation(
  getSources,
  { header: 'x-api-key', scope: 'full' },
  async ({ path }, { db, access }) => {
    const { sources } = await findOwnApplication(db, path.handle, ownerOf(access))
    return { data: { sources: [...sources] }, ...SUCCESS }
  },
)

export const replaceSourcesRoute = operation(
  replaceSources,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, body: { sources } }, { db, access }) => {
    const { id } = await findOwnApplication(db, path.handle, ownerOf(access))
    await changeSources(db, id, sources)
    return { data: { sources }, ...SUCCESS }
  },
)
