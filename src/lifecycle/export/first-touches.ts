import { applicationOf } from '../../access/access.ts'
import { propertyOf } from '../../base/event.ts'
import { toIso } from '../../base/time/days.ts'
import { CONTEXT_FIELDS } from '../../columns/selection/filter.ts'
import type { RequestContext } from '../../http/context.ts'
import { askAbout } from '../../questions/ask.ts'
import { type FirstTouch, firstTouchesReport } from '../../questions/first-touches/first-touches.ts'
import type { ExportedUser, StoredUser } from './contract.ts'
import { columnNameOf } from './names.ts'

/** Adds to users what the application's objects know of their first events. Objects may be some seconds behind the database. */
export async function* withFirstTouches(
  pieces: AsyncGenerator<StoredUser[]>,
  context: RequestContext,
): AsyncGenerator<ExportedUser[]> {
  // An export may take longer than a question, and its headers are sent before its end.
  const asker = { ...context, elapsed: () => 0, setHeader: () => undefined }
  for await (const users of pieces) {
    const telegramIds = users.map(({ telegram_id }) => telegram_id)
    const { data } = await askAbout(applicationOf(context.access), firstTouchesReport, { telegramIds }, asker)
    const touches = new Map(data.map((touch) => [touch.telegramId, touch]))
    yield users.map((user) => ({ ...user, ...toFields(touches.get(user.telegram_id)) }))
  }
}

function toFields(touch: FirstTouch | undefined): Pick<ExportedUser, 'first' | 'acquired_by'> {
  if (!touch) return { first: null, acquired_by: null }
  const { time, texts, acquired } = touch
  const known = CONTEXT_FIELDS.flatMap(({ name }, index) => {
    const text = texts[index] ?? null
    if (text === null) return []
    return [[columnNameOf(name), propertyOf(name).type === 'flag' ? text === 'true' : text] as const]
  })
  return {
    first: { time: toIso(time), context: Object.fromEntries(known) },
    acquired_by: acquired && { time: toIso(acquired.time), start_parameter: acquired.startParameter },
  }
}
