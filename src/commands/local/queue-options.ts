import type { V4WorkerOptionsShape } from 'miniflare'
import type { QueueConsumer } from '../deployment.ts'
import type { QueueSettings } from './queue.ts'

/** A quarter of a gigabyte: at 300 events a second a bit more than half an hour without a database. */
const MAX_BACKLOG_CHARACTERS = 256_000_000

interface LocalQueue {
  /** The Worker's name. */
  readonly name: string
  readonly worker: V4WorkerOptionsShape
  /** As wrangler.toml lists them: that of events, then that of its dead letters. */
  readonly consumers: readonly QueueConsumer[]
  readonly maxBacklogCharacters?: number
}

/** Returns the options with which Miniflare serves queue.ts in the place of its own queues, which live in memory. */
export function queueOptions({ name, worker, consumers, ...bounds }: LocalQueue) {
  const { durableObjects, bindings, compatibilityFlags = [] } = worker
  const consumer = consumers.find(({ dead_letter_queue }) => dead_letter_queue)
  const deadLetters = consumers.find(({ queue }) => queue === consumer?.dead_letter_queue)
  if (!consumer || !deadLetters) throw new Error('wrangler.toml lacks a consumer')
  return {
    queueProducers: {},
    queueConsumers: {},
    serviceBindings: {
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
