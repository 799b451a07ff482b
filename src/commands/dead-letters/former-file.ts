import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { idOf } from '../../dead-letters/keeping.ts'
import { insertDeadLetter, type NewDeadLetter } from '../../dead-letters/sql.ts'
import { openDatabaseAt } from '../database.ts'
import { KEPT } from '../wrangler.ts'

const AT_ONCE = 100

/**
 * Takes over the file in which the release before kept dead letters, a line of JSON each, then deletes it. Begun again after a
 * crash it adds nothing twice. Returns how many there were.
 */
export async function takeOverFormerFile(file = join(KEPT, 'dead-letters.ndjson')): Promise<number> {
  if (!existsSync(file)) return 0
  const lines = readFileSync(file, 'utf8').split('\n')
  const letters = lines.flatMap((line, place) => (line === '' ? [] : [toLetter(line, place)]))
  const db = openDatabaseAt('local')
  for (let from = 0; from < letters.length; from += AT_ONCE) {
    const [first, ...others] = letters.slice(from, from + AT_ONCE).map((letter) => insertDeadLetter(db, letter))
    if (first) await db.batch([first, ...others])
  }
  rmSync(file)
  return letters.length
}

function toLetter(line: string, place: number): NewDeadLetter {
  const { at, body } = parse(line)
  const putAsideAt = Date.parse(at) || 0
  return { id: idOf(`line ${place}`, putAsideAt, body), body, putAsideAt }
}

/** A process that was killed may have left half a line. */
function parse(line: string): { at: string; body: string } {
  try {
    const { at, body } = JSON.parse(line)
    return { at: String(at), body: String(body) }
  } catch {
    return { at: '', body: line }
  }
}
