/** Prints what is wrong with a file of SQLite, or nothing. A process of its own, because it may take long. */
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

setPriority(constants.priority.PRIORITY_LOW)
console.log(faultOf(process.argv[2] ?? ''))

function faultOf(file: string): string {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    const result = String(db.prepare('pragma quick_check(1)').get()?.quick_check)
    // The first line only names the database, which has no name here.
    return result === 'ok' ? '' : (result.split('\n').at(-1) ?? '')
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    // Other errors, such as a lock, may pass.
    return errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB ? message : ''
  }
}
