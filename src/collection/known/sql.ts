import { sql } from 'drizzle-orm'
import type { BatchDatabase } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { contexts, eventIds, eventNames, users } from '../../storage/schema.ts'

/** What an application has once: its table, the column that tells one row from another, and that column's value of a key. */
const KINDS = {
  name: { table: eventNames, column: eventNames.name, value: cell(1) },
  context: { table: contexts, column: contexts.fingerprint, value: cell(1) },
  /** Ids of events: 16 bytes, in hexadecimal outside the database. */
  id: { table: eventIds, column: eventIds.eventId, value: sql`unhex(${cell(1)})` },
  user: { table: users, column: users.telegramId, value: cell(1) },
} as const

export type KnownKind = keyof typeof KINDS

/** The name, the context's fingerprint, the event's id or the user's messenger id. */
export type KnownKey = readonly [applicationId: number, value: string | number]

/** Those of these keys that are stored. */
export function selectKnown(db: BatchDatabase, kind: KnownKind, keys: readonly KnownKey[]) {
  const { table, column, value } = KINDS[kind]
  return db
    .select({ applicationId: table.applicationId, value: sql<string | number>`${cell(1)}`.as('value') })
    .from(sql`${each(keys)} as r`)
    .innerJoin(table, sql`${table.applicationId} = ${cell(0)} and ${column} = ${value}`)
}
