import { parseArgs } from 'node:util'
import { nearestOf } from '../base/text/nearest.ts'
import { databasesAt, type TargetDatabases } from './database.ts'
import { CommandFailure } from './failure.ts'
import { type CommandOutput, print } from './terminal.ts'

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const
const HELP = { help: { type: 'boolean', short: 'h' } } as const

type Options = Readonly<Record<string, typeof TEXT | typeof FLAG>>

export type OptionValues<O extends Options> = {
  readonly [Name in keyof O]?: O[Name] extends typeof TEXT ? string : boolean
}

interface Reading<O extends Options> {
  readonly options: O
  readonly help: string
  /** Whether there may be arguments that are no options. */
  readonly allowPositionals?: boolean
  /** Environment variables that set what an option might. */
  readonly variables?: readonly string[]
}

/** Reads a command line. `--help` prints the help; the result is null then. */
export function readCommandLine<O extends Options>(args: string[], reading: Reading<O>) {
  const { help, allowPositionals = false } = reading
  const options = { ...reading.options, ...HELP }
  requireKnown(args, { ...reading, options })
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals })
    if (!('help' in values)) return { values: values as OptionValues<O>, positionals }
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message.replace(/\.?$/, '.')} ${SEE_HELP}`)
  }
  console.log(help)
  return null
}

const SEE_HELP = 'Show all options with --help.'

function requireKnown(args: string[], { options, variables = [] }: Omit<Reading<Options>, 'help'>): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    const similar = similarTo(token.name.toUpperCase(), variables.map(withoutPrefix))
    const variable = similar && variables.find((known) => withoutPrefix(known) === similar)
    const hint = variable ? ` Set the variable ${variable} instead.` : hintOf('--', token.name, Object.keys(options))
    throw new CommandFailure(`There is no option ${token.rawName}.${hint} ${SEE_HELP}`)
  }
}

function withoutPrefix(variable: string): string {
  return variable.replace(/^MAUVE_/, '')
}

function hintOf(prefix: string, name: string, names: readonly string[]): string {
  const similar = similarTo(name, names)
  return similar ? ` Did you mean ${prefix}${similar}?` : ''
}

/** The name that begins like another one, or else the nearest. */
function similarTo(name: string, names: readonly string[]): string | null {
  const beginning = names.find((known) => name.length > 1 && (known.startsWith(name) || name.startsWith(known)))
  return beginning ?? nearestOf(name, names)
}

/** What a subcommand works with: the databases, and the arguments that are no options. */
export interface Subject {
  readonly open: TargetDatabases
  readonly positionals: string[]
}

export interface Subcommand<O extends Options> {
  /** The options it takes, besides --json and --remote. */
  readonly takes: readonly (keyof O)[]
  /** The most arguments it takes that are no options; 0 by default. */
  readonly most?: number
  readonly run: (values: OptionValues<O>, subject: Subject) => Promise<CommandOutput>
}

interface Subcommands<O extends Options> {
  readonly options: O
  readonly help: string
  readonly commands: Readonly<Record<string, Subcommand<O>>>
}

/** Runs the subcommand that the first argument names, and prints what it returns. */
export async function runSubcommand<O extends Options>(args: string[], { commands, ...rest }: Subcommands<O>) {
  const { help } = rest
  const options = { ...rest.options, json: FLAG, remote: FLAG }
  const read = readCommandLine(args, { options, help, allowPositionals: true })
  if (!read) return
  const [name, ...positionals] = read.positionals
  if (name === undefined) return console.log(help)
  const values = read.values as OptionValues<O & { json: typeof FLAG; remote: typeof FLAG }>
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const hint = hintOf('', name, Object.keys(commands))
    throw new CommandFailure(`There is no command "${name}".${hint} Show all commands with --help.`)
  }
  const foreign = Object.keys(values).find((option) => !['json', 'remote', ...command.takes].includes(option))
  if (foreign) throw new CommandFailure(`"${name}" does not take --${foreign}. ${SEE_HELP}`)
  const extra = positionals[command.most ?? 0]
  if (extra !== undefined) throw new CommandFailure(`"${name}" does not take "${extra}". ${SEE_HELP}`)
  const open = databasesAt(values.remote ? 'remote' : 'local')
  print(await command.run(values, { open, positionals }), values.json === true)
}

export function readWhole(text: string, name: string, { least = 1, most = Number.MAX_SAFE_INTEGER } = {}): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const bounds = most === Number.MAX_SAFE_INTEGER ? '' : ` from ${least} to ${most}`
  throw new CommandFailure(`${name} is "${text}", but must be a whole number${bounds}.`)
}

/** An address with http or https, without a slash at its end. */
export function readAddress(text: string, option: string): string {
  const protocol = URL.parse(text)?.protocol ?? ''
  if (/^https?:$/.test(protocol)) return text.replace(/\/+$/, '')
  throw new CommandFailure(`${option} is "${text}", but must be an address with http: or https:.`)
}

const DEFAULT_PORT = 8787

export function readPort(text = process.env.PORT || String(DEFAULT_PORT)): number {
  return readWhole(text, 'PORT', { most: 65_535 })
}

/** Where commands reach the service of `npm start`. */
export function localAddress(): string {
  return `http://localhost:${readPort()}`
}

/** Where people reach it: by default from this machine only. */
export function publicAddress(): string {
  const { MAUVE_ADDRESS: address } = process.env
  return address ? new URL(readAddress(address, 'MAUVE_ADDRESS')).origin : localAddress()
}
