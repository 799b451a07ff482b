import type { MetricFamily } from './base/counts.ts'
import { logError } from './base/log.ts'
import { countWaiting } from './collection/dead-letters/dead-letters.ts'
import { countBehind } from './questions/rollups/wake.ts'
import { bindingNameOf, boundDatabases } from './storage/activity.ts'
import { readSize } from './storage/fill.ts'
import { handOver } from './storage/handing-over.ts'

const COUNTERS: Readonly<Record<string, string>> = {
  mauve_requests_total: 'Requests answered, by operation and status. Refused ones have 401, 403, 413, 422 or 429.',
  mauve_deliveries_total: 'Deliveries of queues, by outcome.',
}

/** An object is behind once what it has not read is this old. */
const BEHIND_MS = 60_000

/** What `GET /metrics` says now. */
export async function readMetrics(env: Env, now: number): Promise<MetricFamily[]> {
  return (await Promise.all([readQueues(env, now), readDatabases(env, now), readCounters(env)])).flat()
}

/** What does not respond is left out, and logged. */
async function orNull<T>(part: string, read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    logError('metrics', error, { part })
    return null
  }
}

async function readQueues({ EVENTS, DEAD_LETTERS, NOTIFICATIONS, DB }: Env, now: number): Promise<MetricFamily[]> {
  const queues = { events: EVENTS, 'dead-letters': DEAD_LETTERS, notifications: NOTIFICATIONS }
  const waiting: Record<string, number | null> = {}
  const ages: Record<string, number | null> = {}
  for (const [name, queue] of Object.entries(queues)) {
    const backlog = await orNull(name, queue.metrics())
    const oldest = backlog?.oldestMessageTimestamp?.getTime()
    waiting[`{queue="${name}"}`] = backlog?.backlogCount ?? null
    ages[`{queue="${name}"}`] = backlog && (oldest ? Math.max(0, now - oldest) / 1000 : 0)
  }
  const letters = await orNull('dead letters', countWaiting(DB))
  return [
    gauge('mauve_queue_messages', 'Messages that wait in a queue.', waiting),
    gauge('mauve_queue_oldest_message_age_seconds', 'Age of the oldest message that waits in a queue.', ages),
    gauge('mauve_dead_letters', 'Messages that could not be stored and wait for a person.', {
      '': letters,
    }),
  ]
}

async function readDatabases(env: Env, now: number): Promise<MetricFamily[]> {
  const bytes: Record<string, number | null> = {}
  const behind: Record<string, number | null> = {}
  for (const number of boundDatabases(env)) {
    const labels = `{database="${bindingNameOf(number)}"}`
    bytes[labels] = await readSize(env, number)
    behind[labels] = await orNull(bindingNameOf(number), countBehind(number, { env, before: now - BEHIND_MS }))
  }
  return [
    gauge('mauve_database_bytes', 'Size of a database.', bytes),
    gauge('mauve_objects_behind', 'Objects that have not read for a minute what a database has stored.', behind),
  ]
}

function gauge(name: string, help: string, values: MetricFamily['values']): MetricFamily {
  return { name, type: 'gauge', help, values }
}

async function readCounters(env: Env): Promise<MetricFamily[]> {
  const counts = (await handOver(env)) ?? {}
  return Object.entries(COUNTERS).map(([name, help]) => {
    const own = Object.entries(counts).filter(([series]) => series.startsWith(`${name}{`))
    return {
      name,
      type: 'counter',
      help,
      values: Object.fromEntries(own.map(([s, value]) => [s.slice(name.length), value])),
    }
  })
}
