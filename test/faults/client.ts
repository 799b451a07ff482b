import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RareStates } from '../support/rare-states.ts'
import { type Application, post, type Service } from './service-client.ts'
import type { State } from './states.ts'

export interface KnownEvent {
  readonly event_id: string
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
  /** Exports name no `event_id` that a client would know. */
  readonly params: { readonly id: string; readonly round: number; readonly kind: string }
}

/** Events that are sent together, and the applications that did not answer with 200 yet. */
interface Batch {
  readonly events: readonly KnownEvent[]
  readonly open: Set<Application>
}

/** Events that were sent within a few seconds. */
export interface Round {
  readonly events: readonly KnownEvent[]
  /** Whether every application answered all of them with 200, and no more come. */
  readonly isOver: boolean
}

/** A round, and how many of its batches are open. */
interface Sent {
  readonly events: KnownEvent[]
  open: number
}

/** What a client knows of its own doing. */
interface Sending extends Service {
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
  /** By default that of the key. */
  readonly applications?: readonly Application[]
  readonly states?: RareStates<State>
  /** How long a connection rests at most between two batches. */
  readonly mostPauseMs?: number
}

const OF_THE_KEY: Application = { project: null, objects: 1 }
const FIRST_USER = 9_000_000_000
const USERS = 20
const MOST_EVENTS = 20
const PAUSE_MS = 50
const DAY_MS = 86_400_000
const ROUND_MS = 4_000
/** From here on nothing new is sent until some of it is taken. */
const MOST_OPEN = 100

/**
 * Sends the same known events to some applications and knows which were answered with 200. It hangs up before the answer now and then, sends
 * what was answered once more, and what was not until it is.
 */
export class Client {
  readonly #sending: Sending
  readonly #began = performance.now()
  readonly #rounds: Sent[] = []
  /** Waits to be sent again. */
  #open: Batch[] = []
  /** How many requests are under way. */
  underWay = 0
  /** How many answers there were of each status; 0: none. */
  readonly answers = new Map<number, number>()

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Events that every application answered with 200, by user. */
  readonly answered = new Map<number, number>()

  /** How many events every application answered with 200. */
  get events(): number {
    return this.answered.values().reduce((sum, count) => sum + count, 0)
  }

  /** Events of each round, by its number. */
  get rounds(): Round[] {
    const now = this.#round()
    return this.#rounds.map(({ events, open }, round) => ({ events, isOver: open === 0 && round < now }))
  }

  /** Sends over so many connections until it is told to stop. */
  async send(connections: number, signal: AbortSignal): Promise<void> {
    const converse = async () => {
      while (!signal.aborted) {
        await this.#sendNext()
        await sleep(this.#sending.random() * (this.#sending.mostPauseMs ?? 0))
      }
    }
    await Promise.all(Array.from({ length: connections }, converse))
  }

  /** Sends what was never answered with 200 until it is. */
  async settle(): Promise<void> {
    for (let batch = this.#open.pop(); batch; batch = this.#open.pop()) await this.#post(batch)
  }

  #round(): number {
    return Math.floor((performance.now() - this.#began) / ROUND_MS)
  }

  async #sendNext(): Promise<void> {
    const { random, states } = this.#sending
    const isResend = this.#open.length > MOST_OPEN || random() < 0.3
    const batch = (isResend && this.#open.shift()) || this.#newBatch()
    const isTaken = await this.#post(batch, { hangsUp: random() < 0.05 })
    if (!isTaken || random() >= 0.1) return
    for (const application of this.#sending.applications ?? [OF_THE_KEY]) {
      states?.seen('events that were answered with 200 are sent again', (await this.#ask(application, batch)) === 200)
    }
  }

  #newBatch(): Batch {
    const { random, applications = [OF_THE_KEY], states } = this.#sending
    const number = this.#round()
    while (this.#rounds.length <= number) this.#rounds.push({ events: [], open: 0 })
    const round = this.#rounds[number] as Sent
    const events = Array.from({ length: 1 + Math.floor(random() * MOST_EVENTS) }, () => newEvent(random, number))
    states?.seen(
      'a late event into a closed day',
      events.some(({ datetime }) => datetime < Date.now() - DAY_MS / 2),
    )
    round.events.push(...events)
    round.open += 1
    return { events, open: new Set(applications) }
  }

  /** Returns whether all applications took the events; what one did not take stays open. */
  async #post(batch: Batch, { hangsUp = false } = {}): Promise<boolean> {
    for (const application of batch.open) {
      if ((await this.#ask(application, batch, hangsUp)) === 200) batch.open.delete(application)
    }
    if (batch.open.size === 0) {
      for (const { telegram_id } of batch.events)
        this.answered.set(telegram_id, (this.answered.get(telegram_id) ?? 0) + 1)
      const round = this.#rounds[batch.events[0]?.params.round ?? -1]
      if (round) round.open -= 1
      return true
    }
    this.#open.push(batch)
    await sleep(PAUSE_MS)
    return false
  }

  async #ask(application: Application, { events }: Batch, hangsUp = false): Promise<number> {
    const { random, states } = this.#sending
    this.underWay += 1
    const status = await post(this.#sending, application, { events, hangsUp, phone: Math.floor(random() * 250) })
    this.underWay -= 1
    states?.seen('a client hangs up before the answer', hangsUp && status === 0)
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1)
    return status
  }
}

function newEvent(random: () => number, round: number): KnownEvent {
  const id = randomUUID()
  return {
    event_id: id,
    event_type: `Known ${Math.floor(random() * 5)}`,
    telegram_id: FIRST_USER + Math.floor(random() * USERS),
    datetime: Date.now() - (random() < 0.02 ? DAY_MS : 0),
    params: { id, round, kind: `kind ${Math.floor(random() * 3)}` },
  }
}

/** Events of each user that the service counts, of the users of a `Client`. */
export async function storedEvents({ url, key }: Service): Promise<Map<number, number>> {
  const response = await fetch(`${url}/users/segmentation?limit=1000`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`The question was answered with ${response.status}`)
  const { data } = (await response.json()) as { data: { telegram_id: number; total_events: number }[] }
  const known = data.filter(({ telegram_id }) => telegram_id >= FIRST_USER && telegram_id < FIRST_USER + USERS)
  return new Map(known.map(({ telegram_id, total_events }) => [telegram_id, total_events]))
}
