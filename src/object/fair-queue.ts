/** So many turns of one caller may wait; a further one is refused. */
const MOST_OF_CALLER = 32
/** What the object itself does waits like a caller. */
export const OWN_WORK = 'the object'
/** What a turn counts at least: the platform's clock stands still while nothing is awaited. */
const LEAST_MS = 1

interface Caller {
  readonly turns: (() => Promise<void>)[]
  /** Milliseconds of work, from the level on that the queue had when the caller came. */
  used: number
}

interface Pacing {
  readonly now?: () => number
  /** Lets others in this isolate get their turn. */
  readonly pause?: () => Promise<unknown>
}

/**
 * One turn after the other: questions, and changes of what they look at. The next turn is that of the caller who has used the
 * least time, so that others wait for one turn of a caller with many dear questions, not for all of them. Nobody is refused
 * what nobody else wants. This is start-time fair queueing
 * (Goyal, Vin and Cheng, 1997).
 */
export class FairQueue {
  readonly #callers = new Map<string, Caller>()
  readonly #now: () => number
  readonly #pause: () => Promise<unknown>
  /** What the caller whose turn it is had used before. Whoever comes begins there: being away saves up nothing. */
  #level = 0
  #isWorking = false

  constructor({ now = Date.now, pause = () => scheduler.wait(0) }: Pacing = {}) {
    this.#now = now
    this.#pause = pause
  }

  isFullFor(caller: string): boolean {
    return (this.#callers.get(caller)?.turns.length ?? 0) >= MOST_OF_CALLER
  }

  /** Runs something when it is its turn. Fails only if it fails itself. */
  run<T>(caller: string, work: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enter(caller).turns.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
      if (!this.#isWorking) void this.#work()
    })
  }

  #enter(name: string): Caller {
    const caller = this.#callers.get(name) ?? { turns: [], used: 0 }
    if (caller.turns.length === 0) caller.used = Math.max(caller.used, this.#level)
    this.#callers.set(name, caller)
    return caller
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let caller = this.#next(); caller; caller = this.#next()) {
      this.#level = caller.used
      const began = this.#now()
      await caller.turns.shift()?.()
      caller.used += Math.max(LEAST_MS, this.#now() - began)
      await this.#pause()
    }
    this.#isWorking = false
    this.#level = 0
  }

  /** Forgets on the way who has nothing left to pay for. */
  #next(): Caller | undefined {
    let next: Caller | undefined
    for (const [name, caller] of this.#callers) {
      if (caller.turns.length > 0) {
        if (!next || caller.used < next.used) next = caller
      } else if (caller.used <= this.#level) this.#callers.delete(name)
    }
    if (!next) this.#callers.clear()
    return next
  }
}
