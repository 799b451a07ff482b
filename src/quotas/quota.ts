import type { CollectingScope } from '../accounts/api-keys.ts'
import { Failure } from '../errors.ts'
import { dayOf, MS_PER_DAY } from '../time/days.ts'

/** What is counted of an application in a UTC day, and the variable of wrangler.toml that says how much of it there may be. */
const QUOTAS = {
  events: 'QUOTA_EVENTS',
  bytes: 'QUOTA_BYTES',
  newNames: 'QUOTA_NEW_NAMES',
  newContexts: 'QUOTA_NEW_CONTEXTS',
  newUsers: 'QUOTA_NEW_USERS',
} as const satisfies Record<string, keyof Env>

export type QuotaName = keyof typeof QUOTAS
export type Usage = Readonly<Record<QuotaName, number>>
/** A bound for each; one that wrangler.toml does not name is infinite. */
export type Quotas = Usage

/** What was used by keys of one scope; what is not named was not used. */
export interface Use extends Partial<Usage> {
  readonly scope: CollectingScope
}

const NAMES = Object.keys(QUOTAS) as QuotaName[]

export function quotasOf(env: Partial<Env>): Quotas {
  return mapNames((name) => Number(env[QUOTAS[name]] ?? Number.POSITIVE_INFINITY))
}

export const NOTHING_USED: Usage = mapNames(() => 0)

export function addUse(usage: Usage, use: Use): Usage {
  return mapNames((name) => usage[name] + (use[name] ?? 0))
}

/** The first quota of which nothing is left; null where there is none. */
export function findSpent(usage: Usage, quotas: Quotas): QuotaName | null {
  return NAMES.find((name) => usage[name] >= quotas[name]) ?? null
}

/** What a sender is told, by the variable's name: whoever runs the service finds it in wrangler.toml. */
export function quotaSpent(name: QuotaName, now: number): Failure {
  const retryAfterSeconds = Math.ceil(((dayOf(now) + 1) * MS_PER_DAY - now) / 1000)
  return new Failure('too-many', `${QUOTA_SPENT[name]} It starts anew at midnight UTC.`, { retryAfterSeconds })
}

const QUOTA_SPENT = mapNames((name) => `The quota ${QUOTAS[name]} of this application is spent for today.`)

function mapNames<T>(make: (name: QuotaName) => T): Readonly<Record<QuotaName, T>> {
  return Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<QuotaName, T>
}
