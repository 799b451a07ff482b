import type { z } from '@hono/zod-openapi'
import { ownerOf } from '../../access/access.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import {
  type AccountApplication,
  changeDetails,
  findOwnApplication,
  listOwnApplications,
  register,
} from './applications.ts'
import {
  type ApplicationChanges,
  getApplication,
  listApplications,
  registerApplication,
  updateApplication,
} from './contract.ts'
import { dataSince } from './kept.ts'

const REGISTERED = { status_code: 201, message: 'Application registered successfully' } as const

export const registerApplicationRoute = operation(
  registerApplication,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ body }, { db, env, access, now }) => {
    const { handle, photo_url: photoUrl, ...details } = body
    const { accountId, keyHash } = access
    const registering = { db, env, now, accountId, keyHash }
    const projectId = await register(handle.slice(1), { ...details, photoUrl }, registering)
    return { ...REGISTERED, project_id: projectId }
  },
)

export const listApplicationsRoute = operation(
  listApplications,
  { header: 'x-api-key', scope: 'full' },
  async (_input, { db, access }) => ({
    data: (await listOwnApplications(db, ownerOf(access))).map(toWire),
    ...SUCCESS,
  }),
)

export const getApplicationRoute = operation(
  getApplication,
  { header: 'x-api-key', scope: 'full' },
  async ({ path }, { db, access }) => ({
    data: toWire(await findOwnApplication(db, path.handle, ownerOf(access))),
    ...SUCCESS,
  }),
)

export const updateApplicationRoute = operation(
  updateApplication,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, body }, { db, access }) => {
    const application = await findOwnApplication(db, path.handle, ownerOf(access))
    return { data: toWire(await changeDetails(db, application, fromWire(body))), ...SUCCESS }
  },
)

type Changes = z.output<typeof ApplicationChanges>

function fromWire({ photo_url, bot_id, init_data_hours, verified_only, keep_months, ...details }: Changes) {
  const settings = { botId: bot_id, initDataHours: init_data_hours, verifiedOnly: verified_only }
  return { ...details, photoUrl: photo_url, ...settings, keepMonths: keep_months }
}

function toWire({ handle, name, link, description, photoUrl, projectId, createdAt, ...settings }: AccountApplication) {
  const { botId: bot_id, initDataHours: init_data_hours, verifiedOnly: verified_only, keepMonths, keptFrom } = settings
  const details = { name, link, description, photo_url: photoUrl, bot_id, init_data_hours, verified_only }
  const kept = { keep_months: keepMonths, data_since: keptFrom === null ? null : toDate(dataSince(keptFrom)) }
  return { handle, ...details, ...kept, project_id: projectId, created_at: toIso(createdAt) }
}
