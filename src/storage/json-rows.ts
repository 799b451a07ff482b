import { getTableColumns, is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { UserShare } from './activity.ts'

/** Rows that travel as one bound parameter, however many they are: themselves, or a placeholder of their JSON. */
export type JsonRows = readonly unknown[] | Placeholder

/** Each row is an array; `cell` reads from the one named `r`. */
export function each(rows: JsonRows): SQL {
  return sql`json_each(${is(rows, Placeholder) ? rows : JSON.stringify(rows)})`
}

/** The cell at this place of the row `r`. */
export function cell(place: number): SQL {
  return sql`r.value ->> ${sql.raw(String(place))}`
}

/** Whether a messenger id is of these users. */
export function isOfShare(telegramId: SQL | SQLWrapper, { of, places }: UserShare): SQL {
  return of === 1 ? sql`true` : sql`${telegramId} % ${of} in (select value from ${each(places)})`
}

/** The name of a property's column, without its table. A new property has none until schema.ts gives it one. */
export function columnOf(table: SQLiteTable, property: string): SQL {
  const column = (getTableColumns(table) as Record<string, { readonly name: string }>)[property]
  if (!column) throw new Error(`No column for the property ${property}`)
  return sql`${sql.identifier(column.name)}`
}

/** For an upsert: a column keeps the word with the greatest stamp, in whatever order they come. Stamp 0 stands for "never said". */
export function keepLatest(column: SQL, stamp: SQL): SQL {
  return sql`
    ${column} = iif(excluded.${stamp} > ${stamp}, excluded.${column}, ${column}),
    ${stamp} = max(excluded.${stamp}, ${stamp})`
}

/** For an upsert: whether the new word was said before the one that is there. */
export function isEarlier(stamp: SQL): SQL {
  return sql`excluded.${stamp} > 0 and (${stamp} = 0 or excluded.${stamp} < ${stamp})`
}

/** For `insert(table).select(…)`: a table row for each of these rows. */
export function selectFromJson(table: SQLiteTable, rows: JsonRows, values: Record<string, SQL>): SQL {
  return sql`select ${inOrder(table, values)} from ${each(rows)} as r where true`
}

/** The values in the order of the table's columns, as an insert from a select wants them. */
function inOrder(table: SQLiteTable, values: Record<string, SQL>): SQL {
  const columns = Object.keys(getTableColumns(table))
  const missing = columns.filter((column) => !values[column])
  if (missing.length > 0) throw new Error(`No value for ${missing.join(', ')}`)
  return sql.join(
    columns.map((column) => values[column] as SQL),
    sql`, `,
  )
}
