import type { Context } from 'hono'
import { type BodyReading, readBatch, readBody } from '../../src/collection/body.ts'
import { consume } from '../../src/collection/consumer.ts'
import { toMessages } from '../../src/collection/message.ts'
import { UNKNOWN_SENDER } from '../../src/collection/sender.ts'
import type { DemoEvent } from '../../src/commands/demo/event.ts'
import type { CostObject } from './cost-object.ts'
import { countedDatabase, type RowsCount } from './counted.ts'

/** Requests whose events are stored. */
export interface CostRequest {
  readonly applicationId: number
  /** Plain events of now, batches of our client, or plain events as they are. */
  readonly kind: 'plain' | 'batch' | 'history'
  readonly requests: readonly (readonly DemoEvent[])[]
  readonly requestsPerDelivery: number
}

/** What storing them took. */
export interface CostAnswer {
  readonly events: number
  /** Rows written in the database, by deliveries. */
  readonly rows: number
  /** Rows read by them. */
  readonly read: number
  readonly tables: Readonly<Record<string, number>>
  readonly messageBytes: readonly number[]
  /** Runs of the application's object, and what they wrote in its storage and in the database. */
  readonly runs: number
  readonly objectRows: number
  readonly runRows: number
}

export interface CostEnv extends Env {
  readonly COST_OBJECTS: DurableObjectNamespace<CostObject>
}

const MOST_RUNS = 20

/** Stores events as collection and its consumer do, and refreshes the columns of their application. */
export async function countCost(c: Context<{ Bindings: CostEnv }>): Promise<Response> {
  const { applicationId, kind, requests, requestsPerDelivery } = await c.req.json<CostRequest>()
  const count: RowsCount = { rows: 0, read: 0, tables: {} }
  const env = { ...c.env, DB: countedDatabase(c.env.DB, count) }
  const object = c.env.COST_OBJECTS.getByName(String(applicationId))
  const answer = { events: 0, messageBytes: [] as number[], runs: 0, objectRows: 0, runRows: 0 }
  const every = Math.ceil(requests.length / requestsPerDelivery / MOST_RUNS)
  for (let from = 0; from < requests.length; from += requestsPerDelivery) {
    const messages: string[] = []
    for (const events of requests.slice(from, from + requestsPerDelivery)) {
      messages.push(...toMessages({ applicationId, scope: 'full' }, (await read(events, kind)).events))
      answer.events += events.length
    }
    await consume(toBatch(messages), { env, now: Date.now() })
    answer.messageBytes.push(...messages.map((message) => Buffer.byteLength(message)))
    if ((from / requestsPerDelivery) % every !== 0) continue
    const run = await object.run({ applicationId, objects: 1, part: 0 })
    answer.runs += 1
    answer.objectRows += run.object
    answer.runRows += run.database
  }
  return c.json({ ...answer, ...count } satisfies CostAnswer)
}

const NO_BOT = { id: 0, botId: null, initDataHours: 24, verifiedOnly: false, publicKeys: undefined }
/** A client sends what happened within this time together. */
const BATCH_MS = 2_000

async function read(events: readonly DemoEvent[], kind: CostRequest['kind']): Promise<BodyReading> {
  const now = Date.now()
  const arrival = { now, scope: 'full', sender: UNKNOWN_SENDER, privateKey: () => '' } as const
  if (kind === 'history') return readBody(events, arrival)
  const live = events.map((event, index) => ({ ...event, datetime: now - BATCH_MS + index }))
  if (kind === 'plain') return readBody(live, arrival)
  const page = crypto.randomUUID()
  const body = { sent_at: now, events: live.map((event, index) => ({ ...event, event_id: `${page}#${index}` })) }
  return readBatch(body, { arrival, checking: NO_BOT as never })
}

function toBatch(bodies: readonly string[]): MessageBatch<unknown> {
  const messages = bodies.map((body) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
    ack: () => {},
    retry: () => {
      throw new Error('A delivery was not stored')
    },
  }))
  return { queue: 'mauve-events', messages } as unknown as MessageBatch<unknown>
}
