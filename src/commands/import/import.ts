import { keyId } from '../../access/api-keys.ts'
import { hashSecret } from '../../access/secrets.ts'
import { selectByHandle } from '../../accounts/applications/sql.ts'
import { revokeKey } from '../../accounts/sql.ts'
import { LINES } from '../../http/api/answers.ts'
import { WrongTable } from '../../lifecycle/import/formats/csv.ts'
import { type FormatName, guessFormat, readerOf } from '../../lifecycle/import/formats/formats.ts'
import { issueKeyFor } from '../accounts.ts'
import { openDatabaseAt } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { ask, inOrder, interruptible, type Service } from '../requests.ts'
import { type BadLine, batchesOf, type ImportBatch, type NumberedLine } from './batches.ts'
import { type ImportSource, openSource, peek, readLines } from './lines.ts'
import { type ImportOptions, readOptions } from './options.ts'
import { ProgressLine } from './progress-line.ts'
import { BadLines, type ImportProgress, noProgress, State } from './state.ts'

export async function importFiles(args: string[]): Promise<void> {
  try {
    const options = readOptions(args)
    if (options) await interruptible((signal) => importWith(options, signal))
  } catch (error) {
    throw error instanceof WrongTable ? new CommandFailure(error.message) : error
  }
}

async function importWith(options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { application, address, apiKey, isDryRun } = options
  if (isDryRun) return importAll(options, null)
  const open = async (apiKey: string) => {
    const service = { address, apiKey, signal, project: null }
    await importAll(options, { ...service, project: await findProject(service, application) })
  }
  await (apiKey === null ? withIssuedKey(options, open) : open(apiKey))
}

/** Issues a full key of the application's account, and revokes it after the work. */
async function withIssuedKey({ application, target }: ImportOptions, work: (apiKey: string) => Promise<void>) {
  const db = openDatabaseAt(target)
  const [found] = await selectByHandle(db, application)
  if (!found) throw new CommandFailure(`There is no application @${application}.`)
  const apiKey = await issueKeyFor(db, { accountId: found.accountId, scope: 'full', name: 'Import', application })
  try {
    await work(apiKey)
  } finally {
    await revokeKey(db, { id: keyId(hashSecret(apiKey)), now: Date.now() })
  }
}

async function findProject(service: Service, application: string): Promise<string> {
  const params = { path: { handle: application } }
  const { data } = await ask(service, (api) => api.GET('/applications/{handle}', { params }), {
    isOurs: ({ data }) => typeof data?.project_id === 'string',
  })
  return data.project_id
}

/** Without a service, files are checked and nothing is sent. */
async function importAll(options: ImportOptions, service: Service | null): Promise<void> {
  const { files, application, asJson } = options
  const outcomes: Outcome[] = []
  for (const file of files.length > 0 ? files : [null]) {
    const outcome = await importOne(file, options, service)
    outcomes.push(outcome)
    if (!asJson) console.log(inWords(outcome))
  }
  if (asJson) console.log(JSON.stringify({ application, dryRun: service === null, files: outcomes }, null, 2))
  else if (service !== null) console.log('All figures are complete within two minutes.')
}

type Outcome = Awaited<ReturnType<typeof importOne>>

function inWords({ file, format, lines, stored, known, bad, badLines, seconds }: Outcome): string {
  const [all, fresh, old, refused] = [lines, stored, known, bad].map((count) => count.toLocaleString('en-US'))
  const read = `${all} ${lines === 1 ? 'line' : 'lines'} of ${format} in ${seconds} s`
  const counts = `${read}: ${fresh} stored, ${old} stored before, ${refused} invalid`
  return `${nameOf(file)}: ${counts}${badLines === null ? '.' : `, see ${badLines}.`}`
}

function nameOf(file: string | null): string {
  return file ?? 'Standard input'
}

async function importOne(file: string | null, options: ImportOptions, service: Service | null) {
  const start = performance.now()
  const source = openSource(file)
  const { first, lines: unread } = await peek(source)
  const format = options.format ?? guess(first, file)
  const { application, address, mapping } = options
  const reader = readerOf(format, { first, mapping })
  const badLines = options.badLines ?? `${file ?? 'import'}.bad.ndjson`
  const about = { address, application, bytes: source.bytes ?? 0, format, mapping: [...mapping], badLines }
  const state = new State(service ? file : null, about)
  const progress = service ? state.read() : noProgress()
  const lines = file === null ? unread : readLines(source, progress)
  const batches = batchesOf(lines, { reader, checkAt: service === null ? Date.now() : null })
  await importBatches(batches, { source, service, state, progress, badLines })
  state.remove()
  const { line, stored, known, bad } = progress
  const seconds = Math.ceil((performance.now() - start) / 1000)
  return { file, format, lines: line, stored, known, bad, badLines: bad > 0 ? badLines : null, seconds }
}

function guess(first: string, file: string | null): FormatName {
  const format = guessFormat(first)
  if (format === null) {
    throw new CommandFailure(
      `The format of ${file ?? 'the standard input'} cannot be detected from its first line. Name it with --format.`,
    )
  }
  console.error(`${nameOf(file)} is read as ${format}.`)
  return format
}

interface Importing {
  readonly source: ImportSource
  readonly service: Service | null
  readonly state: State
  readonly progress: ImportProgress
  readonly badLines: string
}

/** Imports the rest of a file. However this ends, what is noted as progress is stored in the application. */
async function importBatches(batches: AsyncGenerator<ImportBatch>, importing: Importing): Promise<void> {
  const { source, service, state, progress } = importing
  const bad = new BadLines(importing.badLines, progress.badBytes)
  const shown = new ProgressLine(source)
  const lineBefore = progress.line
  try {
    await inOrder(batches, {
      signal: service?.signal ?? new AbortController().signal,
      work: async ({ lines }, signal) =>
        service && lines.length > 0 ? send({ ...service, signal }, lines) : { stored: 0, known: 0, bad: [] },
      done: (batch, sent) => {
        const found = [...batch.bad, ...sent.bad].sort((a, b) => a.number - b.number)
        progress.badBytes = bad.write(found)
        progress.bad += found.length
        progress.stored += sent.stored
        progress.known += sent.known
        Object.assign(progress, batch.end)
        state.write(progress)
        shown.show(progress.line - lineBefore)
      },
    })
  } finally {
    shown.end()
    bad.close()
  }
}

/** Sends lines and returns what became of them. Throws `CommandFailure` if the service refuses all of them or is unavailable. */
async function send(service: Service, lines: readonly NumberedLine[]) {
  const body = lines.map(({ sent }) => sent).join('\n')
  const asLines = { body, bodySerializer: String, headers: { 'content-type': LINES } }
  const { stored, known, refused } = await ask(service, (api) => api.POST('/import/events', asLines), {
    isOurs: ({ stored, known, refused }) => Number.isInteger(stored + known) && Array.isArray(refused),
  })
  const bad: BadLine[] = refused.map(({ line, reason }) => {
    const { number = 0, text = '' } = lines[line - 1] ?? {}
    return { number, reason, text }
  })
  return { stored, known, bad }
}
