import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { counted } from './terminal.ts'
import { STATE } from './wrangler.ts'

/** The objects of applications, under the first name of their class. */
const FOLDER = join(STATE, 'v3', 'do', 'mauve-RollupObject')

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const BROKEN = new Set<unknown>([11, 26])

/**
 * Removes the files of objects that the runtime cannot open, or in which it cannot read its own tables. It does not start them,
 * so they cannot repair themselves. The next question creates a new object, which reads everything from the database.
 */
export function removeBrokenObjects(folder = FOLDER): void {
  if (!existsSync(folder)) return
  const files = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  const broken = files.map((name) => join(folder, name)).filter(isBroken)
  for (const file of broken) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  if (broken.length > 0) {
    console.error(
      `Removed ${counted(broken.length, 'damaged object files')}. The columns are read again from the database.`,
    )
  }
}

function isBroken(file: string): boolean {
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    const tables = database.prepare("select name from sqlite_master where name like '\\_cf\\_%' escape '\\'").all()
    for (const { name } of tables) for (const _ of database.prepare(`select * from ${name}`).iterate());
    return false
  } catch (error) {
    return BROKEN.has((error as { errcode?: unknown }).errcode)
  }
}
