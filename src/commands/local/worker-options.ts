import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Config } from '../deployment.ts'
import { ROOT } from '../wrangler.ts'

/** The bindings of a wrangler.toml as Miniflare's options. Ids are where `wrangler … --local` has its data too. */
export function workerOptions(config: Config, secrets: Secrets) {
  const { compatibility_date: compatibilityDate = '', compatibility_flags: compatibilityFlags = [] } = config
  const objects = config.durable_objects?.bindings ?? []
  return {
    compatibilityDate,
    compatibilityFlags: [...compatibilityFlags],
    bindings: { ...config.vars, ...secrets },
    kvNamespaces: toRecord(config.kv_namespaces, ({ binding, id = binding }) => [binding, id]),
    d1Databases: toRecord(config.d1_databases, ({ binding, database_id: id = binding }) => [binding, id]),
    durableObjects: toRecord(objects, ({ name, class_name: className }) => [name, objectOptions(className, config)]),
    ratelimits: toRecord(config.ratelimits, ({ name, ...limit }) => [name, limit]),
    serviceBindings: toRecord(config.services, ({ binding, service }) => [binding, service]),
  }
}

/** A class that was renamed keeps its objects: Miniflare would look for them by the new name. */
function objectOptions(className: string, { name, migrations = [] }: Config) {
  const renames = migrations.flatMap(({ renamed_classes: renamed = [] }) => renamed)
  const first = renames.reduceRight((known, { from, to }) => (to === known ? from : known), className)
  return { className, useSQLite: true, ...(first !== className && { unsafeUniqueKey: `${name}-${first}` }) }
}

/** The secrets of a copy that runs here. */
export function readSecrets(): Secrets {
  return parseEnv(readFileSync(join(ROOT, '.dev.vars'), 'utf8')) as Secrets
}

type Secrets = Readonly<Record<string, string>>

function toRecord<T, V>(items: readonly T[] = [], toEntry: (item: T) => readonly [string, V]): Record<string, V> {
  return Object.fromEntries(items.map(toEntry))
}
