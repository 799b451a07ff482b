import { createHash } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { selectErasures } from './sql.ts'

const HASH_BYTES = 16

/** What the directory knows an erased user of an application by: 16 bytes in hexadecimal. */
export function userHashOf(applicationId: number, telegramId: number): string {
  const digest = createHash('sha256').update(`${applicationId} ${telegramId}`).digest()
  return digest.toString('hex', 0, HASH_BYTES)
}

export interface SentOf {
  readonly applicationId: number
  readonly telegramId: number
  /** When it was taken into the queue: milliseconds since 1970 UTC. */
  readonly enqueuedAt: number
}

/** Of what was sent, what may be stored: all but what came of a user before they were erased, or of one who is blocked. */
export async function withoutErased<Sent>(
  sent: readonly Sent[],
  of: (item: Sent) => SentOf,
  directory: Database,
): Promise<Sent[]> {
  const users = new Map<string, { applicationId: number; userHash: string }>()
  for (const { applicationId, telegramId } of sent.map(of)) {
    const name = `${applicationId} ${telegramId}`
    if (!users.has(name)) users.set(name, { applicationId, userHash: userHashOf(applicationId, telegramId) })
  }
  const rows = await selectErasures(directory, [...users.values()])
  const erasedUntil = new Map(
    rows.map((row) => [
      `${row.applicationId} ${row.userHash}`,
      row.isBlocked ? Number.POSITIVE_INFINITY : row.erasedAt,
    ]),
  )
  return sent.filter((item) => {
    const { applicationId, telegramId, enqueuedAt } = of(item)
    const user = users.get(`${applicationId} ${telegramId}`)
    return enqueuedAt > (erasedUntil.get(`${applicationId} ${user?.userHash}`) ?? Number.NEGATIVE_INFINITY)
  })
}
