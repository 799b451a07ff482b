import { type Mapping, parseMapping } from '../../lifecycle/import/formats/csv.ts'
import { FORMATS, type FormatName } from '../../lifecycle/import/formats/formats.ts'
import { FLAG, localAddress, readAddress, readCommandLine, TEXT } from '../command-line.ts'
import type { Target } from '../database.ts'
import { CommandFailure } from '../failure.ts'

const HELP = `Imports events of an export, or of another service, into an application of a running service.

  npm run import -- --application HANDLE [FILE…]
  npm run import -- --application @shop_bot --format csv --map name=event,time=ts,user=uid events.csv

  FILE              JSON lines or a CSV table, also compressed (.gz). Default: standard input
  --application H   handle of the application, with or without its at-sign
  --format FORMAT   ${FORMATS.join(', ')}; default: detected from the first line of each file
  --map FIELD=COLUMN,…
                    which columns of a CSV table hold the fields name, time, user, id, session, params.NAME, and properties
                    such as country. Default: a field is the column of its name, and all other columns are parameters
  --address URL     of the service; default: where npm start serves it. Required with --remote
  --api-key KEY     of scope full; default: MAUVE_API_KEY, else a key that is issued for this run and revoked afterwards
  --remote          issue that key in the database of the deployed service instead of the local one
  --bad-lines FILE  where invalid lines go, each with its reason; default: FILE.bad.ndjson beside the input
  --dry-run         read and check everything, send nothing
  --json            print JSON
  --help, -h        this text

Stop it with Ctrl-C and run it again: it continues where it stopped, and nothing is counted twice. FILE.import.json beside the
input holds the progress until the import is complete. Invalid lines do not stop it.`

const OPTIONS = {
  application: TEXT,
  format: TEXT,
  map: TEXT,
  address: TEXT,
  'api-key': TEXT,
  'bad-lines': TEXT,
  remote: FLAG,
  'dry-run': FLAG,
  json: FLAG,
}

export interface ImportOptions {
  /** Without its at-sign. */
  readonly application: string
  /** Null: detected from the first line. */
  readonly format: FormatName | null
  readonly mapping: Mapping
  /** Without a slash at the end. */
  readonly address: string
  /** Null: one is issued for this run. */
  readonly apiKey: string | null
  readonly target: Target
  readonly badLines: string | null
  readonly isDryRun: boolean
  readonly asJson: boolean
  /** Empty: standard input. */
  readonly files: readonly string[]
}

/** Null if only the help was wanted. Throws `CommandFailure`, `WrongTable`. */
export function readOptions(args: string[]): ImportOptions | null {
  const read = readCommandLine(args, { options: OPTIONS, help: HELP, allowPositionals: true })
  if (!read) return null
  const { values, positionals } = read
  const { application, format, address, remote = false } = values
  if (!application) throw new CommandFailure(`--application is missing or empty.\n\n${HELP}`)
  const known = FORMATS.find((name) => name === format) ?? null
  if (format !== undefined && known === null) {
    throw new CommandFailure(`--format is "${format}", but must be one of: ${FORMATS.join(', ')}.`)
  }
  if (values['bad-lines'] !== undefined && positionals.length > 1) {
    throw new CommandFailure('--bad-lines takes the lines of one file. Leave it out, and each file gets its own.')
  }
  if (address === undefined && remote) throw new CommandFailure('With --remote name the service: --address URL.')
  return {
    application: application.replace(/^@/, ''),
    format: known,
    mapping: parseMapping(values.map ?? ''),
    address: readAddress(address ?? localAddress(), '--address'),
    apiKey: values['api-key'] ?? (process.env.MAUVE_API_KEY || null),
    target: remote ? 'remote' : 'local',
    badLines: values['bad-lines'] ?? null,
    isDryRun: values['dry-run'] === true,
    asJson: values.json === true,
    files: positionals.filter((file) => file !== '-'),
  }
}
