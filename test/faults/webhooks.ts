import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/commands/demo/random.ts'
import { CRON_PATH, MESSAGES_PATH, type Message, SPEED } from './faults.ts'
import { Receiver } from './receiver.ts'
import type { Service } from './service-client.ts'
import { type Evidence, judge, type Verdict } from './verdict.ts'

const STEADY = ['first', 'second', 'third', 'fourth']
const CRON_EVERY_MS = 1_000
const DUE_EVERY_MS = [4_000, 12_000] as const
/** Nothing of the service hangs longer. */
const CALL_LIMIT_MS = 30_000
const RULE = { type: 'digest', every: 'daily', hour: 0, time_zone: 'UTC', questions: [] }

/** Digests that are due again and again, sent to webhooks that fail. Its clock is the one that the worker is told. */
export class Webhooks {
  readonly receiver: Receiver
  readonly #service: Service
  readonly #random: Random
  readonly #began = { at: performance.now(), now: Date.now() }
  /** Subscriptions by the name of their webhook, and since when each is sure to get a message. */
  readonly #ids = new Map<string, string>()
  readonly #dueSince = new Map<string, number>()

  private constructor(service: Service, random: Random, receiver: Receiver) {
    this.#service = service
    this.#random = random
    this.receiver = receiver
  }

  static async open(service: Service, random: Random): Promise<Webhooks> {
    const webhooks = new Webhooks(service, random, await Receiver.listen(random))
    for (const hook of STEADY) await webhooks.#subscribe(hook)
    return webhooks
  }

  /** Makes digests due, and lets cron run, until it is told to stop. */
  async send(signal: AbortSignal): Promise<void> {
    const makeDue = async () => {
      for (let round = 1; !signal.aborted; round++) {
        await this.#makeDue(this.#random.pick(STEADY))
        if (round % 2 === 0) await this.#subscribe(`gone${round}`).catch(() => undefined)
        await sleep(this.#random.whole(...DUE_EVERY_MS) / STEADY.length)
      }
    }
    const cron = async () => {
      for (; !signal.aborted; await sleep(CRON_EVERY_MS)) await this.#runCron()
    }
    await Promise.all([makeDue(), cron()])
  }

  /** Lets the service that is whole again send what is left, for so long at most; tells what was wrong. */
  async settle(limitMs: number, disturbed: Evidence['disturbed']): Promise<Verdict> {
    for (const hook of STEADY) await this.#makeDue(hook)
    const deadline = performance.now() + limitMs
    for (let left = 1; left > 0 && performance.now() < deadline; await sleep(CRON_EVERY_MS)) {
      // What is due has messages only after a run of cron.
      if (await this.#runCron()) left = (await this.#messages()).filter(({ tryAt }) => tryAt !== null).length
    }
    this.receiver.close()
    const hooks = new Map([...this.#ids].map(([hook, id]) => [id, hook]))
    const messages = (await this.#messages()).map((message) => ({
      ...message,
      hook: hooks.get(message.subscription) ?? '',
    }))
    return judge({ messages, tries: this.receiver.tries, disturbed, dueSince: this.#dueSince })
  }

  get #now(): number {
    return this.#began.now + (performance.now() - this.#began.at) * SPEED
  }

  async #subscribe(name: string): Promise<void> {
    const target = { type: 'webhook', url: this.receiver.addressOf(name) }
    const response = await this.#ask('POST', '/subscriptions', { name, rule: RULE, target })
    if (!response.ok) throw new Error(`A subscription was answered with ${response.status}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { id: string } }
    this.#ids.set(name, data.id)
    await this.#makeDue(name)
  }

  /** What is not answered with 200 may still have been done. */
  async #makeDue(hook: string): Promise<void> {
    const now = this.#now
    // Not by the clock of the cron that a new process runs, which is behind this one.
    const body = { next_at: new Date(now).toISOString() }
    const response = await this.#ask('PATCH', `/subscriptions/${this.#ids.get(hook)}`, body).catch(() => null)
    // A run of cron that began before may have seen it.
    if (response?.ok) this.#dueSince.set(hook, now - CALL_LIMIT_MS * SPEED)
  }

  async #runCron(): Promise<boolean> {
    const response = await this.#ask('POST', CRON_PATH, this.#now).catch(() => null)
    return response?.ok === true
  }

  async #messages(): Promise<Message[]> {
    const response = await this.#ask('GET', MESSAGES_PATH)
    return (await response.json()) as Message[]
  }

  #ask(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { 'x-api-key': this.#service.key, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(CALL_LIMIT_MS)
    return fetch(this.#service.url + path, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
}
