import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

interface Event {
  readonly event_id: string
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
}

/** What a client knows of its own doing. */
export interface Sending {
  readonly url: string
  readonly key: string
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
}

const FIRST_USER = 9_000_000_000
const USERS = 20
const MOST_EVENTS = 20
const ANSWER_LIMIT_MS = 15_000
const PAUSE_MS = 50
/** From here on nothing new is sent until some of it is taken. */
const MOST_OPEN = 100

/**
 * Sends known events and knows which were answered with 200. It hangs up before the answer now and then, sends what was answered
 * once more, and what was not until it is.
 */
export class Client {
  readonly #sending: Sending
  readonly #agent = new Agent({ keepAlive: true })
  /** Sent, but not answered with 200. */
  #open: Event[][] = []
  /** Events answered with 200, by user. */
  readonly answered = new Map<number, number>()
  /** How many answers there were of each status; 0: none. */
  readonly answers = new Map<number, number>()

  constructor(sending: Sending) {
    this.#sending = sending
  }

  get events(): number {
    return this.answered.values().reduce((sum, count) => sum + count, 0)
  }

  /** Sends over this many connections until it is told to stop. */
  async send(connections: number, signal: AbortSignal): Promise<void> {
    const converse = async () => {
      while (!signal.aborted) await this.#sendNext()
    }
    await Promise.all(Array.from({ length: connections }, converse))
  }

  /** Sends what was never answered with 200 until it is. */
  async settle(): Promise<void> {
    for (let events = this.#open.pop(); events; events = this.#open.pop()) await this.#post(events)
  }

  async #sendNext(): Promise<void> {
    const { random } = this.#sending
    const isResend = this.#open.length > MOST_OPEN || random() < 0.3
    const events = (isResend && this.#open.shift()) || this.#newEvents()
    const isAnswered = await this.#post(events, { hangsUp: random() < 0.05 })
    if (isAnswered && random() < 0.1) await this.#repeat(events)
  }

  #newEvents(): Event[] {
    const { random } = this.#sending
    return Array.from({ length: 1 + Math.floor(random() * MOST_EVENTS) }, () => ({
      event_id: randomUUID(),
      event_type: `Known ${Math.floor(random() * 5)}`,
      telegram_id: FIRST_USER + Math.floor(random() * USERS),
      datetime: Date.now(),
    }))
  }

  /** Returns whether the events are taken; what is not stays open. */
  async #post(events: Event[], { hangsUp = false } = {}): Promise<boolean> {
    const status = await this.#ask(events, hangsUp)
    if (status === 200) {
      for (const { telegram_id } of events) this.answered.set(telegram_id, (this.answered.get(telegram_id) ?? 0) + 1)
      return true
    }
    this.#open.push(events)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return false
  }

  async #repeat(events: Event[]): Promise<void> {
    await this.#ask(events, false)
  }

  async #ask(events: readonly Event[], hangsUp: boolean): Promise<number> {
    const status = await post({ ...this.#sending, agent: this.#agent, body: JSON.stringify(events), hangsUp })
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1)
    return status
  }
}

interface Post extends Sending {
  readonly agent: Agent
  readonly body: string
  /** Before the answer is there. */
  readonly hangsUp: boolean
}

/** Returns the status of the answer, or 0 if there is none. */
function post({ url, key, random, agent, body, hangsUp }: Post): Promise<number> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // Many phones, so that no budget of an address is spent.
    'cf-connecting-ip': `10.0.0.${Math.floor(random() * 250)}`,
  }
  return new Promise((resolve) => {
    const asked = request(`${url}/v1/client/events`, { method: 'POST', agent, headers, timeout: ANSWER_LIMIT_MS })
    asked.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(0)).on('close', () => resolve(0))
    asked.end(body, () => {
      if (hangsUp) setTimeout(() => asked.destroy(), 1)
    })
  })
}

/** The events of each of a `Client`'s users that the service counts. */
export async function storedEvents({ url, key }: Pick<Sending, 'url' | 'key'>): Promise<Map<number, number>> {
  const response = await fetch(`${url}/users/segmentation?limit=1000`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`The question was answered with ${response.status}`)
  const { data } = (await response.json()) as { data: { telegram_id: number; total_events: number }[] }
  const known = data.filter(({ telegram_id }) => telegram_id >= FIRST_USER && telegram_id < FIRST_USER + USERS)
  return new Map(known.map(({ telegram_id, total_events }) => [telegram_id, total_events]))
}

/** Events of all users that columns count, of the last 30 days. */
export async function countedEvents({ url, key }: Pick<Sending, 'url' | 'key'>): Promise<number> {
  const response = await fetch(`${url}/events/segmentation?event=_active&mode=totals`, {
    headers: { 'x-api-key': key },
  })
  if (!response.ok) throw new Error(`The question was answered with ${response.status}`)
  const { yValues } = (await response.json()) as { yValues: { key_value: number }[] }
  return yValues[0]?.key_value ?? 0
}
