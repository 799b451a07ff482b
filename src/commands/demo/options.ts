import { parseArgs } from 'node:util'
import { type DemoCredentials, readDemoCredentials } from '../demo-credentials.ts'
import { CommandFailure } from '../failure.ts'

export interface Options {
  readonly events: number
  readonly days: number
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
  /** Null where the key's own application is meant. */
  readonly project: string | null
}

/** Below that a single user weighs too much for a number to be met. */
const FEWEST_EVENTS = 100
const MOST_EVENTS = 10_000_000
/** Events may be five years old. */
const MOST_DAYS = 1_800

export const HELP = `Fills the demo application of a running service with a believable history, through its public API.

  npm run demo
  npm run demo -- --events 1000000 --days 180

  --events N    about how many events; default 100000, from ${FEWEST_EVENTS} to ${MOST_EVENTS}
  --days N      over how many days before today; default 90, from 1 to ${MOST_DAYS}
  --url URL     address of the service; default http://localhost:PORT, where PORT is 8787 if not set
  --key KEY     API key; default: that of the demo account, which "npm start" sets up
  --project ID  project id; default: the demo application, or with --key the application of that key
  --help        this text

It can be stopped with Ctrl-C and run again at any time, also on another day: nothing is counted twice.`

const TAKES: Readonly<Record<string, string>> = {
  events: `a whole number from ${FEWEST_EVENTS} to ${MOST_EVENTS}`,
  days: `a whole number from 1 to ${MOST_DAYS}`,
  url: 'an address that begins with http:// or https://',
  key: 'an API key',
  project: 'a project id',
}

type Values = Readonly<Record<string, string | undefined>>

/** `port` is where the service listens by default. Null where only the help is wanted. Throws `CommandFailure`. */
export async function readOptions(args: string[], port = '8787'): Promise<Options | null> {
  const values = readValues(args)
  if (values === null) return null
  const asked = {
    events: toNumber('events', values.events ?? '100000', [FEWEST_EVENTS, MOST_EVENTS]),
    days: toNumber('days', values.days ?? '90', [1, MOST_DAYS]),
    url: toUrl(values.url ?? `http://localhost:${port}`),
  }
  return { ...asked, ...(await toCredentials(values)) }
}

function readValues(args: string[]): Values | null {
  const names = Object.keys(TAKES).map((name) => [name, { type: 'string' }] as const)
  const options = { ...Object.fromEntries(names), help: { type: 'boolean', short: 'h' } } as const
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true, allowPositionals: true })
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help')) return null
  return Object.fromEntries(tokens.filter(({ kind }) => kind !== 'option-terminator').map((token) => toEntry(token)))
}

interface Token {
  readonly kind: string
  readonly name?: string
  readonly rawName?: string
  readonly value?: string | undefined
}

function toEntry({ kind, name = '', rawName, value }: Token): [string, string] {
  if (kind === 'positional') throw refusal(`"${value}" is no option.`)
  if (!Object.hasOwn(TAKES, name)) throw refusal(`There is no option ${rawName}.`)
  if (!value) throw refusal(`--${name} takes ${TAKES[name]}.`)
  return [name, value]
}

function refusal(sentence: string): CommandFailure {
  return new CommandFailure(`${sentence} All options: npm run demo -- --help`)
}

function toNumber(name: string, text: string, [least, most]: readonly [least: number, most: number]): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refusal(`--${name} takes ${TAKES[name]}, not "${text}".`)
}

function toUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw refusal(`--url takes ${TAKES.url}, not "${text}".`)
}

async function toCredentials(values: Values): Promise<Pick<Options, 'key' | 'project'>> {
  for (const name of ['key', 'project']) requireHeaderText(name, values[name])
  if (values.key) return { key: values.key, project: values.project ?? null }
  const { apiKey, projectId } = await requireDemo()
  return { key: apiKey, project: values.project ?? projectId }
}

/** Both travel as headers. */
function requireHeaderText(name: string, value: string | undefined): void {
  if (value !== undefined && !/^[!-~]+$/.test(value)) throw refusal(`--${name} takes ${TAKES[name]}, not "${value}".`)
}

async function requireDemo(): Promise<DemoCredentials> {
  const kept = await readDemoCredentials()
  if (kept?.apiKey && kept.projectId) return kept
  throw new CommandFailure(
    'There is no demo account yet (.wrangler/demo.json is missing). ' +
      'Run "npm start" in another terminal: it sets one up. Or name an API key of your own: --key KEY',
  )
}
