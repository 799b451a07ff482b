import type { CollectingScope } from '../../access/api-keys.ts'
import { Failure } from '../../base/errors.ts'
import { startOfUtcDay, utcDayOf } from '../../base/time/days.ts'

/** What is counted for an application each UTC day, and the variable of wrangler.toml that limits it. */
const QUOTAS = {
  events: 'QUOTA_EVENTS',
  bytes: 'QUOTA_BYTES',
  newNames: 'QUOTA_NEW_NAMES',
  newContexts: 'QUOTA_NEW_CONTEXTS',
  newUsers: 'QUOTA_NEW_USERS',
} as const satisfies Record<string, keyof Env>

export type QuotaName = keyof typeof QUOTAS

/** The quotas of new entries, counted when they are stored. Known names, contexts and users are still accepted beyond them. */
export const ENTRY_QUOTAS = ['newNames', 'newContexts', 'newUsers'] as const satisfies readonly QuotaName[]

export type EntryQuota = (typeof ENTRY_QUOTAS)[number]

/**
 * Whose use is counted together: a page's key, which anyone can read; its batches with valid init data, so that nobody who reads
 * the key can use up the quota of real users; and servers.
 */
export type QuotaShare = CollectingScope | 'verified'

export function shareOf(scope: CollectingScope, isVerified: boolean): QuotaShare {
  return scope === 'client' && isVerified ? 'verified' : scope
}

export type Usage = Readonly<Record<QuotaName, number>>
/** A limit for each; one that wrangler.toml does not set is infinite. */
export type Quotas = Usage

/** What was used of one share. A missing field means nothing was used. */
export interface Use extends Partial<Usage> {
  readonly share: QuotaShare
}

const NAMES = Object.keys(QUOTAS) as QuotaName[]

export function quotasOf(env: Partial<Env>): Quotas {
  return mapNames((name) => Number(env[QUOTAS[name]] ?? Number.POSITIVE_INFINITY))
}

/** Finds the quotas whose use has reached this percentage of their limit. */
export function findUsed(usage: Usage, quotas: Quotas, percent: number): QuotaName[] {
  return NAMES.filter((name) => usage[name] * 100 >= quotas[name] * percent)
}

/** What each limits, for people. */
export const QUOTA_WORDS: Readonly<Record<QuotaName, string>> = {
  events: 'events',
  bytes: 'stored bytes',
  newNames: 'new event names',
  newContexts: 'new combinations of properties',
  newUsers: 'new users',
}

export const NOTHING_USED: Usage = mapNames(() => 0)

export function addUse(usage: Usage, use: Use): Usage {
  return mapNames((name) => usage[name] + (use[name] ?? 0))
}

export function findSpent(usage: Usage, quotas: Quotas): QuotaName[] {
  return NAMES.filter((name) => usage[name] >= quotas[name])
}

/** Names the variable, so that whoever runs the service finds it in wrangler.toml. */
export function quotaSpent(name: QuotaName, now: number): Failure {
  const retryAfterSeconds = Math.ceil((startOfUtcDay(utcDayOf(now) + 1) - now) / 1000)
  return new Failure('too-many', `${QUOTA_SPENT[name]} It starts anew at midnight UTC.`, { retryAfterSeconds })
}

const QUOTA_SPENT = mapNames((name) => `The quota ${QUOTAS[name]} of this application is spent for today.`)

function mapNames<T>(make: (name: QuotaName) => T): Readonly<Record<QuotaName, T>> {
  return Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<QuotaName, T>
}
