import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/commands/demo/random.ts'
import type { RareStates } from '../support/rare-states.ts'
import { type Fault, KINDS, type Part } from './faults.ts'
import type { ServiceProcess } from './process.ts'
import type { State } from './states.ts'

interface Disturbing {
  readonly service: ServiceProcess
  readonly random: Random
  readonly states: RareStates<State>
  readonly underWay: () => { readonly requests: number; readonly erasures: number }
  /** Whether accepted events wait to be stored. */
  readonly isQueueFilled: () => Promise<boolean>
}

/** Returns what was done. */
type Disturbance = () => Promise<string>

type Dealt = Pick<Fault, 'part' | 'kind'>

const FAULTS = Object.entries(KINDS).flatMap(([part, kinds]) =>
  kinds.map((kind) => ({ part: part as Part, kind }) as Dealt),
)

/** Some requests take only a few milliseconds. */
const MOST_TRIES = 2_000

/** Deals disturbances as cards are dealt: each comes before any comes again, in an order that the seed determines. */
export class Disturbances {
  readonly #disturbing: Disturbing
  readonly #faults: () => Dealt
  #waiting: Dealt[] = []
  readonly #next: () => Disturbance
  readonly #left = { disturbances: 0, faults: FAULTS.length }

  constructor(disturbing: Disturbing) {
    this.#disturbing = disturbing
    const { random } = disturbing
    this.#faults = dealt(FAULTS, random)
    const parts = () => this.#failParts()
    const kill = () => this.#kill('runtime')
    const others = [kill, kill, () => this.#suspend(), () => this.#kill('process')]
    const all: Disturbance[] = [...new Array(7).fill(parts), ...others]
    this.#left.disturbances = all.length
    this.#next = dealt(all, random)
  }

  next(): Promise<string> {
    this.#left.disturbances -= 1
    return this.#next()()
  }

  /** Whether every disturbance and every fault came. */
  get areAllDealt(): boolean {
    return this.#left.disturbances <= 0 && this.#left.faults <= 0
  }

  async #failParts(): Promise<string> {
    const { service, random } = this.#disturbing
    const dealt = Array.from({ length: random.whole(2, 3) }, () => this.#waiting.shift() ?? this.#faults())
    // Of two faults of one part, the first would hide the other, which comes next time.
    const isHidden = ({ part }: Dealt, place: number) => dealt.findIndex((one) => one.part === part) < place
    this.#waiting = dealt.filter(isHidden)
    const faults = dealt
      .filter((one) => !this.#waiting.includes(one))
      .map((one): Fault => ({ ...one, share: random.pick([0.4, 0.7, 1]) }))
    this.#left.faults -= faults.length
    await service.setFaults(faults)
    await sleep(random.whole(2_000, 6_000))
    return faults.map(({ part, kind, share }) => `${part} ${kind} ${100 * share}%`).join(', ')
  }

  async #kill(what: 'runtime' | 'process'): Promise<string> {
    const { service, states, underWay, isQueueFilled } = this.#disturbing
    const isFilled = await isQueueFilled()
    // Kills meet requests.
    for (let tries = 0; tries < MOST_TRIES && underWay().requests === 0; tries += 1) await sleep(1)
    const { requests, erasures } = underWay()
    states.seen(`the ${what} is killed while requests are under way`, requests > 0)
    states.seen('an erasure is under way when the service is killed', erasures > 0)
    states.seen('the service starts again with messages in the queue', isFilled)
    if (what === 'runtime') service.killRuntime()
    else await service.kill()
    return `${what} killed`
  }

  async #suspend(): Promise<string> {
    const { service, random, states } = this.#disturbing
    states.seen('the runtime is suspended')
    await service.suspendRuntime(random.whole(500, 5_000))
    return 'runtime suspended'
  }
}

/** Returns a function that deals the items, shuffled anew whenever all were dealt. */
function dealt<T>(items: readonly T[], random: Random): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = [...items]
    return left.splice(random.whole(0, left.length - 1), 1)[0] as T
  }
}
