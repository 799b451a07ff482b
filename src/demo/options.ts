import { parseArgs } from 'node:util'
import { CommandFailure } from '../commands/failure.ts'
import { readDemoCredentials } from './credentials.ts'

export interface Options {
  readonly events: number
  readonly days: number
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
  /** Null where the key's own application is meant. */
  readonly project: string | null
}

/** Below the least number of events a single user weighs too much. An event may be five years old. */
const EVENTS = { least: 100, most: 10_000_000 }
const DAYS = { least: 1, most: 1_800 }

export const HELP = `Fills the demo application of a running service with a believable history, through its public API.

  npm run demo
  npm run demo -- --events 1000000 --days 180

  --events N    about how many events; default 100000, from ${EVENTS.least} to ${EVENTS.most}
  --days N      over how many days before today; default 90, from ${DAYS.least} to ${DAYS.most}
  --url URL     address of the service; default http://localhost:PORT, where PORT is 8787 if not set
  --key KEY     API key; default: that of the demo account, which "npm start" sets up
  --project ID  project id; default: the demo application, or with --key the application of that key
  --help        this text

It can be stopped with Ctrl-C and run again at any time, also on another day: nothing is counted twice.`

const TEXT = { type: 'string' } as const
const KNOWN = { events: TEXT, days: TEXT, url: TEXT, key: TEXT, project: TEXT } as const

/** `port` is where the service listens by default. Null where only the help is wanted. Throws `CommandFailure`. */
export async function readOptions(args: string[], port = '8787'): Promise<Options | null> {
  if (args.includes('--help') || args.includes('-h')) return null
  const { events = '100000', days = '90', url = `http://localhost:${port}`, key, project } = parse(args)
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw refusal(`--url takes an address with http:, not "${url}".`)
  for (const value of [key, project])
    if (value !== undefined && !/^[!-~]+$/.test(value)) throw refusal(`"${value}" is neither a key nor a project id.`)
  const asked = { events: toNumber('--events', events, EVENTS), days: toNumber('--days', days, DAYS) }
  const demo = key === undefined ? await requireDemo() : { apiKey: key, projectId: null }
  return { ...asked, url: url.replace(/\/+$/, ''), key: demo.apiKey, project: project ?? demo.projectId }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: KNOWN }).values
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const [sentence = '', name] = /^Option '(--[a-z]+)?.*|.*/.exec(message) ?? []
    throw refusal(
      code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? `${name} takes a value.` : `${sentence.replace(/\.$/, '')}.`,
    )
  }
}

function toNumber(name: string, text: string, { least, most }: typeof EVENTS): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refusal(`${name} takes a whole number from ${least} to ${most}, not "${text}".`)
}

function refusal(sentence: string): CommandFailure {
  return new CommandFailure(`${sentence} All options: npm run demo -- --help`)
}

async function requireDemo() {
  const kept = await readDemoCredentials()
  if (kept?.apiKey && kept.projectId) return kept
  throw new CommandFailure(
    'There is no demo account yet (.wrangler/demo.json is missing). ' +
      'Run "npm start" in another terminal: it sets one up. Or name an API key of your own: --key KEY',
  )
}
