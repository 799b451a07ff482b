import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { CommandFailure } from './failure.ts'
import { ROOT } from './wrangler.ts'

/** What wrangler.toml says of the deployed service. */
export interface Deployment {
  readonly defaultPlan: string
  readonly database: string
  /** The KV namespaces that wrangler.toml gives no id. */
  readonly namespaces: readonly Namespace[]
  /** The events' queue and the one for what cannot be stored. */
  readonly queues: readonly string[]
  readonly deadLetterQueues: readonly string[]
  readonly secrets: readonly string[]
  readonly accountId: string | undefined
}

export interface Namespace {
  readonly binding: string
  /** Its name in the Cloudflare account: the one that Wrangler gives by itself. */
  readonly title: string
}

/** The part of wrangler.toml that is of interest here. */
interface Config {
  readonly name?: string
  readonly vars?: Readonly<Record<string, unknown>>
  readonly d1_databases?: readonly { readonly binding: string; readonly database_name?: string }[]
  readonly kv_namespaces?: readonly KvNamespace[]
  readonly queues?: {
    readonly producers?: readonly { readonly queue?: string }[]
    readonly consumers?: readonly { readonly dead_letter_queue?: string }[]
  }
  readonly secrets?: { readonly required?: readonly string[] }
  readonly account_id?: string
}

interface KvNamespace {
  readonly binding: string
  readonly id?: string
}

/** wrangler.toml as it is written. Throws `CommandFailure`. */
export function readConfig(): Config {
  try {
    return parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')) as Config
  } catch (error) {
    throw new CommandFailure(`wrangler.toml cannot be read. ${(error as Error).message}`)
  }
}

export function readDeployment(): Deployment {
  const { name = 'mauve', vars, d1_databases, kv_namespaces = [], queues, secrets, account_id } = readConfig()
  return {
    defaultPlan: String(vars?.DEFAULT_PLAN),
    database: d1_databases?.find(({ binding }) => binding === 'DB')?.database_name ?? 'mauve',
    namespaces: kv_namespaces
      .filter(({ id }) => !id)
      .map(({ binding }) => ({ binding, title: titleOf(name, binding) })),
    queues: (queues?.producers ?? []).flatMap(({ queue }) => queue ?? []),
    deadLetterQueues: (queues?.consumers ?? []).flatMap(({ dead_letter_queue: queue }) => queue ?? []),
    secrets: secrets?.required ?? [],
    accountId: account_id,
  }
}

function titleOf(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}
