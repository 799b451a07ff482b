import { and, eq, sql } from 'drizzle-orm'
import { EMPTY_CONTEXT_CELLS } from '../../base/event.ts'
import { idsOf } from '../../storage/activity.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { contexts, eventNames } from '../../storage/schema.ts'

/**
 * Reserves the greatest id that a database has given, if it belongs to the application whose names or contexts are deleted: otherwise
 * the id would be given again, and conflict when the application comes back with it.
 */
export function disownGreatest(
  db: BatchDatabase,
  name: 'names' | 'contexts',
  { applicationId, number }: { applicationId: number; number: number },
) {
  const { after, before } = idsOf(number)
  const table = name === 'names' ? eventNames : contexts
  const greatest = sql`(select g.id from ${table} as g where g.id > ${after} and g.id < ${before} order by g.id desc limit 1)`
  const isIt = and(eq(table.applicationId, applicationId), sql`${table.id} = ${greatest}`)
  const empty =
    name === 'names' ? { name: sql`${table.id}` } : { fingerprint: sql`${table.id}`, ...EMPTY_CONTEXT_CELLS }
  return db
    .update(table)
    .set({ applicationId: 0, ...empty })
    .where(isIt)
}

/** A referenced table, with the text that identifies its rows within an application. */
export function textsOf(name: 'names' | 'contexts') {
  const [table, text] = name === 'names' ? [eventNames, eventNames.name] : [contexts, contexts.fingerprint]
  return { table, fields: { id: table.id, text } }
}

export function selectTexts(db: Database, name: 'names' | 'contexts', ids: readonly number[]) {
  const { table, fields } = textsOf(name)
  return db
    .select(fields)
    .from(table)
    .where(sql`${fields.id} in (select value from ${each(ids)})`)
}

export function selectIds(
  db: Database,
  name: 'names' | 'contexts',
  { applicationId, texts }: { readonly applicationId: number; readonly texts: readonly string[] },
) {
  const { table, fields } = textsOf(name)
  return db
    .select(fields)
    .from(table)
    .where(and(eq(table.applicationId, applicationId), sql`${fields.text} in (select value from ${each(texts)})`))
}
