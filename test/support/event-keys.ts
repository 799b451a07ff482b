import { env } from 'cloudflare:workers'
import { identify } from '../../src/collection/identity.ts'
import { bindingOf, boundDatabases } from '../../src/storage/activity.ts'
import type { SentEvent } from './event-history.ts'
import { allRows } from './placement.ts'

/** The key under which a server's event is stored. At one instant, the event with the smaller key comes first. */
export function storedKeyOf({ event_id, telegram_id }: Pick<SentEvent, 'event_id' | 'telegram_id'>): number {
  return identify(
    { kind: 'event-id', eventId: event_id, telegramId: telegram_id },
    { scope: 'full', isTimeAssigned: false },
  ).key
}

/** All ids that are stored of an application, each once: one that was moved to several databases has them in each. */
export async function readIds(applicationId: number): Promise<string[]> {
  const rows = await allRows<{ id: string; members: number }>(
    'select lower(hex(event_id)) as id, members from event_ids where application_id = ?',
    applicationId,
  )
  const ids = rows.flatMap(({ id, members }) => {
    const byte = Number.parseInt(id.slice(10, 12), 16)
    const own = Array.from({ length: 32 }, (_, member) => member).filter((member) => (members >>> member) & 1)
    return own.map((member) => id.slice(0, 10) + (byte + member).toString(16).padStart(2, '0') + id.slice(12))
  })
  return [...new Set(ids)].sort()
}

/** Stores the ids of an application as release a465e32 did: each in a row to itself, in the first database. */
export async function storeIdsApart(applicationId: number): Promise<void> {
  const ids = await readIds(applicationId)
  for (const number of boundDatabases(env)) {
    const db = bindingOf(env, number)
    const insert = db.prepare(
      'insert into event_ids (application_id, event_id) select ?, unhex(value) from json_each(?)',
    )
    const clear = db.prepare('delete from event_ids where application_id = ?').bind(applicationId)
    await db.batch(number === 1 ? [clear, insert.bind(applicationId, JSON.stringify(ids))] : [clear])
  }
}
