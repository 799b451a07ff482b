import { join } from 'node:path'
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

/** The part of Wrangler's reading of its file that is of interest here. */
interface Config {
  readonly name?: string
  readonly vars: Record<string, unknown>
  readonly d1_databases: readonly { readonly binding: string; readonly database_name?: string }[]
  readonly kv_namespaces: readonly { readonly binding: string; readonly id?: string }[]
  readonly queues: {
    readonly producers?: readonly { readonly queue?: string }[]
    readonly consumers?: readonly { readonly dead_letter_queue?: string }[]
  }
  readonly secrets?: { readonly required?: readonly string[] }
  readonly account_id?: string
}

export async function readDeployment(): Promise<Deployment> {
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const config = readConfig({ config: join(ROOT, 'wrangler.toml') }) as unknown as Config
  return {
    defaultPlan: String(config.vars.DEFAULT_PLAN),
    database: config.d1_databases.find(({ binding }) => binding === 'DB')?.database_name ?? 'mauve',
    namespaces: config.kv_namespaces
      .filter(({ id }) => !id)
      .map(({ binding }) => ({ binding, title: titleOf(config.name ?? 'mauve', binding) })),
    queues: (config.queues.producers ?? []).flatMap(({ queue }) => queue ?? []),
    deadLetterQueues: (config.queues.consumers ?? []).flatMap(({ dead_letter_queue: queue }) => queue ?? []),
    secrets: config.secrets?.required ?? [],
    accountId: config.account_id,
  }
}

function titleOf(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}
