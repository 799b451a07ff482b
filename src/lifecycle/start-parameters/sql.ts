import { and, eq, type SQL, sql } from 'drizzle-orm'
import { globOfId } from '../../base/text/messenger-ids.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { contexts, users } from '../../storage/schema.ts'

/** The tables with start parameters. */
export const TABLES = ['contexts', 'users'] as const

/** Rows of an application in one of these tables, in the order of their keys (fingerprints, or messenger ids). */
export interface ScannedRows {
  readonly applicationId: number
  readonly table: (typeof TABLES)[number]
  /** Rows after this key; null for the first ones. */
  readonly after: string | number | null
  /** The most rows of a step. */
  readonly rows: number
}

const TEXTS_AT_ONCE = 200
const CHANGED_AT_ONCE = 5_000

/** Rows with their ids and texts. */
function rowsOf({ applicationId, table, after, rows }: ScannedRows): SQL {
  if (table === 'contexts') {
    return sql`select c.id, c.fingerprint as key, c.start_parameter as text from ${contexts} as c
      where c.application_id = ${applicationId} and c.fingerprint > ${after ?? ''} order by c.fingerprint limit ${rows}`
  }
  return sql`select u.telegram_id as id, u.telegram_id as key, u.utm as text from ${users} as u
    where u.application_id = ${applicationId} and u.telegram_id > ${after ?? 0} order by u.telegram_id limit ${rows}`
}

/** The last key of a page, null if it is the last page; and the distinct texts that contain a messenger id, some if they are many. */
export function selectTextsWith(db: BatchDatabase, page: ScannedRows, telegramId: number) {
  const last = sql<string | number | null>`iif(count(*) = ${page.rows}, max(p.key), null)`
  const contains = sql`instr(p.text, ${String(telegramId)}) > 0 and ' ' || p.text || ' ' glob ${globOfId(telegramId)}`
  return [
    db.select({ last: last.as('last') }).from(sql`(${rowsOf(page)}) as p`),
    db
      .selectDistinct({ text: sql<string>`p.text`.as('text') })
      .from(sql`(${rowsOf(page)}) as p`)
      .where(contains)
      .limit(TEXTS_AT_ONCE),
  ] as const
}

type Replacements = readonly (readonly [text: string, replacement: string])[]

/** Replaces texts in some rows of a page. Deliveries with the new text get other contexts, as two may have become equal. */
export function replaceTexts(db: Database, page: ScannedRows, replacements: Replacements) {
  const { applicationId } = page
  const texts = sql`select ${cell(0)} from ${each(replacements)} as r`
  const ids = sql`select p.id from (${rowsOf(page)}) as p where p.text in (${texts}) limit ${CHANGED_AT_ONCE}`
  const replaced = (text: SQL) => sql`(select ${cell(1)} from ${each(replacements)} as r where ${cell(0)} = ${text})`
  if (page.table === 'contexts') {
    const { id, startParameter } = contexts
    return db
      .update(contexts)
      .set({ fingerprint: sql`'replaced ' || ${id}`, startParameter: replaced(sql`${startParameter}`) })
      .where(and(eq(contexts.applicationId, applicationId), sql`${id} in (${ids})`))
  }
  return db
    .update(users)
    .set({ utm: replaced(sql`${users.utm}`) })
    .where(and(eq(users.applicationId, applicationId), sql`${users.telegramId} in (${ids})`))
}
