import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** What replaces a name or a context's fingerprint that only an erased person had. The row stays, so that its id is not given again. */
export function erasedText(id: SQLWrapper): SQL {
  return sql`'erased ' || (${id})`
}

/** Whether it was erased; then nothing refers to the row. Erased names end with a random number, so that nobody sends one by chance. */
export function isErasedText(text: SQLWrapper, id: SQLWrapper): SQL {
  return sql`((${text}) = ${erasedText(id)} or (${text}) glob ${erasedText(id)} || ' *')`
}
