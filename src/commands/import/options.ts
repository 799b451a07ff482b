import { type Mapping, parseMapping } from '../../import/formats/csv.ts'
import { FORMATS, type FormatName } from '../../import/formats/formats.ts'
import type { Place } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { parseOptions } from '../parse-options.ts'
import { DEFAULT_PORT, readPort } from '../port.ts'

export const HELP = `Brings events of an export, or of another service, into an application of a running service.

  npm run import -- --application HANDLE [FILE…]
  npm run import -- --application @shop_bot --format csv --map name=event,time=ts,user=uid events.csv

  FILE              lines of JSON or a CSV table; one that ends with .gz is unpacked. Without a file: standard input
  --application H   handle of the application, with or without its at-sign
  --format FORMAT   ${FORMATS.join(', ')}; by default as the first line of each file looks
  --map FIELD=COLUMN,…
                    what the columns of a CSV table are: name, time, user, id, session, params.NAME, and properties such as
                    country. By default a field is the column of its name, and all other columns are parameters
  --address URL     of the service; by default where npm start serves it. With --remote it must be named
  --api-key KEY     of scope full; by default MAUVE_API_KEY, else one that is issued for this run and ended with it
  --remote          issue that key in the database of the deployed service instead of the local one
  --bad-lines FILE  where lines that are not taken go, each with its reason; by default beside the input, FILE.bad.ndjson
  --dry-run         read and check everything, send nothing
  --json            answer as JSON, for machines
  --help, -h        this

It can be stopped with Ctrl-C and run again: it goes on where it stopped, and nothing is counted twice. How far it is stands
beside the input, in FILE.import.json, until it is through. Bad lines stop nothing.`

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const

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
  help: { type: 'boolean', short: 'h' },
} as const

export interface Options {
  /** Without its at-sign. */
  readonly application: string
  /** Null: as the first line says. */
  readonly format: FormatName | null
  readonly mapping: Mapping
  /** Without a slash at the end. */
  readonly address: string
  /** Null: one is issued. */
  readonly apiKey: string | null
  readonly place: Place
  readonly badLines: string | null
  readonly isDryRun: boolean
  readonly asJson: boolean
  /** None: standard input. */
  readonly files: readonly string[]
}

interface Environment {
  readonly apiKey: string | undefined
  readonly port: string | undefined
}

/** Null where only the help is wanted. Throws `CommandFailure`, `WrongTable`. */
export function readOptions(args: string[], environment: Environment): Options | null {
  const { values, positionals } = parseOptions({ args, options: OPTIONS, allowPositionals: true }, HELP)
  if (values.help) return null
  const { application, format, remote = false } = values
  if (!application) throw new CommandFailure(`--application is missing or empty.\n\n${HELP}`)
  const known = FORMATS.find((name) => name === format) ?? null
  if (format !== undefined && known === null) {
    throw new CommandFailure(`--format is "${format}", but must be one of: ${FORMATS.join(', ')}.`)
  }
  if (values['bad-lines'] !== undefined && positionals.length > 1) {
    throw new CommandFailure('--bad-lines takes the lines of one file. Leave it out, and each has its own.')
  }
  return {
    application: application.replace(/^@/, ''),
    format: known,
    mapping: parseMapping(values.map ?? ''),
    address: readAddress(values.address, { remote, port: environment.port }),
    apiKey: values['api-key'] ?? environment.apiKey ?? null,
    place: remote ? 'remote' : 'local',
    badLines: values['bad-lines'] ?? null,
    isDryRun: values['dry-run'] === true,
    asJson: values.json === true,
    files: positionals.filter((file) => file !== '-'),
  }
}

function readAddress(
  given: string | undefined,
  { remote, port }: { remote: boolean; port: string | undefined },
): string {
  if (given === undefined && remote) throw new CommandFailure('With --remote name the service: --address URL.')
  const address = given ?? `http://localhost:${readPort(port || String(DEFAULT_PORT))}`
  if (URL.canParse(address) && /^https?:/i.test(address)) return address.replace(/\/+$/, '')
  throw new CommandFailure(`--address takes an address with http: or https:, not "${address}".`)
}
