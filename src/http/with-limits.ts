import type { Context } from 'hono'
import { Budget, networkOf, type Spending } from './limits.ts'
import type { AppEnv } from './with-context.ts'

/** Each kind of request has a budget of its own, by key and by address. */
export type BudgetName = 'configuration' | 'collection' | 'questions'

interface Limit {
  readonly budget: Budget
  /** The limiter of wrangler.toml that knows how much it is. */
  readonly limiter: keyof Env & `${string}_BY_${'KEY' | 'ADDRESS'}`
}

const BY_KEY: Readonly<Record<BudgetName, Limit>> = {
  configuration: { budget: keyBudget('the client configuration'), limiter: 'CONFIGURATION_BY_KEY' },
  collection: { budget: keyBudget('collection'), limiter: 'COLLECTION_BY_KEY' },
  questions: { budget: keyBudget('questions'), limiter: 'QUESTIONS_BY_KEY' },
}

const BY_ADDRESS: Readonly<Record<BudgetName, Limit>> = {
  configuration: { budget: addressBudget('the client configuration'), limiter: 'CONFIGURATION_BY_ADDRESS' },
  collection: { budget: addressBudget('collection'), limiter: 'COLLECTION_BY_ADDRESS' },
  questions: { budget: addressBudget('questions'), limiter: 'QUESTIONS_BY_ADDRESS' },
}

/** Each key that nobody knows costs a question to the database. */
const UNKNOWN_KEYS: Limit = { budget: addressBudget('unknown API keys'), limiter: 'UNKNOWN_KEYS_BY_ADDRESS' }

function keyBudget(what: string): Budget {
  return new Budget(`The budget of this API key for ${what} is spent.`)
}

function addressBudget(what: string): Budget {
  return new Budget(`The budget of this address for ${what} is spent.`)
}

/** What a request may cost its key and its address. All of these throw `too-many`. */
interface Limits {
  readonly spendOfAddress: () => void
  readonly spendOfKey: (keyHash: string) => void
  readonly spendOnUnknownKey: () => void
  /** Where too many keys were unknown, no further one is looked up. */
  readonly requireKnownKeys: () => void
}

/** A request that comes from no address (a test, another worker) is counted by its key alone. */
export function limitsOf(c: Context<AppEnv>, name: BudgetName): Limits {
  const [now, defer] = [c.get('now'), c.get('defer')]
  const address = c.req.header('cf-connecting-ip')
  const network = address && networkOf(address)
  const spending = (caller: string, { limiter }: Limit): Spending => ({ caller, limiter: c.env[limiter], now, defer })
  const ofAddress = (limit: Limit, how: 'spend' | 'require') => () => {
    if (network) limit.budget[how](spending(network, limit))
  }
  return {
    spendOfAddress: ofAddress(BY_ADDRESS[name], 'spend'),
    spendOfKey: (keyHash) => BY_KEY[name].budget.spend(spending(keyHash, BY_KEY[name])),
    spendOnUnknownKey: ofAddress(UNKNOWN_KEYS, 'spend'),
    requireKnownKeys: ofAddress(UNKNOWN_KEYS, 'require'),
  }
}
