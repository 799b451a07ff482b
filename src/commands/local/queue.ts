import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
import { logError } from '../../base/log.ts'
import { withTimeout } from '../../base/time/with-timeout.ts'

/** What wrangler.toml says about the consumer, and a bound that the platform does not have. */
export type QueueSettings = {
  readonly queue: string
  /** The queue for messages that failed too often. Without one they stay: a local service loses nothing. */
  readonly deadLetterQueue: string | null
  readonly maxBatchSize: number
  readonly maxBatchTimeoutMs: number
  readonly maxRetries: number
  readonly maxConcurrency: number
  /** Roughly bytes. A queue with a longer backlog refuses messages. */
  readonly maxBacklogCharacters: number
}

/** What a consumer did with a delivery, in the runtime's form. */
interface Outcome {
  readonly outcome: string
  readonly retryBatch: { readonly retry: boolean; readonly delaySeconds?: number }
  readonly retryMessages: readonly { readonly msgId: string; readonly delaySeconds?: number }[]
  readonly explicitAcks: readonly string[]
}

/** How the runtime calls the `queue` handler of a Worker. */
interface Consumer {
  queue(queue: string, messages: readonly Delivered[]): Promise<Outcome>
}

interface Delivered {
  readonly id: string
  readonly timestamp: Date
  readonly attempts: number
  readonly body: string
}

interface LocalEnv {
  /** The Worker that the messages are for. */
  readonly CONSUMER: Consumer
  readonly QUEUE: DurableObjectNamespace<QueueObject>
  readonly DEAD_LETTER_QUEUE: DurableObjectNamespace<DeadLetterQueueObject>
  readonly QUEUE_SETTINGS: QueueSettings
  readonly DEAD_LETTER_QUEUE_SETTINGS: QueueSettings
}

/** Replaces the binding `EVENTS`. Accepted messages survive any end of the runtime. */
export class Events extends WorkerEntrypoint<LocalEnv> {
  metrics(): Promise<QueueMetrics> {
    const { QUEUE, QUEUE_SETTINGS } = this.env
    return QUEUE.getByName(QUEUE_SETTINGS.queue).metrics()
  }

  sendBatch(messages: readonly { readonly body: string }[]): Promise<void> {
    const { QUEUE, QUEUE_SETTINGS } = this.env
    return QUEUE.getByName(QUEUE_SETTINGS.queue).append(messages.map(({ body }) => body))
  }
}

/** Replaces the binding `DEAD_LETTERS`. */
export class DeadLetters extends WorkerEntrypoint<LocalEnv> {
  metrics(): Promise<QueueMetrics> {
    const { DEAD_LETTER_QUEUE, DEAD_LETTER_QUEUE_SETTINGS } = this.env
    return DEAD_LETTER_QUEUE.getByName(DEAD_LETTER_QUEUE_SETTINGS.queue).metrics()
  }

  send(body: string): Promise<void> {
    return keepDeadLetters(this.env, [body])
  }
}

function keepDeadLetters({ DEAD_LETTER_QUEUE, DEAD_LETTER_QUEUE_SETTINGS }: LocalEnv, bodies: readonly string[]) {
  return DEAD_LETTER_QUEUE.getByName(DEAD_LETTER_QUEUE_SETTINGS.queue).append(bodies)
}

/** A message is delivered when it is due, the one that waits longest first. */
const CREATE_TABLE = `
  create table if not exists messages (
    id integer primary key autoincrement,
    due integer not null,
    attempts integer not null,
    length integer not null,
    body text not null,
    sent integer);
  create index if not exists messages_by_due on messages (due);
  create table if not exists tries (id integer primary key, at integer not null)`

interface QueueMessage extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly due: number
  /** How many deliveries failed. */
  readonly attempts: number
  readonly length: number
  readonly body: string
  /** When it was accepted. */
  readonly sent: number
}

type Backlog = { count: number; length: number }

/** Messages that arrive within this time share one write to the disk. */
const COMMIT_MS = 2
/** How often the queue looks for due messages while it has any. */
const LOOK_MS = 1_000
const DELIVERY_LIMIT_MS = 15 * 60_000
/** The consumers ask for at most four hours. */
const MAX_PAUSE_MS = 5 * 60 * 60_000
/** Unless the consumer asks for another delay. */
const RETRY_DELAY_SECONDS = 1

/**
 * The queue of `npm start`, in SQLite on disk; that of the platform's simulator is an array in memory. It delivers at least once,
 * in no guaranteed order. While it has messages it sets alarms, which also survive the runtime: a new one continues.
 */
export class QueueObject extends DurableObject<LocalEnv> {
  readonly #sql: SqlStorage
  readonly #settings: QueueSettings
  readonly #backlog: Backlog
  readonly #underWay = new Set<number>()
  #deliveries = 0
  #alarmAt = Number.POSITIVE_INFINITY
  #arriving: string[] = []
  #commit: Promise<void> | null = null

  constructor(state: DurableObjectState, env: LocalEnv) {
    super(state, env)
    this.#sql = state.storage.sql
    this.#settings = this.settingsIn(env)
    this.#sql.exec(CREATE_TABLE)
    const count = 'select count(*) as count, coalesce(sum(length), 0) as length from messages'
    this.#backlog = this.#sql.exec<Backlog>(count).one()
    this.#setAlarm()
  }

  protected settingsIn(env: LocalEnv): QueueSettings {
    return env.QUEUE_SETTINGS
  }

  /** Returns when the messages are on disk. Throws if too many wait already. */
  append(bodies: readonly string[]): Promise<void> {
    if (this.#backlog.length > this.#settings.maxBacklogCharacters) throw new Error('The local queue is full')
    for (const body of bodies) this.#arriving.push(body)
    this.#commit ??= scheduler.wait(COMMIT_MS).then(() => this.#writeArriving())
    return this.#commit
  }

  /** What waits, as the platform's queues tell it. */
  metrics(): QueueMetrics {
    const { sent } = this.#sql.exec<{ sent: number | null }>('select min(sent) as sent from messages').one()
    const { count: backlogCount, length: backlogBytes } = this.#backlog
    return { backlogCount, backlogBytes, ...(sent !== null && { oldestMessageTimestamp: new Date(sent) }) }
  }

  /** Throws if the queue could not accept a message. */
  tryWriting(): Promise<void> {
    this.#sql.exec('insert or replace into tries (id, at) values (1, ?)', Date.now())
    return this.ctx.storage.sync()
  }

  /** Begins further deliveries, so that one that hangs does not block the others. */
  override alarm(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY
    try {
      this.#deliverDue(this.#settings.maxConcurrency)
    } finally {
      this.#setAlarm()
    }
  }

  #writeArriving(): void {
    const bodies = this.#arriving
    this.#arriving = []
    this.#commit = null
    const due = Date.now()
    this.ctx.storage.transactionSync(() => {
      const insert = 'insert into messages (due, attempts, length, body, sent) values (?1, 0, ?2, ?3, ?1)'
      for (const body of bodies) this.#sql.exec(insert, due, body.length, body)
    })
    this.#backlog.count += bodies.length
    for (const body of bodies) this.#backlog.length += body.length
    this.#setAlarm()
    if (this.#backlog.count - this.#underWay.size >= this.#settings.maxBatchSize) this.#deliverDue(1)
  }

  #setAlarm(): void {
    if (this.#backlog.count === 0) return
    const soon = Date.now() + LOOK_MS
    const at = this.#backlog.count > this.#underWay.size ? Math.max(soon, this.#firstDue()) : soon
    if (this.#alarmAt <= at) return
    this.#alarmAt = at
    void this.ctx.storage.setAlarm(at)
  }

  #firstDue(): number {
    return this.#sql.exec<{ due: number }>('select min(due) as due from messages').one().due
  }

  #deliverDue(concurrency: number): void {
    while (this.#deliveries < concurrency) {
      const batch = this.#takeBatch()
      if (batch.length === 0) return
      this.#deliveries += 1
      void this.#deliver(batch)
    }
  }

  /** A full batch, or the messages that have waited long enough. */
  #takeBatch(): readonly QueueMessage[] {
    const { maxBatchSize, maxBatchTimeoutMs } = this.#settings
    const now = Date.now()
    const limit = maxBatchSize + this.#underWay.size
    // No pause is that long: a message due much later was accepted while the clock was ahead.
    const isDue = 'select id, due from messages where due <= ? or due > ? order by due limit ?'
    const due = this.#sql.exec<{ id: number; due: number }>(isDue, now, now + MAX_PAUSE_MS, limit).toArray()
    const [oldest, ...others] = due.filter(({ id }) => !this.#underWay.has(id)).slice(0, maxBatchSize)
    if (!oldest || (others.length + 1 < maxBatchSize && oldest.due + maxBatchTimeoutMs > now)) return []
    const ids = [oldest, ...others].map(({ id }) => id)
    for (const id of ids) this.#underWay.add(id)
    const byId = 'select * from messages where id in (select value from json_each(?))'
    return this.#sql.exec<QueueMessage>(byId, JSON.stringify(ids)).toArray()
  }

  async #deliver(batch: readonly QueueMessage[]): Promise<void> {
    try {
      await this.#settle(batch, await this.#consume(batch))
    } catch (error) {
      logError('a delivery of the local queue comes again', error)
      await scheduler.wait(RETRY_DELAY_SECONDS * 1_000)
    }
    for (const { id } of batch) this.#underWay.delete(id)
    this.#deliveries -= 1
    this.#deliverDue(1)
    this.#setAlarm()
  }

  async #consume(batch: readonly QueueMessage[]): Promise<Outcome | null> {
    const messages = batch.map(({ id, attempts, body, sent }) => ({
      id: String(id),
      timestamp: new Date(sent),
      attempts: attempts + 1,
      body,
    }))
    try {
      return await withTimeout(this.env.CONSUMER.queue(this.#settings.queue, messages), DELIVERY_LIMIT_MS)
    } catch (error) {
      logError('the consumer of the local queue failed', error)
      return null
    }
  }

  async #settle(batch: readonly QueueMessage[], result: Outcome | null): Promise<void> {
    const delays = delaysAfter(batch, result)
    const { maxRetries, deadLetterQueue } = this.#settings
    const isLast = ({ id, attempts }: QueueMessage) =>
      deadLetterQueue !== null && delays.has(id) && attempts >= maxRetries
    const dead = batch.filter(isLast).map(({ body }) => body)
    if (dead.length > 0) await keepDeadLetters(this.env, dead)
    const done = batch.filter((message) => !delays.has(message.id) || isLast(message))
    const retried = batch.filter((message) => !done.includes(message)).map(({ id }) => [id, dueAfter(delays.get(id))])
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(DELETE, JSON.stringify(done.map(({ id }) => id)))
      this.#sql.exec(RETRY, JSON.stringify(retried))
    })
    this.#backlog.count -= done.length
    for (const { length } of done) this.#backlog.length -= length
  }
}

export class DeadLetterQueueObject extends QueueObject {
  protected override settingsIn(env: LocalEnv): QueueSettings {
    return env.DEAD_LETTER_QUEUE_SETTINGS
  }
}

const DELETE = 'delete from messages where id in (select value from json_each(?))'
const RETRY = `update messages set attempts = attempts + 1, due = retried.value ->> 1
  from json_each(?) as retried where messages.id = retried.value ->> 0`

function dueAfter(delaySeconds = RETRY_DELAY_SECONDS): number {
  return Date.now() + delaySeconds * 1_000
}

/** The messages to deliver again, and after how many seconds. Those acknowledged before a failure are done. */
function delaysAfter(batch: readonly QueueMessage[], result: Outcome | null): Map<number, number | undefined> {
  const acknowledged = new Set(result?.explicitAcks)
  const isForAll = result?.outcome !== 'ok' || result.retryBatch.retry
  const ofAll = isForAll ? batch.filter(({ id }) => !acknowledged.has(String(id))) : []
  return new Map([
    ...ofAll.map(({ id }) => [id, result?.retryBatch.delaySeconds] as const),
    ...(result?.retryMessages ?? []).map(({ msgId, delaySeconds }) => [Number(msgId), delaySeconds] as const),
  ])
}
