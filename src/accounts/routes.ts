import { Invalid } from '../base/errors.ts'
import { toIso } from '../base/time/days.ts'
import { SUCCESS } from '../http/api/answers.ts'
import { operation } from '../http/api/operation.ts'
import { type AccountKey, issueKeyFor, KeyRefused, revokeKeyOf } from './account-keys.ts'
import { issueKey, listKeys, revokeKey } from './contract.ts'
import { selectKeys } from './sql.ts'

export const listKeysRoute = operation(
  listKeys,
  { header: 'x-api-key', scope: 'full' },
  async (_input, { db, access }) => ({ data: (await selectKeys(db, access.accountId)).map(toWire), ...SUCCESS }),
)

export const issueKeyRoute = operation(
  issueKey,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ body: { handle, ...order } }, { db, access, now }) => {
    const { accountId } = access
    const issuing = issueKeyFor(db, { ...order, accountId, application: handle }, now)
    const { key, listed } = await issuing.catch((error) => {
      throw toFault(error)
    })
    return { data: { key, ...toWire(listed) }, ...SUCCESS }
  },
)

function toFault(error: unknown): unknown {
  if (!(error instanceof KeyRefused)) return error
  return new Invalid([{ loc: ['body', 'handle'], msg: error.message, type: 'value_error' }])
}

export const revokeKeyRoute = operation(
  revokeKey,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path: { id } }, { db, access: { accountId }, now }) => ({
    data: toWire(await revokeKeyOf(db, { accountId, id, now })),
    ...SUCCESS,
  }),
)

function toWire({ id, name, scope, persons, handle, lastFour, ...times }: AccountKey) {
  return {
    id,
    name,
    scope,
    persons,
    handle,
    last_four: lastFour,
    created_at: toIso(times.createdAt),
    last_used_at: isoOrNull(times.lastUsedAt),
    revoked_at: isoOrNull(times.revokedAt),
  }
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : toIso(time)
}
