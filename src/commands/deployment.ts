import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import type { Unstable_RawConfig } from 'wrangler'
import { bindingNameOf, numberOf } from '../storage/activity.ts'
import { CommandFailure } from './failure.ts'
import { ROOT } from './wrangler.ts'

/** What wrangler.toml says about the deployed service. */
export interface Deployment {
  readonly defaultPlan: string
  /** Ordered by number. The first has the control data. */
  readonly databases: readonly DatabaseBinding[]
  /** The KV namespaces without an id in wrangler.toml. */
  readonly namespaces: readonly Namespace[]
  readonly queues: readonly string[]
  readonly deadLetterQueues: readonly string[]
  readonly secrets: readonly string[]
  readonly accountId: string | undefined
  /** Where the platform keeps databases and objects; null for anywhere. */
  readonly jurisdiction: string | null
}

export interface DatabaseBinding {
  readonly number: number
  readonly binding: string
  /** The name in the Cloudflare account. */
  readonly name: string
  /** The local database's id. */
  readonly id: string
}

export interface Namespace {
  readonly binding: string
  /** The name in the Cloudflare account, the one that Wrangler would choose. */
  readonly title: string
}

/** wrangler.toml. Missing settings have the platform's defaults. */
export type Config = Unstable_RawConfig

export type QueueConsumer = NonNullable<NonNullable<Config['queues']>['consumers']>[number]

const CONFIG_FILE = join(ROOT, 'wrangler.toml')

/** Reads wrangler.toml, or another file of its kind. */
export function readConfig(file = CONFIG_FILE): Config {
  try {
    return parse(readFileSync(file, 'utf8')) as Config
  } catch (error) {
    throw new CommandFailure(`wrangler.toml cannot be read. ${(error as Error).message}`)
  }
}

export function readDeployment(file = CONFIG_FILE): Deployment {
  const config = readConfig(file)
  const { name = 'mauve', vars, kv_namespaces = [], queues, secrets, account_id } = config
  return {
    defaultPlan: String(vars?.DEFAULT_PLAN),
    databases: databasesOf(config),
    namespaces: kv_namespaces
      .filter(({ id }) => !id)
      .map(({ binding }) => ({ binding, title: titleOf(name, binding) })),
    queues: (queues?.producers ?? []).flatMap(({ queue }) => queue ?? []),
    deadLetterQueues: (queues?.consumers ?? []).flatMap(({ dead_letter_queue: queue }) => queue ?? []),
    secrets: secrets?.required ?? [],
    accountId: account_id,
    jurisdiction: vars?.JURISDICTION === undefined ? null : String(vars.JURISDICTION),
  }
}

function databasesOf({ d1_databases = [] }: Config): DatabaseBinding[] {
  const found = d1_databases.flatMap(
    ({ binding, database_name: name = nameOfDatabase(1), database_id: id = binding }) => {
      const number = numberOf(binding)
      return number === null ? [] : [{ number, binding, name, id }]
    },
  )
  return found.sort((a, b) => a.number - b.number)
}

/** The name of a database unless wrangler.toml gives one. */
function nameOfDatabase(number: number): string {
  return number === 1 ? 'mauve' : `mauve-${number}`
}

/** Throws `CommandFailure` if no database with this number is bound. */
export function findDatabase(number: number): DatabaseBinding {
  const found = databasesOf(readConfig()).find((database) => database.number === number)
  if (found) return found
  throw new CommandFailure(
    `wrangler.toml binds no database ${number}. Create one: npm run deploy -- --databases ${number}`,
  )
}

/** Throws `CommandFailure` if no database has this binding. */
export function findBinding(binding: string): DatabaseBinding {
  const found = databasesOf(readConfig()).find((database) => database.binding === binding)
  if (found) return found
  throw new CommandFailure(`wrangler.toml binds no database ${binding}.`)
}

const MOST_DATABASES = 64

/** The databases up to this number that are not bound yet. Throws `CommandFailure` if it is no number, or more are bound. */
export function missingDatabases(wanted: string, { databases }: Deployment): DatabaseBinding[] {
  const count = Number(wanted)
  if (!/^\d+$/.test(wanted) || count < 1 || count > MOST_DATABASES) {
    throw new CommandFailure(`--databases is "${wanted}", but must be a number from 1 to ${MOST_DATABASES}.`)
  }
  const bound = new Set(databases.map(({ number }) => number))
  if (databases.some(({ number }) => number > count)) {
    throw new CommandFailure(
      `wrangler.toml binds ${databases.length} databases. None is removed: applications may be in them.`,
    )
  }
  const numbers = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !bound.has(number))
  return numbers.map((number) => {
    const binding = bindingNameOf(number)
    return { number, binding, name: nameOfDatabase(number), id: binding }
  })
}

export function bindDatabases(databases: readonly DatabaseBinding[], file = CONFIG_FILE): void {
  const blocks = databases.map(
    ({ binding, name }) =>
      `\n[[d1_databases]]\nbinding = "${binding}"\ndatabase_name = "${name}"\nmigrations_dir = "migrations"\n`,
  )
  appendFileSync(file, blocks.join(''))
}

/** The jurisdictions that the platform offers for databases and for objects. */
const JURISDICTIONS = ['eu', 'us', 'fedramp']

/** The jurisdiction if wrangler.toml does not name it yet, else null. Throws `CommandFailure` if it is unknown or another one is named. */
export function newJurisdiction(wanted: string, { jurisdiction }: Deployment): string | null {
  if (!JURISDICTIONS.includes(wanted)) {
    throw new CommandFailure(`--jurisdiction is "${wanted}", but must be one of ${JURISDICTIONS.join(', ')}.`)
  }
  if (jurisdiction === null) return wanted
  if (jurisdiction === wanted) return null
  throw new CommandFailure(`The deployment is in the jurisdiction ${jurisdiction}, which cannot be changed.`)
}

/** Names the jurisdiction in wrangler.toml. */
export function nameJurisdiction(jurisdiction: string, file = CONFIG_FILE): void {
  const text = readFileSync(file, 'utf8')
  const vars = /^\[vars\]$/m
  const line = `JURISDICTION = "${jurisdiction}"`
  writeFileSync(file, vars.test(text) ? text.replace(vars, `[vars]\n${line}`) : `${text}\n[vars]\n${line}\n`)
}

function titleOf(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}
