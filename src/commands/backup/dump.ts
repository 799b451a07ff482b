import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

interface Statement {
  readonly text: Buffer
  /** The table into which it inserts; null if it does something else. */
  readonly table: string | null
  readonly rows: number
}

const [QUOTE, OPEN, CLOSE, SEMICOLON] = ["'", '(', ')', ';'].map((sign) => sign.charCodeAt(0))
/** Enough of a statement to recognize it. */
const BEGINNING = 400
const INSERT = /^\s*insert\s+into\s+["'`[]?(\w+)["'`\]]?\s*(\()?/i

async function* statementsOf(file: string): AsyncGenerator<Statement> {
  let parts: Buffer[] = []
  let [isText, depth, groups] = [false, 0, 0]
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]
      if (byte === QUOTE) isText = !isText
      else if (isText) continue
      else if (byte === OPEN) groups += depth++ === 0 ? 1 : 0
      else if (byte === CLOSE) depth -= 1
      else if (byte === SEMICOLON) {
        yield toStatement(Buffer.concat([...parts, chunk.subarray(start, index + 1)]), groups)
        ;[start, parts, groups] = [index + 1, [], 0]
      }
    }
    parts.push(chunk.subarray(start))
  }
}

/** `groups` counts the outer parentheses: rows, and perhaps the names of the columns before them. */
function toStatement(text: Buffer, groups: number): Statement {
  const [, table = null, columns] = INSERT.exec(text.toString('utf8', 0, BEGINNING)) ?? []
  return { text, table, rows: table === null ? 0 : groups - (columns ? 1 : 0) }
}

function isOurs(table: string | null): table is string {
  return table !== null && !table.startsWith('sqlite_')
}

/** Counts the rows that a dump inserts into each table but SQLite's own. */
export async function countRows(file: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const { table, rows } of statementsOf(file)) {
    if (isOurs(table)) counts[table] = (counts[table] ?? 0) + rows
  }
  return counts
}

const REFERRED_TO = ['accounts', 'applications']

/**
 * Rewrites a dump so that tables come first, and each row follows those to which it refers: D1 exports one table after another, and
 * does not import that if a table refers to a later one.
 */
export async function writeInOrder(dump: string, file: string): Promise<void> {
  async function* ordered() {
    for (let turn = 0; turn <= LAST_TURN; turn++) {
      for await (const statement of statementsOf(dump)) if (turnOf(statement) === turn) yield statement.text
    }
  }
  await pipeline(ordered, createWriteStream(file, { mode: 0o600 }))
}

const LAST_TURN = REFERRED_TO.length + 2

function turnOf({ text, table }: Statement): number {
  if (isOurs(table)) return REFERRED_TO.includes(table) ? REFERRED_TO.indexOf(table) + 1 : LAST_TURN - 1
  return table === null && /^\s*(pragma|create\s+table)/i.test(text.toString('utf8', 0, BEGINNING)) ? 0 : LAST_TURN
}
