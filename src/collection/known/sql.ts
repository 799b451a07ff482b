import { sql } from 'drizzle-orm'
import type { BatchDatabase } from '../../storage/database.ts'
import { contexts, eventIds, eventNames, users } from '../../storage/schema.ts'

export interface NameKey {
  readonly applicationId: number
  readonly name: string
}

export interface ContextKey {
  readonly applicationId: number
  readonly fingerprint: string
}

export interface EventIdKey {
  readonly applicationId: number
  /** 16 bytes in hexadecimal. */
  readonly id: string
}

/** Those of these names that are stored. */
export function selectKnownNames(db: BatchDatabase, names: readonly NameKey[]) {
  const { applicationId, name } = eventNames
  return db
    .select({ applicationId, name })
    .from(sql`json_each(${JSON.stringify(names)}) as r`)
    .innerJoin(eventNames, sql`${applicationId} = r.value ->> 'applicationId' and ${name} = r.value ->> 'name'`)
}

/** Those of these contexts that are stored. */
export function selectKnownContexts(db: BatchDatabase, keys: readonly ContextKey[]) {
  const { applicationId, fingerprint } = contexts
  return db
    .select({ applicationId, fingerprint })
    .from(sql`json_each(${JSON.stringify(keys)}) as r`)
    .innerJoin(
      contexts,
      sql`${applicationId} = r.value ->> 'applicationId' and ${fingerprint} = r.value ->> 'fingerprint'`,
    )
}

/** Those of these ids that events were stored under. */
export function selectKnownIds(db: BatchDatabase, ids: readonly EventIdKey[]) {
  const { applicationId, eventId } = eventIds
  return db
    .select({ applicationId, id: sql<string>`lower(hex(${eventId}))` })
    .from(sql`json_each(${JSON.stringify(ids)}) as r`)
    .innerJoin(eventIds, sql`${applicationId} = r.value ->> 'applicationId' and ${eventId} = unhex(r.value ->> 'id')`)
}

/** Those of these users of an application that are stored. */
export function selectKnownUsers(db: BatchDatabase, id: number, telegramIds: readonly number[]) {
  const { applicationId, telegramId } = users
  return db
    .select({ telegramId })
    .from(sql`json_each(${JSON.stringify(telegramIds)}) as r`)
    .innerJoin(users, sql`${applicationId} = ${id} and ${telegramId} = r.value`)
}
