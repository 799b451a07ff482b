import type { RequestContext } from '../../../http/context.ts'
import { toReading } from '../../../questions/engine/reading.ts'
import { readUsers } from '../../../questions/users/stored-users.ts'
import { attempt } from '../../request/problem.tsx'
import { nameOf } from './people.ts'

/** What users are called, by their messenger ids. */
export type UserNames = ReadonlyMap<number, string>

/** The names of those of these users who are stored. None if the database does not answer: ids do instead. */
export async function findNames(
  ids: readonly number[],
  applicationId: number,
  context: RequestContext,
): Promise<UserNames> {
  if (ids.length === 0) return new Map()
  const order = { sortBy: 'total_events', sortOrder: 'desc' } as const
  const query = { applicationId, filters: {}, among: ids, ...order, limit: ids.length, offset: 0 }
  const { data } = await attempt(readUsers(query, toReading(context)))
  return new Map(data?.map((user) => [user.telegram_id, nameOf(user)]))
}
