import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Budget, type Network, toNetwork } from '../limits.ts'

/** Each kind of request has a budget of its own, by key and by address. */
export type BudgetName = 'configuration' | 'collection' | 'questions' | 'registration'

/** What each is called in the 429. */
const BUDGETS: Readonly<Record<BudgetName, string>> = {
  configuration: 'the client configuration',
  collection: 'collection',
  questions: 'questions',
  registration: 'registration and settings',
}

interface Limit {
  readonly budget: Budget
  /** The limiter of wrangler.toml that holds the number. */
  readonly limiter: keyof Env & `${string}_BY_${'KEY' | 'ADDRESS' | 'SITE'}`
}

const BY_KEY: Readonly<Record<BudgetName, Limit>> = {
  configuration: keyLimit('configuration', 'CONFIGURATION_BY_KEY'),
  collection: keyLimit('collection', 'COLLECTION_BY_KEY'),
  questions: keyLimit('questions', 'QUESTIONS_BY_KEY'),
  registration: keyLimit('registration', 'REGISTRATION_BY_KEY'),
}

/** Limits by where a request comes from. */
interface NetworkLimit {
  readonly host: Limit
  readonly site: Limit
}

const BY_NETWORK: Readonly<Record<BudgetName, NetworkLimit>> = {
  configuration: networkLimit(BUDGETS.configuration, 'CONFIGURATION_BY_ADDRESS', 'CONFIGURATION_BY_SITE'),
  collection: networkLimit(BUDGETS.collection, 'COLLECTION_BY_ADDRESS', 'COLLECTION_BY_SITE'),
  questions: networkLimit(BUDGETS.questions, 'QUESTIONS_BY_ADDRESS', 'QUESTIONS_BY_SITE'),
  registration: networkLimit(BUDGETS.registration, 'REGISTRATION_BY_ADDRESS', 'REGISTRATION_BY_SITE'),
}

/** Every unknown key costs a query. */
const UNKNOWN_KEYS = networkLimit('unknown API keys', 'UNKNOWN_KEYS_BY_ADDRESS', 'UNKNOWN_KEYS_BY_SITE')

/** The first sentence of the 429; when to try again follows it. */
export function keyBudgetSpent(name: BudgetName): string {
  return `The budget of this API key for ${BUDGETS[name]} is spent.`
}

function keyLimit(name: BudgetName, limiter: Limit['limiter']): Limit {
  return { budget: new Budget(keyBudgetSpent(name)), limiter }
}

function networkLimit(what: string, byAddress: Limit['limiter'], bySite: Limit['limiter']): NetworkLimit {
  return {
    host: { budget: new Budget(`The budget of this address for ${what} is spent.`), limiter: byAddress },
    site: { budget: new Budget(`The budget of this network for ${what} is spent.`), limiter: bySite },
  }
}

/** The network of a request. One without an address (from a test, or another Worker) is counted by its key alone. */
export function networkOf(c: Context): Network | null {
  const address = c.req.raw.headers.get('cf-connecting-ip')
  return address ? toNetwork(address) : null
}

/** These four throw `too-many` if the budget is spent. */
export function limitKey(c: Context<AppEnv>, name: BudgetName, keyHash: string): void {
  spend(c, BY_KEY[name], keyHash)
}

export function limitNetwork(c: Context<AppEnv>, name: BudgetName, network: Network | null): void {
  if (network) spendOf(c, BY_NETWORK[name], network)
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

/** The limiter is asked after the response is sent. A deployment without limiters limits nothing. */
function spend(c: Context<AppEnv>, { budget, limiter }: Limit, caller: string): void {
  const now = c.get('now')
  const isAsked = budget.spend(caller, now)
  const asked: RateLimit | undefined = isAsked ? c.env[limiter] : undefined
  if (asked) c.get('defer')(budget.ask(caller, now, asked))
}
