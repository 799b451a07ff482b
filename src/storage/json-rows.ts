import { getTableColumns, is, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

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
