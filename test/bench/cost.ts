import type { DemoEvent } from '../../src/commands/demo/event.ts'
import { history } from '../../src/commands/demo/history.ts'
import type { CostAnswer, CostRequest } from './cost-worker.ts'
import { progress } from './rounds.ts'
import { createApplication, type Service } from './service.ts'

const KNOWN_EVENTS = 20_000
const MEASURED_EVENTS = 3_000
const DAYS = 30
/** Events that our client sends together. */
const BATCH = 10
const ARRAY = 500

/** List prices in dollars, of a million unless another unit is named. */
const PRICES = {
  requests: 0.3,
  cpuMs: 0.02,
  queue: 0.4,
  rowsWritten: 1,
  rowsRead: 0.001,
  objectRequests: 0.15,
  logs: 0.6,
}
/** A queue bills each 64 KB of a message three times: written, read and deleted. */
const QUEUE_CHUNK_BYTES = 64_000
const QUEUE_OPERATIONS = 3

interface Sender {
  readonly title: string
  readonly eventsPerRequest: number
  readonly kind: CostRequest['kind']
  /** For each event: for the configuration, and preflights, which are not logged; of a visit with ten events. */
  readonly otherRequests: number
  readonly preflights: number
  /** For each event, as measured once. */
  readonly cpuMs: number
}

const SENDERS: readonly Sender[] = [
  {
    title: 'published clients, an event a request',
    eventsPerRequest: 1,
    kind: 'plain',
    otherRequests: 0.1,
    preflights: 0.1,
    cpuMs: 2.5,
  },
  {
    title: 'our client, batches of 10',
    eventsPerRequest: BATCH,
    kind: 'batch',
    otherRequests: 0.1,
    preflights: 0.1,
    cpuMs: 0.5,
  },
  {
    title: 'servers, arrays of 500',
    eventsPerRequest: ARRAY,
    kind: 'plain',
    otherRequests: 0,
    preflights: 0,
    cpuMs: 0.5,
  },
]

/** Requests that one delivery of the queue stores together, where it is quiet and where it is busy. */
const REQUESTS_A_DELIVERY = [1, 10, 100]

/** Prints what a million events cost at list prices, as the table of docs/measurements.md. */
export async function printCost(service: Service): Promise<void> {
  const lines = [
    '| sender | requests in a delivery | D1 rows written per event | of these | object rows per run | Queues | D1 rows written | the rest | together |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |',
  ]
  for (const sender of SENDERS) {
    for (const requests of REQUESTS_A_DELIVERY) {
      if (sender.eventsPerRequest * requests > MEASURED_EVENTS) continue
      progress(`  ${sender.title}, ${requests} requests a delivery`)
      lines.push(toLine(sender, requests, await measure(service, sender, requests)))
    }
  }
  console.log(lines.join('\n'))
}

async function measure(service: Service, { kind, eventsPerRequest }: Sender, requests: number): Promise<CostAnswer> {
  const { id: applicationId } = await createApplication(service)
  const events = [...history({ events: KNOWN_EVENTS + 3 * MEASURED_EVENTS, days: DAYS, now: Date.now() })].flat()
  const fill = events.slice(0, KNOWN_EVENTS)
  for (let from = 0; from < fill.length; from += 10 * ARRAY) {
    const some = chunksOf(fill.slice(from, from + 10 * ARRAY), ARRAY)
    await ask(service, { applicationId, kind: 'history', requests: some, requestsPerDelivery: 10 })
  }
  const visits = toVisits(events.slice(KNOWN_EVENTS), kind === 'batch' ? eventsPerRequest : 1)
  const sent = chunksOf(visits.flat().slice(0, MEASURED_EVENTS), eventsPerRequest)
  return ask(service, { applicationId, kind, requests: sent, requestsPerDelivery: requests })
}

/** The events of one session each, as many as are sent together. */
function toVisits(events: readonly DemoEvent[], size: number): DemoEvent[][] {
  const visits = Map.groupBy(events, ({ session_id, telegram_id }) => `${telegram_id} ${session_id}`).values()
  return [...visits].flatMap((visit) => chunksOf(visit, size)).filter(({ length }) => length === size)
}

async function ask({ bench }: Service, request: CostRequest): Promise<CostAnswer> {
  const init = { method: 'POST', headers: { connection: 'close' }, body: JSON.stringify(request) }
  const response = await fetch(new URL('/cost', bench), init)
  if (!response.ok) throw new Error(`/cost answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as CostAnswer
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

function toLine(sender: Sender, requests: number, answer: CostAnswer): string {
  const { eventsPerRequest, otherRequests, preflights, cpuMs } = sender
  const rows = answer.rows / answer.events
  const chunks = answer.messageBytes.reduce((sum, bytes) => sum + Math.ceil(bytes / QUEUE_CHUNK_BYTES), 0)
  const queue = (PRICES.queue * QUEUE_OPERATIONS * chunks) / answer.events
  const received = 1 / eventsPerRequest + otherRequests
  const deliveries = 1 / (eventsPerRequest * requests)
  const others =
    PRICES.requests * (received + preflights) +
    PRICES.cpuMs * cpuMs +
    (PRICES.rowsRead * answer.read) / answer.events +
    PRICES.objectRequests * deliveries +
    PRICES.logs * (received + deliveries)
  const dollars = (value: number) => `$${value.toFixed(2)}`
  const tables = Object.entries(answer.tables).sort(([, a], [, b]) => b - a)
  const cells = [
    sender.title,
    requests,
    rows.toFixed(2),
    tables.map(([table, count]) => `${(count / answer.events).toFixed(2)} ${table}`).join(', '),
    (answer.objectRows / answer.runs).toFixed(0),
    dollars(queue),
    dollars(rows * PRICES.rowsWritten),
    dollars(others),
    `**${dollars(queue + rows * PRICES.rowsWritten + others)}**`,
  ]
  return `| ${cells.join(' | ')} |`
}
