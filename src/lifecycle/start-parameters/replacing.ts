import { withoutIds } from '../../base/text/messenger-ids.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { replaceTexts, type ScannedRows, selectTextsWith, TABLES } from './sql.ts'

/** How far the start parameters of an application were looked at: the index of a database and of a table there, and the last row. */
export interface ScanProgress extends Pick<ScannedRows, 'after'> {
  readonly database: number
  readonly table: number
}

export const SCAN_START: ScanProgress = { database: 0, table: 0, after: null }

/** Rows of a step, which take the database about 50 ms. */
const ROWS = 100_000

interface Scanning {
  readonly applicationId: number
  readonly telegramId: number
  readonly databases: readonly BatchDatabase[]
  readonly fencedBatch: (db: BatchDatabase) => Promise<BatchDatabase['batch']>
}

/**
 * Replaces the id of an erased user in some start parameters. Returns where to look next, null if all were looked at. It raises the
 * fence of a database first: what is decided from then on knows of the erasure and brings no such start parameter.
 */
export async function replaceSome(
  scan: ScanProgress,
  { applicationId, telegramId, databases, fencedBatch }: Scanning,
  rows = ROWS,
): Promise<ScanProgress | null> {
  const db = databases[scan.database]
  const table = TABLES[scan.table]
  if (!db) return null
  if (!table) return { ...SCAN_START, database: scan.database + 1 }
  const page = { applicationId, table, after: scan.after, rows }
  const batch = await fencedBatch(db)
  if (scan.table === 0 && scan.after === null) await batch([raiseFence(db, applicationId)])
  const [[found], texts] = await db.batch(selectTextsWith(db, page, telegramId))
  if (texts.length > 0) {
    const replacements = texts.map(({ text }) => [text, withoutIds(text, (id) => id === telegramId)] as const)
    const replace = await fencedBatch(db)
    await replace([replaceTexts(db, page, replacements)])
    // There may be more of them on this page.
    return scan
  }
  const after = found?.last ?? null
  return after === null ? { ...scan, table: scan.table + 1, after: null } : { ...scan, after }
}
