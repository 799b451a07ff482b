/** Checks files of SQLite, in a process of its own as it may take long: prints what is wrong with each that is damaged, as JSON. */
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

setPriority(constants.priority.PRIORITY_LOW)
console.log(JSON.stringify(process.argv.slice(2).flatMap(check)))

function check(file: string): { file: string; fault: string } | [] {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    // The first line only names the database, which has no name here.
    const [fault = ''] = String(db.prepare('pragma quick_check(1)').get()?.quick_check).split('\n').reverse()
    return fault === 'ok' ? [] : { file, fault }
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    // Anything else may pass, as a lock does.
    return errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB ? { file, fault: message } : []
  } finally {
    db?.close()
  }
}
