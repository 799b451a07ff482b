import { interleave, median, medianRatio, progress } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { perSecond, type Section, times } from './table.ts'
import type { Deliveries, RowsWritten, Timed } from './worker.ts'

const DAY_MS = 86_400_000
const FILL_DAYS = 30
const STEP_MS = 0.5
const ROUNDS = 7

interface Shape {
  readonly eventsPerMessage: number
  readonly messagesPerDelivery: number
}

const BROWSERS: Shape = { eventsPerMessage: 1, messagesPerDelivery: 100 }
const SERVERS: Shape = { eventsPerMessage: 50, messagesPerDelivery: 100 }

interface Scale {
  readonly stored: number
  /** Deliveries of browsers and of servers, in a round. */
  readonly browserDeliveries: number
  readonly serverDeliveries: number
}

const FULL: Scale = { stored: 1_000_000, browserDeliveries: 20, serverDeliveries: 4 }
const QUICK: Scale = { stored: 100_000, browserDeliveries: 5, serverDeliveries: 1 }

/** Events a second from the queue to the database, next to a plain insert of the same events. */
export async function measureCollection(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const scale = quick ? QUICK : FULL
  const traffic = new Traffic(service, (await createApplication(service)).id)
  await traffic.fill(scale.stored)
  const sizes = await bytesPerEvent(service, scale.stored)
  const rates = await interleave(
    {
      browsers: () => traffic.deliver(BROWSERS, scale.browserDeliveries),
      browsersBare: () => traffic.insert(BROWSERS, scale.browserDeliveries),
      servers: () => traffic.deliver(SERVERS, scale.serverDeliveries),
      serversBare: () => traffic.insert(SERVERS, scale.serverDeliveries),
    },
    ROUNDS,
  )
  return toSection({ rates, sizes, rows: await traffic.rowsPerEvent(), stored: scale.stored })
}

/** One application's traffic, always further on in number and time. */
class Traffic {
  readonly #service: Service
  readonly #applicationId: number
  #delivered = 0
  #inserted = 0

  constructor(service: Service, applicationId: number) {
    this.#service = service
    this.#applicationId = applicationId
  }

  /** Stores so many events of the last days on both sides. */
  async fill(events: number): Promise<void> {
    const step = (FILL_DAYS * DAY_MS) / events
    const startTime = Date.now() - FILL_DAYS * DAY_MS
    const portion = 20 * sizeOf(SERVERS)
    for (let first = 0; first < events; first += portion) {
      const stretch = { first, count: Math.min(portion, events - first), startTime: startTime + first * step, step }
      await this.#ask<Timed>('/deliver', { ...SERVERS, ...stretch })
      await this.#ask<Timed>('/insert', { ...SERVERS, ...stretch })
      progress(`  stored ${first + stretch.count} of ${events} events`)
    }
    this.#delivered = this.#inserted = events
  }

  /** Gives events a second. */
  async deliver(shape: Shape, deliveries: number): Promise<number> {
    const stretch = recent(this.#delivered, deliveries * sizeOf(shape))
    this.#delivered += stretch.count
    const { milliseconds } = await this.#ask<Timed>('/deliver', { ...shape, ...stretch })
    return (stretch.count / milliseconds) * 1000
  }

  /** Gives events a second. */
  async insert(shape: Shape, deliveries: number): Promise<number> {
    const stretch = recent(this.#inserted, deliveries * sizeOf(shape))
    this.#inserted += stretch.count
    const { milliseconds } = await this.#ask<Timed>('/insert', { ...shape, ...stretch })
    return (stretch.count / milliseconds) * 1000
  }

  async rowsPerEvent(): Promise<number> {
    const stretch = recent(this.#delivered, sizeOf(BROWSERS))
    this.#delivered += stretch.count
    const { rows } = await this.#ask<RowsWritten>('/rows-written', { ...BROWSERS, ...stretch })
    return rows / stretch.count
  }

  async #ask<Answer>(path: string, deliveries: Omit<Deliveries, 'applicationId'>): Promise<Answer> {
    const body = JSON.stringify({ ...deliveries, applicationId: this.#applicationId })
    const response = await fetch(new URL(path, this.#service.bench), { method: 'POST', body })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}

function sizeOf({ eventsPerMessage, messagesPerDelivery }: Shape): number {
  return eventsPerMessage * messagesPerDelivery
}

/** Events that end now. */
function recent(first: number, count: number) {
  return { first, count, startTime: Date.now() - count * STEP_MS, step: STEP_MS }
}

interface Sizes {
  readonly mauve: number
  readonly bare: number
}

async function bytesPerEvent({ databases }: Service, stored: number): Promise<Sizes> {
  return { mauve: await bytesIn(databases.mauve, stored), bare: await bytesIn(databases.bare, stored) }
}

/** Gives bytes per event; throws where not all of them were stored. */
async function bytesIn(database: Service['databases']['mauve'], stored: number): Promise<number> {
  const { results, meta } = await database.prepare('select count(*) as events from events').all<{ events: number }>()
  const events = results[0]?.events
  if (events !== stored) throw new Error(`Of ${stored} events ${events} were stored`)
  return meta.size_after / stored
}

interface Findings {
  readonly rates: Awaited<ReturnType<typeof interleave<'browsers' | 'browsersBare' | 'servers' | 'serversBare'>>>
  readonly sizes: Sizes
  readonly rows: number
  readonly stored: number
}

function toSection({ rates, sizes, rows, stored }: Findings): Section {
  const target = '20,000 events/s'
  const rate = (name: keyof typeof rates) => perSecond(median(rates[name]), 'events')
  const ratio = (name: 'browsers' | 'servers') =>
    `${times(medianRatio(rates[name], rates[`${name}Bare`]))} of the plain insert`
  return {
    title: `Queue to database, ${stored.toLocaleString('en')} events there already`,
    lines: [
      { what: '100 messages of 1 event (browsers)', figure: rate('browsers'), ratio: ratio('browsers'), target },
      { what: '  plain insert of 100 into a bare table', figure: rate('browsersBare') },
      { what: '100 messages of 50 events (servers)', figure: rate('servers'), ratio: ratio('servers'), target },
      { what: '  plain insert of 5,000 into a bare table', figure: rate('serversBare') },
      { what: 'rows written per event (100 a delivery)', figure: rows.toFixed(2) },
      {
        what: 'bytes on disk per event, all tables',
        figure: sizes.mauve.toFixed(0),
        ratio: `${times(sizes.mauve / sizes.bare)} of the bare table`,
      },
    ],
  }
}
