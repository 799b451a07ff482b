import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { toIso } from '../../base/time/days.ts'
import { readDeadLetter } from '../../collection/dead-letters/dead-letters.ts'
import {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetters,
  markToResend,
  selectDeadLetters,
  selectHandles,
  selectIds,
} from '../../collection/dead-letters/sql.ts'
import { confirm } from '../confirm.ts'
import { openDatabaseAt } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { parseOptions } from '../parse-options.ts'
import { type CommandOutput, print } from '../printing.ts'

const HELP = `Dead letters: messages of the queue that could not be stored.

  npm run dead-letters -- list
      Lists them, newest first: when each was set aside, its application, how many events of how many users, the reason if it is
      known, and the names of the events. With --json also the whole message.
  npm run dead-letters -- resend ID… | --all
      Marks them to be sent to the queue again. Cron does that within five minutes; only then do they leave the list. One that
      is sent twice is stored once. What still cannot be stored comes back.
  npm run dead-letters -- discard ID… | --all
      Deletes them permanently.

  ID         of a dead letter, as "list" shows it
  --limit N  list: at most N, 100 by default
  --json     print JSON
  --remote   work on the deployed service instead of the local one
  --dry-run  resend, discard: say what would be done, and do nothing
  --yes      discard: do not ask for confirmation; required without a terminal
  --help, -h this text`

const OPTIONS = {
  all: { type: 'boolean' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  remote: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parseOptions<{ options: typeof OPTIONS }>>['values']

interface Command {
  /** The options it takes, besides --json and --remote. */
  readonly takes: readonly (keyof Values)[]
  readonly run: (db: SqliteRemoteDatabase, values: Values, ids: string[]) => Promise<CommandOutput>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  list: { takes: ['limit'], run: list },
  resend: { takes: ['all', 'dry-run'], run: resend },
  discard: { takes: ['all', 'dry-run', 'yes'], run: discard },
}

/** Throws `CommandFailure`. */
export async function deadLetters(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true }, HELP)
  const [name, ...ids] = positionals
  if (values.help || name === undefined) return console.log(HELP)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new CommandFailure(`There is no command "${name}".\n\n${HELP}`)
  const foreign = Object.keys(values).find((option) => !['json', 'remote', ...command.takes].includes(option))
  if (foreign) throw new CommandFailure(`"${name}" does not take --${foreign}.\n\n${HELP}`)
  print(await command.run(openDatabaseAt(values.remote ? 'remote' : 'local'), values, ids), values.json === true)
}

const LIMIT = 100

async function list(db: SqliteRemoteDatabase, values: Values, [extra]: string[]): Promise<CommandOutput> {
  if (extra !== undefined) throw new CommandFailure(`"list" does not take "${extra}".\n\n${HELP}`)
  const limit = readWhole(values.limit ?? String(LIMIT), '--limit')
  const letters = await selectDeadLetters(db, limit)
  const all = await countAll(db)
  const handles = await handlesOf(letters, db)
  const shown = letters.map((letter) => ({
    ...toLine(letter, handles),
    ...(values.json && { body: letter.body }),
  }))
  if (!values.json && all > letters.length)
    console.log(`The newest ${letters.length} of ${all}. Show more with --limit N.\n`)
  return shown
}

async function countAll(db: SqliteRemoteDatabase): Promise<number> {
  const [counted] = await countDeadLetters(db)
  return counted?.letters ?? 0
}

async function handlesOf(letters: readonly DeadLetter[], db: SqliteRemoteDatabase): Promise<Map<number, string>> {
  const ids = new Set(letters.flatMap(({ body }) => readDeadLetter(body).applicationId ?? []))
  const rows = ids.size > 0 ? await selectHandles(db, [...ids]) : []
  return new Map(rows.map(({ id, handle }) => [id, handle]))
}

/** Enough of an unreadable text to recognize it. */
const BEGINNING = 60

function toLine({ id, body, putAsideAt, resendAt }: DeadLetter, handles: ReadonlyMap<number, string>) {
  const { applicationId, events, users, names, why } = readDeadLetter(body)
  return {
    id,
    putAside: toIso(putAsideAt),
    application: applicationId === null ? null : (handles.get(applicationId) ?? `(gone) ${applicationId}`),
    events,
    users,
    why,
    resend: resendAt === null ? null : toIso(resendAt),
    names: applicationId === null ? body.slice(0, BEGINNING) : names.join(', '),
  }
}

async function resend(db: SqliteRemoteDatabase, values: Values, given: string[]): Promise<CommandOutput> {
  const ids = await findIds(db, values, given)
  const letters = ids?.length ?? (await countAll(db))
  if (values['dry-run']) return { letters, note: 'Nothing was changed.' }
  await markToResend(db, { ids, now: Date.now() })
  return { letters, note: 'Cron sends them within five minutes.' }
}

/** A remote statement is an argument of a command, which may be 128 KB long. */
const IDS_AT_ONCE = 5_000

async function discard(db: SqliteRemoteDatabase, values: Values, given: string[]): Promise<CommandOutput> {
  // Those that arrive during the confirmation stay.
  const ids = (await findIds(db, values, given)) ?? (await selectIds(db, null)).map(({ id }) => id)
  const letters = ids.length
  if (values['dry-run']) return { letters, note: 'Nothing was changed.' }
  if (letters > 0)
    await confirm({ what: `${letters} dead letters will be deleted permanently.`, yes: values.yes === true })
  for (let from = 0; from < letters; from += IDS_AT_ONCE) {
    await deleteDeadLetters(db, ids.slice(from, from + IDS_AT_ONCE))
  }
  return { letters, note: 'They are deleted.' }
}

/** The ids that are named, each of which exists; null for all. */
async function findIds(db: SqliteRemoteDatabase, { all }: Values, given: string[]): Promise<number[] | null> {
  if ((all === true) === given.length > 0) throw new CommandFailure(`Name some dead letters, or use --all.\n\n${HELP}`)
  if (all) return null
  const ids = [...new Set(given.map((text) => readWhole(text, 'ID')))]
  const known = new Set((await selectIds(db, ids)).map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return ids
  throw new CommandFailure(`There is no dead letter ${unknown.join(', ')}. List them: npm run dead-letters -- list`)
}

function readWhole(text: string, name: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new CommandFailure(`${name} is "${text}", but must be a whole number.`)
}
