import { getTableColumns, is, Placeholder, SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { CurrentDays } from '../base/time/current-days.ts'
import type { UserShare } from './activity.ts'
import { COUNT_MASK } from './object-name.ts'

/** Rows that are sent as a single bound parameter: the rows themselves, or a placeholder for their JSON. */
export type JsonRows = readonly unknown[] | Placeholder

/** Each row is an array; `cell` reads from the row named `r`. */
export function each(rows: JsonRows): SQL {
  return sql`json_each(${is(rows, Placeholder) ? rows : JSON.stringify(rows)})`
}

/** The cell of row `r` at this index. */
export function cell(index: number): SQL {
  return sql`r.value ->> ${sql.raw(String(index))}`
}

/** Whether a messenger id belongs to these users. */
export function isOfShare(telegramId: SQL | SQLWrapper, { of, places }: UserShare): SQL {
  return of === 1 ? sql`true` : sql`${telegramId} % ${of} in (select value from ${each(places)})`
}

/** Which day it is in a time zone. */
export function dayIn(timeZone: SQL | SQLWrapper, { utc, elsewhere }: CurrentDays): SQL {
  if (elsewhere.length === 0) return sql`${utc}`
  const days = elsewhere.map(
    ({ day, timeZones }) => sql`when ${timeZone} in (select value from ${each(timeZones)}) then ${day}`,
  )
  return sql`case ${sql.join(days, sql` `)} else ${utc} end`
}

/** How many objects a partitioning has, by its number. */
export function countIn(objects: SQL | SQLWrapper): SQL {
  return sql`(${objects} & ${sql.raw(String(COUNT_MASK))})`
}

/** The name of a property's column, without its table. Throws for a property that schema.ts has no column for. */
export function columnOf(table: SQLiteTable, property: string): SQL {
  const column = (getTableColumns(table) as Record<string, { readonly name: string }>)[property]
  if (!column) throw new Error(`No column for the property ${property}`)
  return sql`${sql.identifier(column.name)}`
}

/** For an upsert: a column keeps the value with the greatest version, in whatever order they arrive. Version 0 means "never set". */
export function keepLatest(column: SQL, stamp: SQL): SQL {
  return sql`
    ${column} = iif(excluded.${stamp} > ${stamp}, excluded.${column}, ${column}),
    ${stamp} = max(excluded.${stamp}, ${stamp})`
}

/** For an upsert: whether the new value is older than the stored one. */
export function isEarlier(stamp: SQL): SQL {
  return sql`excluded.${stamp} > 0 and (${stamp} = 0 or excluded.${stamp} < ${stamp})`
}

/** For `insert(table).select(…)`: a table row for each of these rows. */
export function selectFromJson(table: SQLiteTable, rows: JsonRows, values: Record<string, SQL>): SQL {
  return sql`select ${inOrder(table, values)} from ${each(rows)} as r where true`
}

/** For `insert(table).select(…)`: this row, if the condition holds. A missing column gets its default. */
export function selectRow<T extends SQLiteTable>(table: T, row: T['$inferInsert'], condition: SQL): SQL {
  const cells = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = (row as Record<string, unknown>)[name] ?? column.default ?? null
    return is(value, SQL) ? value : sql`${sql.param(value, column)}`
  })
  return sql`select ${sql.join(cells, sql`, `)} where ${condition}`
}

/** The values in the order of the table's columns, as an insert from a select requires. */
function inOrder(table: SQLiteTable, values: Record<string, SQL>): SQL {
  const columns = Object.keys(getTableColumns(table))
  const missing = columns.filter((column) => !values[column])
  if (missing.length > 0) throw new Error(`No value for ${missing.join(', ')}`)
  return sql.join(
    columns.map((column) => values[column] as SQL),
    sql`, `,
  )
}
