import { applicationOf } from '../../access/access.ts'
import type { SourceRule } from '../../base/sources.ts'
import { toIso } from '../../base/time/days.ts'
import type { RequestContext } from '../../http/context.ts'
import { askAbout } from '../../questions/ask.ts'
import {
  contextAtFirst,
  type FirstTouch,
  firstTouchesReport,
  partsOfSource,
} from '../../questions/first-touches/first-touches.ts'
import type { ExportedUser, StoredUser } from './contract.ts'

/** Adds to users what the application's objects know of their first events. Objects may be some seconds behind the database. */
export async function* withFirstTouches(
  pieces: AsyncGenerator<StoredUser[]>,
  context: RequestContext,
): AsyncGenerator<ExportedUser[]> {
  // An export may take longer than a question, and its headers are sent before its end.
  const asker = { ...context, elapsed: () => 0, setHeader: () => undefined }
  const application = applicationOf(context.access)
  for await (const users of pieces) {
    const telegramIds = users.map(({ telegram_id }) => telegram_id)
    const { data } = await askAbout(application, firstTouchesReport, { telegramIds }, asker)
    const touches = new Map(data.map((touch) => [touch.telegramId, touch]))
    yield users.map((user) => ({ ...user, ...toFields(touches.get(user.telegram_id), application.sources) }))
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
