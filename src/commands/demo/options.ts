import { CommandFailure } from '../failure.ts'
import { parseOptions } from '../parse-options.ts'
import { readDemoCredentials } from './account.ts'

export interface DemoOptions {
  readonly events: number
  readonly days: number
  /** Without a slash at the end. */
  readonly address: string
  readonly apiKey: string
  /** Null for the key's own application. */
  readonly project: string | null
}

/** With fewer events, single users weigh too much. An event may be five years old. */
const EVENTS = { least: 100, most: 10_000_000 }
const DAYS = { least: 1, most: 1_800 }

export const HELP = `Fills the demo application of a running service with a believable history, through its public API.

  npm run demo
  npm run demo -- --events 1000000 --days 180

  --events N    about how many events, ${EVENTS.least} to ${EVENTS.most}; default 100000
  --days N      over how many days before today, ${DAYS.least} to ${DAYS.most}; default 90
  --url URL     address of the service; default http://localhost:PORT, where PORT is 8787 if not set
  --key KEY     API key; default: that of the demo account, which "npm start" creates
  --project ID  project id; default: the demo application, or with --key the application of that key
  --help, -h    this text

Stop it with Ctrl-C and run it again at any time, also on another day: nothing is counted twice.`

const TEXT = { type: 'string' } as const
const OPTIONS = {
  events: TEXT,
  days: TEXT,
  url: TEXT,
  key: TEXT,
  project: TEXT,
  help: { type: 'boolean', short: 'h' },
} as const

/** `port` is where the service listens by default. Null if only the help is wanted. Throws `CommandFailure`. */
export async function readOptions(args: string[], port = '8787'): Promise<DemoOptions | null> {
  const { values } = parseOptions({ args, options: OPTIONS }, HELP)
  if (values.help) return null
  const { events = '100000', days = '90', url = `http://localhost:${port}`, key, project } = values
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CommandFailure(`--url is "${url}", but must be an address with http: or https:.`)
  for (const value of [key, project])
    if (value !== undefined && !/^[!-~]+$/.test(value))
      throw new CommandFailure(`"${value}" is neither a key nor a project id.`)
  const extent = { events: toNumber('--events', events, EVENTS), days: toNumber('--days', days, DAYS) }
  const demo = key === undefined ? await requireDemo() : { apiKey: key, projectId: null }
  return { ...extent, address: url.replace(/\/+$/, ''), apiKey: demo.apiKey, project: project ?? demo.projectId }
}

function toNumber(name: string, text: string, { least, most }: typeof EVENTS): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new CommandFailure(`${name} is "${text}", but must be a whole number from ${least} to ${most}.`)
}

async function requireDemo() {
  const kept = await readDemoCredentials()
  if (kept?.apiKey && kept.projectId) return kept
  throw new CommandFailure(
    'There is no demo account yet: run "npm start" in another terminal, which creates one, or pass an API key with --key.',
  )
}
