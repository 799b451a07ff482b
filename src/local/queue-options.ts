import { Response, type V4WorkerOptionsShape } from 'miniflare'
import type { QueueConsumer } from '../commands/deployment.ts'
import type { QueueSettings } from './queue.ts'

/** A quarter of a gigabyte: at 300 events a second a bit more than half an hour without a database. */
const MAX_BACKLOG_CHARACTERS = 256_000_000

interface LocalQueue {
  /** The Worker's name. */
  readonly name: string
  readonly worker: V4WorkerOptionsShape
  readonly consumer: QueueConsumer | undefined
  readonly keepDeadLetter: (body: string) => Promise<void>
  readonly maxBacklogCharacters?: number
}

/** Returns the options with which Miniflare serves queue.ts in the place of its own queues, which live in memory. */
export function queueOptions({ name, worker, consumer, keepDeadLetter, ...bounds }: LocalQueue) {
  const { durableObjects, bindings, compatibilityFlags = [] } = worker
  if (!consumer) throw new Error('wrangler.toml has no consumer')
  return {
    queueProducers: {},
    queueConsumers: {},
    serviceBindings: {
      EVENTS: { name, entrypoint: 'Events' },
      DEAD_LETTERS: { name, entrypoint: 'DeadLetters' },
      CONSUMER: name,
      DEAD_LETTER_FILE: fileService(keepDeadLetter),
    },
    durableObjects: {
      ...durableObjects,
      QUEUE: { className: 'QueueObject', useSQLite: true, unsafePreventEviction: true },
    },
    bindings: { ...bindings, QUEUE_SETTINGS: { ...settingsOf(consumer), ...bounds } },
    // Lets one Worker call the queue handler of another.
    compatibilityFlags: [...compatibilityFlags, 'experimental', 'service_binding_extra_handlers'],
  }
}

function settingsOf(consumer: QueueConsumer): QueueSettings {
  return {
    queue: consumer.queue,
    maxBatchSize: consumer.max_batch_size ?? 10,
    maxBatchTimeoutMs: (consumer.max_batch_timeout ?? 5) * 1_000,
    maxRetries: consumer.max_retries ?? 3,
    maxConcurrency: consumer.max_concurrency ?? 1,
    maxBacklogCharacters: MAX_BACKLOG_CHARACTERS,
  }
}

function fileService(append: (body: string) => Promise<void>) {
  return async (request: { text(): Promise<string> }) => {
    try {
      await append(await request.text())
      return new Response('kept')
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  }
}
