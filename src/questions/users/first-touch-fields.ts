import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import type { RequestContext } from '../../http/context.ts'
import { askAbout } from '../ask.ts'
import { contextAtFirst, firstTouchesReport, partsOfSource } from '../first-touches/first-touches.ts'
import type { FirstTouchFields, StoredUserEntry, UserSegmentationEntry } from './contract.ts'

/**
 * Adds to users what the application's objects know of their first events. Lists of users are as current as the database: what an
 * object does not say right now is null.
 */
export async function withFirstTouchFields(
  users: readonly StoredUserEntry[],
  context: RequestContext,
): Promise<UserSegmentationEntry[]> {
  if (users.length === 0) return []
  const { sources = [] } = applicationOf(context.access)
  const touches = new Map((await findTouches(users, context)).map((touch) => [touch.telegramId, touch]))
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
  const telegramIds = users.map(({ telegram_id: id }) => id)
  const asker = { ...context, setHeader: () => undefined }
  try {
    return (await askAbout(applicationOf(context.access), firstTouchesReport, { telegramIds }, asker)).data
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
