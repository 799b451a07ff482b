import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { toIso } from '../base/time/days.ts'
import { readDeadLetter } from '../collection/dead-letters/dead-letters.ts'
import {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetters,
  markToResend,
  selectDeadLetters,
  selectHandles,
  selectIds,
  selectOfGone,
} from '../collection/dead-letters/sql.ts'
import { findApplication } from './account/partitionings.ts'
import {
  FLAG,
  type OptionValues,
  readWhole,
  runSubcommand,
  type Subcommand,
  type Subject,
  TEXT,
} from './command-line.ts'
import { CommandFailure } from './failure.ts'
import { type CommandOutput, confirm, counted } from './terminal.ts'

const HELP = `Dead letters: messages of the queue that could not be stored.

  npm run dead-letters -- list
      Lists them, newest first: when each was set aside, its application, how many events of how many users, the reason if it is
      known, and the names of the events. With --json also the whole message.
  npm run dead-letters -- resend ID… [--application HANDLE] | --all
      Marks them to be sent to the queue again. Cron does that within five minutes; only then do they leave the list. One that
      is sent twice is stored once. What still cannot be stored comes back. With --application, events of a deleted application go
      to this one.
  npm run dead-letters -- discard ID… | --all
      Deletes them permanently.

  ID         of a dead letter, as "list" shows it
  HANDLE     of an application, with or without its at-sign, or its project id
  --limit N  list: at most N, 100 by default
  --json     print JSON
  --remote   work on the deployed service instead of the local one
  --dry-run  resend, discard: say what would be done, and do nothing
  --yes      discard: do not ask for confirmation; required without a terminal
  --help, -h this text`

const OPTIONS = { all: FLAG, application: TEXT, limit: TEXT, 'dry-run': FLAG, yes: FLAG, json: FLAG }

type DeadLetterValues = OptionValues<typeof OPTIONS>

const COMMANDS: Readonly<Record<string, Subcommand<typeof OPTIONS>>> = {
  list: { takes: ['limit'], run: list },
  resend: { takes: ['all', 'application', 'dry-run'], most: Number.POSITIVE_INFINITY, run: resend },
  discard: { takes: ['all', 'dry-run', 'yes'], most: Number.POSITIVE_INFINITY, run: discard },
}

export function deadLetters(args: string[]): Promise<void> {
  return runSubcommand(args, { options: OPTIONS, help: HELP, commands: COMMANDS })
}

async function list(values: DeadLetterValues, { open }: Subject): Promise<CommandOutput> {
  const deadLetters = await selectDeadLetters(open(1), readWhole(values.limit ?? '100', '--limit'))
  const all = await countAll(open(1))
  const handles = await handlesOf(deadLetters, open(1))
  if (!values.json && all > deadLetters.length) {
    console.log(`The newest ${deadLetters.length} of ${all}. Show more with --limit N.\n`)
  }
  return deadLetters.map((row) => ({ ...toLine(row, handles), ...(values.json && { body: row.body }) }))
}

async function countAll(db: SqliteRemoteDatabase): Promise<number> {
  const [counted] = await countDeadLetters(db)
  return counted?.letters ?? 0
}

async function handlesOf(deadLetters: readonly DeadLetter[], db: SqliteRemoteDatabase): Promise<Map<number, string>> {
  const ids = new Set(deadLetters.flatMap(({ body }) => readDeadLetter(body).applicationId ?? []))
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
    application: applicationId === null ? null : (handles.get(applicationId) ?? `(deleted) ${applicationId}`),
    events,
    users,
    why,
    resend: resendAt === null ? null : toIso(resendAt),
    names: applicationId === null ? body.slice(0, BEGINNING) : names.join(', '),
  }
}

async function resend(values: DeadLetterValues, { open, positionals }: Subject): Promise<CommandOutput> {
  const ids = await findIds(open(1), values, positionals)
  const { application } = values
  const applicationId = application === undefined ? undefined : await findSuccessor(open, application, ids)
  const letters = ids?.length ?? (await countAll(open(1)))
  if (values['dry-run']) return { letters, note: 'Nothing was changed.' }
  await markToResend(open(1), { ids, now: Date.now(), applicationId })
  return { letters, note: 'Cron sends them within five minutes.' }
}

/** The application that gets the events of deleted ones. Events of others stay where they belong. */
async function findSuccessor(open: Subject['open'], name: string, ids: readonly number[] | null): Promise<number> {
  const gone = new Set(ids && (await selectOfGone(open(1), ids)).map(({ id }) => id))
  const others = ids?.filter((id) => !gone.has(id)) ?? ['--all']
  if (others.length === 0) return (await findApplication(open, name)).id
  throw new CommandFailure(`--application takes dead letters of deleted applications only, not ${others.join(', ')}.`)
}

/** A remote statement is an argument of a command, which may be 128 KB long. */
const IDS_AT_ONCE = 5_000

async function discard(values: DeadLetterValues, { open, positionals }: Subject): Promise<CommandOutput> {
  // Dead letters that arrive during the confirmation stay.
  const ids = (await findIds(open(1), values, positionals)) ?? (await selectIds(open(1), null)).map(({ id }) => id)
  const letters = ids.length
  if (values['dry-run']) return { letters, note: 'Nothing was changed.' }
  if (letters > 0) {
    await confirm({
      what: `${counted(letters, 'dead letters')} will be deleted permanently.`,
      yes: values.yes === true,
    })
  }
  for (let from = 0; from < letters; from += IDS_AT_ONCE) {
    await deleteDeadLetters(open(1), ids.slice(from, from + IDS_AT_ONCE))
  }
  return { letters, note: 'They are deleted.' }
}

/** The ids in the arguments, all of which exist; null for all dead letters. */
async function findIds(db: SqliteRemoteDatabase, { all }: DeadLetterValues, given: string[]): Promise<number[] | null> {
  if ((all === true) === given.length > 0)
    throw new CommandFailure(`Name some dead letters, or use --all. Show all options with --help.`)
  if (all) return null
  const ids = [...new Set(given.map((text) => readWhole(text, 'ID')))]
  const known = new Set((await selectIds(db, ids)).map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return ids
  throw new CommandFailure(`There is no dead letter ${unknown.join(', ')}. List them: npm run dead-letters -- list`)
}
