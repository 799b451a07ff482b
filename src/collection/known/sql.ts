import { sql } from 'drizzle-orm'
import type { BatchDatabase } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { contexts, eventIds, eventNames, users } from '../../storage/schema.ts'
import { memberOf } from '../identity.ts'

/**
 * Ids of events: 16 bytes, in hexadecimal outside the database. Release a465e32 stored each as member 0 of a row of its own, which is
 * found by the whole id.
 */
const isStoredId = sql`${eventIds.eventId} in (unhex(${cell(1)}), unhex(${cell(2)}))
  and ${eventIds.members} >> iif(${eventIds.eventId} = unhex(${cell(1)}), 0, ${cell(3)}) & 1`

/** What an application has once: its table, and whether one of its rows is that of a key. */
const KINDS = {
  name: { table: eventNames, isOfKey: sql`${eventNames.name} = ${cell(1)}` },
  context: { table: contexts, isOfKey: sql`${contexts.fingerprint} = ${cell(1)}` },
  id: { table: eventIds, isOfKey: isStoredId },
  user: { table: users, isOfKey: sql`${users.telegramId} = ${cell(1)}` },
} as const

export type KnownKind = keyof typeof KINDS

/** The name, the context's fingerprint, the event's id or the user's messenger id. */
export type KnownKey = readonly [applicationId: number, value: string | number]

/** Selects which of these keys are stored. */
export function selectKnown(db: BatchDatabase, kind: KnownKind, keys: readonly KnownKey[]) {
  const { table, isOfKey } = KINDS[kind]
  return db
    .select({ applicationId: table.applicationId, value: sql<string | number>`${cell(1)}`.as('value') })
    .from(sql`${each(kind === 'id' ? keys.map(toIdCells) : keys)} as r`)
    .innerJoin(table, sql`${table.applicationId} = ${cell(0)} and ${isOfKey}`)
}

function toIdCells([applicationId, value]: KnownKey) {
  const { row, member } = memberOf(String(value))
  return [applicationId, value, row, member]
}
