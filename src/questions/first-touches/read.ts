import { applicationOf } from '../../access/access.ts'
import { type ActivityPart, type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { isAcquired } from '../../columns/remembered.ts'
import { readContextTexts, readRememberedRows } from '../../columns/remembered-rows.ts'
import { CONTEXT_FIELDS } from '../../columns/selection/filter.ts'
import type { RequestContext } from '../../http/context.ts'
import { askAbout } from '../engine/ask.ts'
import { toReading } from '../engine/reading.ts'
import { type FirstTouch, firstTouchesReport } from './first-touches.ts'

type ReadContext = Pick<RequestContext, 'access' | 'env' | 'questions' | 'elapsed'>

/** Limited because a bound value may be 2 MB long, and this many first touches take a few megabytes. */
const USERS_AT_ONCE = 10_000

/**
 * Reads first touches by messenger id: from the application's objects and, for users whose events are all deleted, from
 * what the databases remember. Throws as `askAbout` does.
 */
export async function readFirstTouches(
  telegramIds: readonly number[],
  context: ReadContext,
): Promise<ReadonlyMap<number, FirstTouch>> {
  const application = applicationOf(context.access)
  const found = new Map<number, FirstTouch>()
  for (let from = 0; from < telegramIds.length; from += USERS_AT_ONCE) {
    const asked = telegramIds.slice(from, from + USERS_AT_ONCE)
    const askContext = { ...context, setHeader: () => undefined }
    const { data } = await askAbout(application, firstTouchesReport, { telegramIds: asked }, askContext)
    for (const touch of data) found.set(touch.telegramId, touch)
    const unknown = asked.filter((id) => !found.has(id))
    const remembered = await readRemembered(application.id, unknown, toReading(context))
    for (const touch of remembered) found.set(touch.telegramId, touch)
  }
  return found
}

async function readRemembered(
  applicationId: number,
  telegramIds: readonly number[],
  reading: ActivitySource,
): Promise<FirstTouch[]> {
  if (telegramIds.length === 0) return []
  return readActivity(applicationId, reading, async (parts) => {
    const found = parts.map((part) => rememberedIn(part, applicationId, telegramIds.filter(part.has)))
    return (await Promise.all(found)).flat()
  })
}

async function rememberedIn(
  { db }: ActivityPart,
  applicationId: number,
  telegramIds: readonly number[],
): Promise<FirstTouch[]> {
  const rows = await readRememberedRows(db, { applicationId }, telegramIds)
  if (rows.size === 0) return []
  const contextIds = [...rows.values()].flatMap(({ context, startContext }) => [context, startContext])
  const contexts = await readContextTexts(db, contextIds)
  return [...rows].map(([telegramId, remembered]) => {
    const texts = CONTEXT_FIELDS.map(({ name }) => contexts.get(remembered.context)?.[name] ?? null)
    const startParameter = contexts.get(remembered.startContext)?.startParameter ?? null
    const acquired =
      startParameter === null || !isAcquired(remembered) ? null : { time: remembered.startTime, startParameter }
    return { telegramId, time: remembered.time, texts, acquired }
  })
}
