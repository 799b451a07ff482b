import type { DemoEvent } from '../../src/commands/demo/event.ts'
import { history } from '../../src/commands/demo/history.ts'
import { interleave, median, medianRatio, progress } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { perSecond, type Section, times } from './table.ts'
import type { Deliveries, RowsWritten, Timed } from './worker.ts'

const DAYS = 30
/** The number of made events, as a multiple of those that are stored first, for the rounds. */
const SPARE = 1.6
/** Events handed over at a time while the database is filled. */
const PORTION = 10_000
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
  const traffic = new Traffic(service, (await createApplication(service)).id, scale.stored)
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

/** One application's traffic: the same history twice, each side always further on in it. */
class Traffic {
  readonly #service: Service
  readonly #applicationId: number
  readonly #delivered: Iterator<DemoEvent>
  readonly #inserted: Iterator<DemoEvent>

  constructor(service: Service, applicationId: number, stored: number) {
    this.#service = service
    this.#applicationId = applicationId
    const extent = { events: stored * SPARE, days: DAYS, now: Date.now() }
    this.#delivered = eventsOf(extent)
    this.#inserted = eventsOf(extent)
  }

  /** Stores this many events on both sides. */
  async fill(events: number): Promise<void> {
    for (let stored = PORTION; stored <= events; stored += PORTION) {
      await this.#ask<Timed>('/deliver', SERVERS, next(this.#delivered, PORTION))
      await this.#ask<Timed>('/insert', SERVERS, next(this.#inserted, PORTION))
      if (stored % (10 * PORTION) === 0) progress(`  stored ${stored} of ${events} events`)
    }
  }

  /** Returns events a second. */
  async deliver(shape: Shape, deliveries: number): Promise<number> {
    const events = next(this.#delivered, deliveries * sizeOf(shape))
    const { milliseconds } = await this.#ask<Timed>('/deliver', shape, events)
    return (events.length / milliseconds) * 1000
  }

  /** Returns events a second. */
  async insert(shape: Shape, deliveries: number): Promise<number> {
    const events = next(this.#inserted, deliveries * sizeOf(shape))
    const { milliseconds } = await this.#ask<Timed>('/insert', shape, events)
    return (events.length / milliseconds) * 1000
  }

  async rowsPerEvent(): Promise<number> {
    const events = next(this.#delivered, sizeOf(BROWSERS))
    const { rows } = await this.#ask<RowsWritten>('/rows-written', BROWSERS, events)
    return rows / events.length
  }

  async #ask<Answer>(path: string, shape: Shape, events: readonly DemoEvent[]): Promise<Answer> {
    const deliveries: Deliveries = { ...shape, events, applicationId: this.#applicationId }
    const body = JSON.stringify(deliveries)
    // The worker hangs up on a connection that was idle while the next events were made.
    const init = { method: 'POST', headers: { connection: 'close' }, body }
    const response = await fetch(new URL(path, this.#service.bench), init)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
}

function sizeOf({ eventsPerMessage, messagesPerDelivery }: Shape): number {
  return eventsPerMessage * messagesPerDelivery
}

function* eventsOf(extent: Parameters<typeof history>[0]): Generator<DemoEvent> {
  for (const day of history(extent)) yield* day
}

function next(events: Iterator<DemoEvent>, count: number): DemoEvent[] {
  return Array.from({ length: count }, () => {
    const { value, done } = events.next()
    if (done) throw new Error('The history is over: it needs more to spare')
    return value
  })
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
