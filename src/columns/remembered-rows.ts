import type { PropertyName } from '../base/event.ts'
import type { BatchDatabase } from '../storage/database.ts'
import type { ObjectKey } from '../storage/object-name.ts'
import { textOf } from './contexts.ts'
import type { RememberedRows } from './remembered.ts'
import { selectContexts, selectRemembered } from './sql.ts'

/** What the database remembers of these users; nothing of those it does not know. */
export async function readRememberedRows(
  db: BatchDatabase,
  application: Pick<ObjectKey, 'applicationId'>,
  telegramIds: readonly number[],
): Promise<RememberedRows> {
  const found = telegramIds.length > 0 ? await selectRemembered(db, application, telegramIds) : []
  return new Map(
    found.map(({ telegramId, time, context, startTime, startContext }) => [
      telegramId,
      { time, context, startTime: startTime ?? Number.POSITIVE_INFINITY, startContext: startContext ?? 0 },
    ]),
  )
}

type ContextTexts = Readonly<Partial<Record<PropertyName, string | null>>>

/** What these contexts say, by their ids in the database. */
export async function readContextTexts(
  db: BatchDatabase,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, ContextTexts>> {
  const rows = await selectContexts(db, [...new Set(ids)])
  return new Map(
    rows.map(({ id, ...values }) => [
      id,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)])),
    ]),
  )
}
