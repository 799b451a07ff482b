import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, weighted } from '../../src/commands/demo/random.ts'
import { RECEIVER } from './faults.ts'

/** What a receiver does with one try. `gone` is a 410. */
export type Behavior = 'takes' | 'takes slowly' | 'fails' | 'hangs' | 'hangs up' | 'gone'

/** A try that reached the receiver. */
export interface Try {
  readonly hook: string
  /** The message's id. */
  readonly id: string
  /** When the service sent it, by its own clock: milliseconds since 1970. */
  readonly sentAt: number
  readonly behavior: Behavior
  /** When it came, in milliseconds on the clock of the run. */
  readonly cameAt: number
  /** When an answer was sent whole; null for none. */
  answeredAt: number | null
}

const BEHAVIORS = weighted<Behavior>([
  ['takes', 4],
  ['takes slowly', 2],
  ['fails', 2],
  ['hangs', 1],
  ['hangs up', 2],
])
/** Then it is taken, so that a run ends. */
const MOST_FAILURES = 2
const STATUS = { takes: 200, 'takes slowly': 200, fails: 500, gone: 410 } as const

/** Webhooks on loopback that fail in all ways, and note what comes. */
export class Receiver {
  readonly tries: Try[] = []
  /** The bodies that came whole. */
  readonly bodies: string[] = []
  readonly #random: Random
  readonly #server = createServer((request, response) => void this.#receive(request, response))

  private constructor(random: Random) {
    this.#random = random
  }

  static async listen(random: Random): Promise<Receiver> {
    const receiver = new Receiver(random)
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  /** What the service knows a webhook by. Those whose name begins with `gone` answer 410 in the end, the others take messages. */
  addressOf(hook: string): string {
    return `${RECEIVER}/${(this.#server.address() as AddressInfo).port}/${hook}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hook = String(request.url).slice(1)
    const id = String(request.headers['webhook-id'])
    const sentAt = 1000 * Number(request.headers['webhook-timestamp'])
    const behavior = this.#behaviorFor(hook, id)
    const noted: Try = { hook, id, sentAt, behavior, cameAt: performance.now(), answeredAt: null }
    this.tries.push(noted)
    request
      .setEncoding('utf8')
      .toArray()
      .then(
        (chunks) => this.bodies.push(chunks.join('')),
        () => undefined,
      )
    if (behavior === 'hangs') return
    if (behavior === 'hangs up') return void request.socket.destroy()
    if (behavior === 'takes slowly') await sleep(this.#random.whole(1_000, 6_000))
    response.once('finish', () => {
      noted.answeredAt = performance.now()
    })
    response.writeHead(STATUS[behavior]).end()
  }

  #behaviorFor(hook: string, id: string): Behavior {
    const earlier = this.tries.filter((one) => one.id === id).length
    const picked = earlier < MOST_FAILURES ? this.#random.pick(BEHAVIORS) : 'takes'
    return hook.startsWith('gone') && STATUS[picked as keyof typeof STATUS] === 200 ? 'gone' : picked
  }
}
