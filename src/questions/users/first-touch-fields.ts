import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import type { RequestContext } from '../../http/context.ts'
import { contextAtFirst, type FirstTouch, partsOfSource } from '../first-touches/first-touches.ts'
import { readFirstTouches } from '../first-touches/read.ts'
import type { FirstTouchFields, StoredUserEntry, UserSegmentationEntry } from './contract.ts'

/** Adds first-event data to users. Lists are as current as the database; what an object cannot say now is null. */
export async function withFirstTouchFields(
  users: readonly StoredUserEntry[],
  context: RequestContext,
): Promise<UserSegmentationEntry[]> {
  if (users.length === 0) return []
  const { sources = [] } = applicationOf(context.access)
  const touches = await findTouches(users, context)
  return users.map((user) => {
    const touch = touches.get(user.telegram_id)
    const startParameter = touch?.acquired?.startParameter ?? null
    const known: FirstTouchFields = {
      first: touch ? contextAtFirst(touch) : null,
      acquired_by: startParameter,
      ...partsOfSource(startParameter, sources),
    }
    return { ...user, ...known }
  })
}

async function findTouches(users: readonly StoredUserEntry[], context: RequestContext) {
  try {
    return await readFirstTouches(
      users.map(({ telegram_id: id }) => id),
      context,
    )
  } catch (error) {
    if (error instanceof Failure) return new Map<number, FirstTouch>()
    throw error
  }
}
