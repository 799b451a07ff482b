import { createInterface } from 'node:readline/promises'
import { CommandFailure } from './failure.ts'

type Row = Readonly<Record<string, unknown>>

/** What a command answers: an object or a list of rows. */
export type CommandOutput = Row | readonly Row[]

/** Labels of values whose names would not do with a space before each word. */
const LABELS: Readonly<Record<string, string>> = {
  accountId: 'Account',
  apiKey: 'API key',
  apiKeyFile: 'API key file',
  letters: 'Dead letters',
  of: 'Backed up at',
  putAside: 'Old databases',
  rows: 'Rows in the backup',
  signInLink: 'Sign-in link',
  signInLinkFile: 'Sign-in link file',
}

export function print(output: CommandOutput, asJson: boolean): void {
  if (asJson) console.log(JSON.stringify(output, null, 2))
  else if (Array.isArray(output)) console.log(output.length > 0 ? toTable(output) : 'None yet.')
  else for (const [name, value] of Object.entries(output)) console.log(toLine(name, value))
}

function toLine(name: string, value: unknown): string {
  const words = name.replaceAll(/[A-Z]/g, (first) => ` ${first.toLowerCase()}`)
  const label = LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
  if (!Array.isArray(value)) return `${label}: ${toCell(value)}`
  return value.length > 0 ? `${label}:\n\n${toTable(value)}\n` : `${label}: none yet`
}

/** The columns are those of the first row. Put wide ones last, where they push nothing aside. */
export function toTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names.map(toHeading), ...rows.map((row) => names.map((name) => toCell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0)
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n')
}

/** `projectId` becomes `PROJECT ID`. */
function toHeading(name: string): string {
  return name.replaceAll(/[A-Z]/g, ' $&').toUpperCase()
}

/** Characters that end a line, move the cursor or reverse the text: anybody who registers an application chooses its name. */
const NOT_FOR_TERMINALS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

function toCell(value: unknown): string {
  return value === null || value === undefined ? '-' : String(value).replaceAll(NOT_FOR_TERMINALS, ' ')
}

/** `1 event`, `2 events`: `things` is the regular plural. */
export function counted(count: number, things: string): string {
  return `${count} ${count === 1 ? things.slice(0, -1) : things}`
}

interface Confirming {
  /** A sentence that says what is about to happen. */
  readonly what: string
  /** Whether the command line confirms it. */
  readonly yes: boolean
}

/** Asks before something permanent. Throws `CommandFailure` if the answer is not yes or there is no terminal. */
export async function confirm({ what, yes }: Confirming): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandFailure(`${what} This cannot be undone: confirm it with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${what} This cannot be undone. Continue? (yes/no) `)
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
