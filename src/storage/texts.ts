import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { each } from './json-rows.ts'
import { contexts, eventNames } from './schema.ts'

/** A table that events refer to, with the text that identifies its rows within an application. */
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

/** What replaces a name or a context's fingerprint that only an erased person had. The row stays, so that its id is not given again. */
export function erasedText(id: SQLWrapper): SQL {
  return sql`'erased ' || (${id})`
}

/** Whether it was erased; then nothing refers to the row. Erased names end with a random number, so that nobody sends one by chance. */
export function isErasedText(text: SQLWrapper, id: SQLWrapper): SQL {
  return sql`((${text}) = ${erasedText(id)} or (${text}) glob ${erasedText(id)} || ' *')`
}
