import { applicationOf } from '../../access/access.ts'
import type { SourceRule } from '../../base/sources.ts'
import { toIso } from '../../base/time/days.ts'
import type { RequestContext } from '../../http/context.ts'
import { contextAtFirst, type FirstTouch, partsOfSource } from '../../questions/first-touches/first-touches.ts'
import { readFirstTouches } from '../../questions/first-touches/read.ts'
import type { ExportedUser, StoredUser } from './contract.ts'

/** Adds to users what is known of their first events. Objects may be some seconds behind the database. */
export async function* withFirstTouches(
  pieces: AsyncGenerator<StoredUser[]>,
  context: RequestContext,
): AsyncGenerator<ExportedUser[]> {
  // An export may take longer than a question.
  const asker = { ...context, elapsed: () => 0 }
  const { sources } = applicationOf(context.access)
  for await (const users of pieces) {
    const telegramIds = users.map(({ telegram_id }) => telegram_id)
    const touches = await readFirstTouches(telegramIds, asker)
    yield users.map((user) => ({ ...user, ...toFields(touches.get(user.telegram_id), sources) }))
  }
}

function toFields(
  touch: FirstTouch | undefined,
  sources: readonly SourceRule[] = [],
): Omit<ExportedUser, keyof StoredUser> {
  const acquired = touch?.acquired ?? null
  return {
    first: touch ? { time: toIso(touch.time), context: contextAtFirst(touch) } : null,
    acquired_by: acquired && { time: toIso(acquired.time), start_parameter: acquired.startParameter },
    ...partsOfSource(acquired?.startParameter ?? null, sources),
  }
}
