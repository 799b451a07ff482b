import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import type { V4WorkerOptionsShape } from 'miniflare'
import type { Config, QueueConsumer } from '../deployment.ts'
import { ROOT } from '../wrangler.ts'
import type { QueueSettings } from './queue.ts'

type Secrets = Readonly<Record<string, string>>

/** The bindings of a wrangler.toml as Miniflare's options. With these ids, `wrangler … --local` finds the same data. */
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
    serviceBindings: {
      ...toRecord(config.services, ({ binding, service }) => [binding, service]),
      ...staticFiles(config),
    },
  }
}

/** The files beside the Worker, from the disk: it needs none of the platform's rules for addresses and headers. */
function staticFiles({ assets }: Config) {
  if (!assets?.binding || !assets.directory) return {}
  return { [assets.binding]: { disk: { path: join(ROOT, assets.directory), writable: false } } }
}

/** A renamed class keeps its objects; Miniflare would look for them under the new name. */
function objectOptions(className: string, { name, migrations = [] }: Config) {
  const renames = migrations.flatMap(({ renamed_classes: renamed = [] }) => renamed)
  const first = renames.reduceRight((known, { from, to }) => (to === known ? from : known), className)
  return { className, useSQLite: true, ...(first !== className && { unsafeUniqueKey: `${name}-${first}` }) }
}

function toRecord<T, V>(items: readonly T[] = [], toEntry: (item: T) => readonly [string, V]): Record<string, V> {
  return Object.fromEntries(items.map(toEntry))
}

export function readSecrets(): Secrets {
  return parseEnv(readFileSync(join(ROOT, '.dev.vars'), 'utf8')) as Secrets
}

/** The bundle that Wrangler makes of a worker's file: one module with all of its code. */
export function modulesIn(folder: string, worker: string) {
  return [{ type: 'ESModule' as const, path: join(folder, `${basename(worker, '.ts')}.js`) }]
}

/** A quarter of a gigabyte: at 300 events a second, more than half an hour without a database. */
const MAX_BACKLOG_CHARACTERS = 256_000_000

interface LocalQueue {
  readonly name: string
  readonly worker: V4WorkerOptionsShape
  readonly consumers: readonly QueueConsumer[]
  readonly producers?: NonNullable<Config['queues']>['producers']
  readonly maxBacklogCharacters?: number
}

/**
 * Options with which Miniflare serves queue.ts instead of its own queues, which are in memory. Queues without dead letters may lose
 * messages: cron sends them again.
 */
export function queueOptions({ name, worker, consumers, producers = [], ...bounds }: LocalQueue) {
  const { durableObjects, bindings, serviceBindings, compatibilityFlags = [] } = worker
  const consumer = consumers.find(({ dead_letter_queue }) => dead_letter_queue)
  const deadLetters = consumers.find(({ queue }) => queue === consumer?.dead_letter_queue)
  if (!consumer || !deadLetters) throw new Error('wrangler.toml lacks a consumer')
  const others = consumers.filter((one) => one !== consumer && one !== deadLetters)
  return {
    queueProducers: toRecord(
      producers.filter(({ queue }) => others.some((one) => one.queue === queue)),
      ({ binding, queue }) => [binding, queue ?? binding],
    ),
    queueConsumers: toRecord(others, (one) => [one.queue, inMemory(one)]),
    serviceBindings: {
      ...serviceBindings,
      EVENTS: { name, entrypoint: 'Events' },
      DEAD_LETTERS: { name, entrypoint: 'DeadLetters' },
      CONSUMER: name,
    },
    durableObjects: {
      ...durableObjects,
      QUEUE: { className: 'QueueObject', useSQLite: true, unsafePreventEviction: true },
      DEAD_LETTER_QUEUE: { className: 'DeadLetterQueueObject', useSQLite: true, unsafePreventEviction: true },
    },
    bindings: {
      ...bindings,
      QUEUE_SETTINGS: { ...settingsOf(consumer), ...bounds },
      DEAD_LETTER_QUEUE_SETTINGS: settingsOf(deadLetters),
    },
    // Lets one Worker call the queue handler of another.
    compatibilityFlags: [...compatibilityFlags, 'experimental', 'service_binding_extra_handlers'],
  }
}

function inMemory({ max_batch_size: maxBatchSize = 10, max_batch_timeout: maxBatchTimeout = 5 }: QueueConsumer) {
  return { maxBatchSize, maxBatchTimeout }
}

function settingsOf(consumer: QueueConsumer): QueueSettings {
  return {
    queue: consumer.queue,
    deadLetterQueue: consumer.dead_letter_queue ?? null,
    maxBatchSize: consumer.max_batch_size ?? 10,
    maxBatchTimeoutMs: (consumer.max_batch_timeout ?? 5) * 1_000,
    maxRetries: consumer.max_retries ?? 3,
    maxConcurrency: consumer.max_concurrency ?? 1,
    maxBacklogCharacters: MAX_BACKLOG_CHARACTERS,
  }
}
