import type { z } from '@hono/zod-openapi'
import { ownerOf } from '../../access/access.ts'
import {
  type AccountApplication,
  changeDetails,
  findOwnApplication,
  listOwnApplications,
  lookUpOwnApplication,
  register,
} from '../../accounts/applications/applications.ts'
import {
  type ApplicationChanges,
  getApplication,
  listApplications,
  registerApplication,
  updateApplication,
} from '../../accounts/applications/contract.ts'
import { dataSince } from '../../accounts/applications/kept.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { changeApplications } from '../../http/api/api-key.ts'
import { operation } from '../../http/api/operation.ts'
import { changeTimeZone, requireChangeable, startInTimeZone } from './time-zone.ts'

const REGISTERED = { status_code: 201, message: 'Application registered successfully' } as const

export const registerApplicationRoute = operation(
  registerApplication,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ body }, context) => {
    const { db, env, access, now, defer } = context
    const { handle: named, photo_url: photoUrl, time_zone: timeZone, ...details } = body
    const { accountId, keyHash } = access
    const handle = named.slice(1)
    const owner = { accountId, applicationId: null }
    const changing = { db, env, now, defer }
    const known = timeZone === undefined ? null : await lookUpOwnApplication(db, handle, owner)
    // Nothing is changed where this is refused.
    if (known && timeZone !== undefined) await requireChangeable(known, timeZone, changing)
    const registering = { db, env, now, accountId, keyHash }
    const registered = changeApplications(context, [], () => register(handle, { ...details, photoUrl }, registering))
    const { projectId, isNew } = await registered
    if (timeZone !== undefined) {
      const setTimeZone = isNew ? startInTimeZone : changeTimeZone
      await setTimeZone(() => findOwnApplication(db, handle, owner), timeZone, changing)
    }
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
  async ({ path, body: { time_zone: timeZone, ...body } }, { db, env, access, now, defer }) => {
    const read = () => findOwnApplication(db, path.handle, ownerOf(access))
    const application = await read()
    const changing = { db, env, now, defer }
    // Nothing is changed where one of both is refused.
    if (timeZone !== undefined) await requireChangeable(application, timeZone, changing)
    const changed = await changeDetails(db, application, fromWire(body))
    if (timeZone === undefined) return { data: toWire(changed), ...SUCCESS }
    await changeTimeZone(read, timeZone, changing)
    return { data: toWire(await read()), ...SUCCESS }
  },
)

type Changes = Omit<z.output<typeof ApplicationChanges>, 'time_zone'>

function fromWire({ photo_url, bot_id, init_data_hours, verified_only, keep_months, ...details }: Changes) {
  const settings = { botId: bot_id, initDataHours: init_data_hours, verifiedOnly: verified_only }
  return { ...details, photoUrl: photo_url, ...settings, keepMonths: keep_months }
}

function toWire({ handle, name, link, description, photoUrl, projectId, createdAt, ...settings }: AccountApplication) {
  const { botId: bot_id, initDataHours: init_data_hours, verifiedOnly: verified_only, keepMonths, keptFrom } = settings
  const details = { name, link, description, photo_url: photoUrl, bot_id, init_data_hours, verified_only }
  const kept = { keep_months: keepMonths, data_since: keptFrom === null ? null : toDate(dataSince(keptFrom)) }
  const zones = { time_zone: settings.timeZone, time_zone_next: settings.timeZoneNext }
  return { handle, ...details, ...kept, ...zones, project_id: projectId, created_at: toIso(createdAt) }
}
