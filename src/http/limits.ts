import { Failure } from '../base/errors.ts'
import { logError } from '../base/log.ts'
import { EntryCache } from '../storage/memory.ts'

/** The period of the budgets in wrangler.toml. */
const PERIOD_SECONDS = 10

/**
 * An isolate admits the first requests of a caller by its own count. Only further ones are checked with the platform's limiter, which
 * counts for all isolates of a location: most callers never send that many.
 */
const UNCHECKED = 20

const SPENT = Number.POSITIVE_INFINITY

/**
 * How many requests a caller (the hash of a key, or a network) may make in a period. The platform's limiter runs in parallel to
 * the request, so it delays nobody: once it says no, further requests are refused until the period ends. If it fails, none are.
 */
export class Budget {
  /** Requests in this period. The most frequent callers are the last to be dropped. */
  readonly #counts = new EntryCache<number>(10_000)
  /** Tells a refused caller whose budget is spent, and for what. */
  readonly sentence: string
  #period = 0
  /** A failing limiter is logged once a period. */
  #failedIn = 0

  constructor(sentence: string) {
    this.sentence = sentence
  }

  /** Counts a request; returns whether to check it with the limiter. Throws `too-many` if the budget is spent. */
  spend(caller: string, now: number): boolean {
    const count = this.require(caller, now)
    this.#counts.set(caller, count + 1)
    return count >= UNCHECKED
  }

  /** Returns the number of requests in this period. Throws `too-many` if the budget is spent. */
  require(caller: string, now: number): number {
    this.#enter(periodOf(now))
    const count = this.#counts.get(caller) ?? 0
    if (count === SPENT) throw this.#refusal(now)
    return count
  }

  async check(caller: string, now: number, limiter: RateLimit): Promise<void> {
    try {
      const { success } = await limiter.limit({ key: caller })
      if (!success && periodOf(now) === this.#period) this.#counts.set(caller, SPENT)
    } catch (error) {
      if (this.#failedIn !== this.#period) logError('limiter failed', error)
      this.#failedIn = this.#period
    }
  }

  #enter(period: number): void {
    if (period === this.#period) return
    this.#period = period
    this.#counts.clear()
  }

  #refusal(now: number): Failure {
    const retryAfterSeconds = Math.ceil((periodOf(now) + 1) * PERIOD_SECONDS - now / 1000)
    const wait = `Try again in ${retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`}.`
    return new Failure('too-many', `${this.sentence} ${wait}`, { retryAfterSeconds })
  }
}

function periodOf(now: number): number {
  return Math.floor(now / 1000 / PERIOD_SECONDS)
}

const LONGEST_ADDRESS = 45

/** Where a request comes from, as it is counted. */
export interface Network {
  /** An IPv4 address, or the /64 of an IPv6 address, since one host owns all of it. */
  readonly host: string
  /** The /48 of an IPv6 address: providers hand out networks of that size, with 65,536 of those hosts. */
  readonly site: string | null
}

export function toNetwork(address: string): Network {
  const isIpv4 = !address.includes(':') || address.includes('.')
  if (isIpv4) return { host: address.slice(0, LONGEST_ADDRESS), site: null }
  const groups = groupsOf(address)
  return { host: `${groups.slice(0, 4).join(':')}::/64`, site: `${groups.slice(0, 3).join(':')}::/48` }
}

/** The eight groups of an IPv6 address, or what looks like them. */
function groupsOf(address: string): string[] {
  const [front = [], back = []] = address
    .slice(0, LONGEST_ADDRESS)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return [...front, ...zeros, ...back]
}
