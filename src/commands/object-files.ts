import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KEPT } from './wrangler.ts'

/** Of the applications' objects, by the class's first name. */
const FOLDER = join(KEPT, 'state', 'v3', 'do', 'mauve-RollupObject')

/** What SQLite says of a file that is no database, or none any more. */
const BROKEN = new Set([11, 26])

/**
 * Removes the files of objects that the runtime cannot open, or whose tables of its own it cannot read: it does not even start
 * such an object, so that cannot mend itself. With the next question it makes another one and reads everything from the database.
 */
export function removeBrokenObjects(folder = FOLDER): void {
  if (!existsSync(folder)) return
  const files = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  const broken = files.map((name) => join(folder, name)).filter(isBroken)
  for (const file of broken) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  // Beside what a command answers.
  if (broken.length > 0)
    console.error(`Removed ${broken.length} damaged object files: their columns are read again from the database.`)
}

function isBroken(file: string): boolean {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const tables = database.prepare("select name from sqlite_master where name like '\\_cf\\_%' escape '\\'").all()
      for (const { name } of tables) for (const _ of database.prepare(`select * from ${name}`).iterate());
    } finally {
      database.close()
    }
    return false
  } catch (error) {
    return BROKEN.has((error as { errcode?: number }).errcode ?? 0)
  }
}
