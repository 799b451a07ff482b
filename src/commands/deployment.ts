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
export interface Config {
  readonly name?: string
  readonly compatibility_date?: string
  readonly compatibility_flags?: readonly string[]
  readonly vars?: Readonly<Record<string, string | number>>
  readonly d1_databases?: readonly D1Binding[]
  readonly kv_namespaces?: readonly KvNamespace[]
  readonly durable_objects?: { readonly bindings?: readonly { readonly name: string; readonly class_name: string }[] }
  readonly migrations?: readonly {
    readonly renamed_classes?: readonly { readonly from: string; readonly to: string }[]
  }[]
  readonly ratelimits?: readonly RateLimitBinding[]
  readonly services?: readonly { readonly binding: string; readonly service: string }[]
  readonly queues?: {
    readonly producers?: readonly { readonly binding: string; readonly queue: string }[]
    readonly consumers?: readonly QueueConsumer[]
  }
  readonly secrets?: { readonly required?: readonly string[] }
  readonly account_id?: string
}

interface D1Binding {
  readonly binding: string
  readonly database_name?: string
  readonly database_id?: string
}

interface RateLimitBinding {
  readonly name: string
  readonly namespace_id: string
  readonly simple: { readonly limit: number; readonly period: 10 | 60 }
}

/** What is left out is as on the platform. */
export interface QueueConsumer {
  readonly queue: string
  readonly max_batch_size?: number
  readonly max_batch_timeout?: number
  readonly max_retries?: number
  readonly max_concurrency?: number | null
  readonly dead_letter_queue?: string
}

interface KvNamespace {
  readonly binding: string
  readonly id?: string
}

/** wrangler.toml, or another file like it, as it is written. Throws `CommandFailure`. */
export function readConfig(file = join(ROOT, 'wrangler.toml')): Config {
  try {
    return parse(readFileSync(file, 'utf8')) as Config
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
    queues: (queues?.producers ?? []).map(({ queue }) => queue),
    deadLetterQueues: (queues?.consumers ?? []).flatMap(({ dead_letter_queue: queue }) => queue ?? []),
    secrets: secrets?.required ?? [],
    accountId: account_id,
  }
}

function titleOf(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}
