import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Budget, type Network, toNetwork } from '../limits.ts'

interface Limit {
  readonly budget: Budget
  /** The limiter of wrangler.toml that holds the number. */
  readonly limiter: keyof Env & `${string}_BY_${'KEY' | 'ADDRESS' | 'SITE'}`
}

interface NetworkLimit {
  readonly host: Limit
  readonly site: Limit
}

/** What the names of a kind's limiters begin with. */
type Kind = 'CONFIGURATION' | 'COLLECTION' | 'QUESTIONS' | 'REGISTRATION'

/** Each kind of request has a budget of its own, by key and by address. */
const BUDGETS = {
  configuration: kindLimit('the client configuration', 'CONFIGURATION'),
  collection: kindLimit('collection', 'COLLECTION'),
  questions: kindLimit('questions', 'QUESTIONS'),
  registration: kindLimit('registration and settings', 'REGISTRATION'),
} as const

export type BudgetName = keyof typeof BUDGETS

/** Every unknown key costs a query. */
const UNKNOWN_KEYS = networkLimit('unknown API keys', 'UNKNOWN_KEYS')

/** `what` names it in the sentence of the 429. */
function kindLimit(what: string, kind: Kind): NetworkLimit & { readonly key: Limit } {
  return { key: limitOf('API key', what, `${kind}_BY_KEY`), ...networkLimit(what, kind) }
}

function networkLimit(what: string, kind: Kind | 'UNKNOWN_KEYS'): NetworkLimit {
  return {
    host: limitOf('address', what, `${kind}_BY_ADDRESS`),
    site: limitOf('network', what, `${kind}_BY_SITE`),
  }
}

function limitOf(caller: string, what: string, limiter: Limit['limiter']): Limit {
  return { budget: new Budget(`The budget of this ${caller} for ${what} is spent.`), limiter }
}

/** The first sentence of the 429; when to try again follows it. */
export function keyBudgetSpent(name: BudgetName): string {
  return BUDGETS[name].key.budget.sentence
}

/** The network of a request. One without an address (from a test, or another Worker) is counted by its key alone. */
export function networkOf(c: Context): Network | null {
  const address = c.req.raw.headers.get('cf-connecting-ip')
  return address ? toNetwork(address) : null
}

/** Throws `too-many` if the budget is spent, as the next two do. */
export function limitKey(c: Context<AppEnv>, name: BudgetName, keyHash: string): void {
  spend(c, BUDGETS[name].key, keyHash)
}

export function limitNetwork(c: Context<AppEnv>, name: BudgetName, network: Network | null): void {
  if (network) spendOf(c, BUDGETS[name], network)
}

export function limitUnknownKeys(c: Context<AppEnv>, network: Network | null): void {
  if (network) spendOf(c, UNKNOWN_KEYS, network)
}

/** Throws `too-many` for a caller who sent too many unknown keys, so that no more are looked up. */
export function requireKnownKeys(c: Context<AppEnv>, network: Network | null): void {
  if (!network) return
  const now = c.get('now')
  UNKNOWN_KEYS.host.budget.require(network.host, now)
  if (network.site) UNKNOWN_KEYS.site.budget.require(network.site, now)
}

function spendOf(c: Context<AppEnv>, limit: NetworkLimit, { host, site }: Network): void {
  spend(c, limit.host, host)
  if (site) spend(c, limit.site, site)
}

/** The limiter runs in parallel to the request. A deployment without limiters limits nothing. */
function spend(c: Context<AppEnv>, { budget, limiter }: Limit, caller: string): void {
  const now = c.get('now')
  const isChecked = budget.spend(caller, now)
  const rateLimit: RateLimit | undefined = isChecked ? c.env[limiter] : undefined
  if (rateLimit) c.get('defer')(budget.check(caller, now, rateLimit))
}
