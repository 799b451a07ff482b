import { WrongTable } from '../../lifecycle/import/formats/csv.ts'
import { type FormatName, guessFormat, type Reader, readerOf } from '../../lifecycle/import/formats/formats.ts'
import { CommandFailure } from '../failure.ts'
import { inOrder } from '../in-order.ts'
import type { Service } from '../requests.ts'
import { BadLines } from './bad-lines.ts'
import { batchesOf } from './batches.ts'
import { withIssuedKey } from './key.ts'
import { type ImportSource, openSource, peek, readLines, type SourceLine } from './lines.ts'
import { HELP, type ImportOptions, readOptions } from './options.ts'
import { ProgressLine } from './progress-line.ts'
import { findProject, type Sent, send } from './service.ts'
import { type ImportProgress, noProgress, State } from './state.ts'

/** The service is kept busy while answers travel. */
const REQUESTS_AT_ONCE = 4
/** What shells make of a process ended by Ctrl-C. */
const INTERRUPTED = 130

/** Throws `CommandFailure`. */
export async function importFiles(args: string[]): Promise<void> {
  const options = read(args)
  if (options === null) return console.log(HELP)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of SIGNALS) process.once(name, onSignal)
  try {
    await withKey(options, stop.signal, (service) => importAll(options, service))
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.error('Stopped. Run it again to go on: nothing is counted twice.')
    process.exitCode = INTERRUPTED
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

function read(args: string[]): ImportOptions | null {
  try {
    return readOptions(args, { apiKey: process.env.MAUVE_API_KEY || undefined, port: process.env.PORT })
  } catch (error) {
    throw toFailure(error)
  }
}

function toFailure(error: unknown): unknown {
  return error instanceof WrongTable ? new CommandFailure(error.message) : error
}

/** Without a service nothing is sent. */
async function withKey(
  { application, address, apiKey, target, isDryRun }: ImportOptions,
  signal: AbortSignal,
  work: (service: Service | null) => Promise<void>,
): Promise<void> {
  if (isDryRun) return work(null)
  const open = async (key: string) => {
    const asking = { address, apiKey: key, signal, project: null }
    await work({ ...asking, project: await findProject(asking, application) })
  }
  await (apiKey === null ? withIssuedKey(application, target, open) : open(apiKey))
}

async function importAll(options: ImportOptions, service: Service | null): Promise<void> {
  const { files, application, asJson } = options
  const outcomes: Outcome[] = []
  for (const file of files.length > 0 ? files : [null]) {
    const outcome = await importOne(file, options, service)
    outcomes.push(outcome)
    if (!asJson) console.log(inWords(outcome))
  }
  if (asJson) console.log(JSON.stringify({ application, dryRun: service === null, files: outcomes }, null, 2))
  else if (service !== null) console.log('All of it shows in the figures within two minutes.')
}

/** What became of a file. */
interface Outcome {
  readonly file: string | null
  readonly format: string
  readonly lines: number
  readonly stored: number
  readonly known: number
  readonly bad: number
  readonly badLines: string | null
  readonly seconds: number
}

function inWords({ file, format, lines, stored, known, bad, badLines, seconds }: Outcome): string {
  const [all, fresh, old, refused] = [lines, stored, known, bad].map((count) => count.toLocaleString('en-US'))
  const counts = `${all} lines of ${format} in ${seconds} s: ${fresh} stored, ${old} there already, ${refused} bad`
  return `${file ?? 'Standard input'}: ${counts}${badLines === null ? '.' : `, see ${badLines}.`}`
}

async function importOne(file: string | null, options: ImportOptions, service: Service | null): Promise<Outcome> {
  const start = performance.now()
  const source = openSource(file)
  const { first, lines: unread } = await peek(source)
  const format = options.format ?? guess(first, file)
  const badPath = options.badLines ?? `${file ?? 'import'}.bad.ndjson`
  const { application, address, mapping } = options
  const about = { address, application, bytes: source.bytes ?? 0, format, mapping: [...mapping] }
  const state = new State(service ? file : null, { ...about, badLines: badPath })
  const progress = service ? state.read() : noProgress()
  const bad = new BadLines(badPath, progress.badBytes)
  try {
    const lines = file === null ? unread : readLines(source, progress)
    const reader = readerFor(format, first, options)
    await bring({ source, lines, reader, service, state, progress, bad })
  } finally {
    bad.close()
  }
  state.remove()
  const { line: lines, stored, known } = progress
  const seconds = Math.ceil((performance.now() - start) / 1000)
  const badLines = progress.bad > 0 ? badPath : null
  return { file, format, lines, stored, known, bad: progress.bad, badLines, seconds }
}

function guess(first: string, file: string | null): FormatName {
  const format = guessFormat(first)
  if (format !== null) {
    console.error(`${file ?? 'Standard input'} is taken for ${format}.`)
    return format
  }
  throw new CommandFailure(
    `What ${file ?? 'the standard input'} holds does not show in its first line: name it with --format.`,
  )
}

function readerFor(format: FormatName, first: string, { mapping }: ImportOptions): Reader {
  try {
    return readerOf(format, { first, mapping })
  } catch (error) {
    throw toFailure(error)
  }
}

interface Bringing {
  readonly source: ImportSource
  readonly lines: AsyncGenerator<SourceLine>
  readonly reader: Reader
  readonly service: Service | null
  readonly state: State
  readonly progress: ImportProgress
  readonly bad: BadLines
}

/** Brings what is left of a file. What is noted is in the application, whatever ends this. */
async function bring({ source, lines, reader, service, state, progress, bad }: Bringing): Promise<void> {
  const failed = new AbortController()
  const calls = service && { ...service, signal: AbortSignal.any([service.signal, failed.signal]) }
  const shown = new ProgressLine(source)
  const lineBefore = progress.line
  try {
    await inOrder(batchesOf(lines, { reader, checkAt: service === null ? Date.now() : null }), {
      atOnce: REQUESTS_AT_ONCE,
      work: async ({ lines }): Promise<Sent> => (calls && lines.length > 0 ? send(calls, lines) : NOTHING_SENT),
      done: (batch, sent) => {
        service?.signal.throwIfAborted()
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
  } catch (error) {
    failed.abort()
    throw error
  } finally {
    shown.end()
  }
}

const NOTHING_SENT: Sent = { stored: 0, known: 0, bad: [] }
