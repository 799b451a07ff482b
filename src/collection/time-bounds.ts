import type { CollectingScope } from '../access/api-keys.ts'
import type { Fault } from '../base/errors.ts'
import { MS_PER_DAY, yearsBefore } from '../base/time/days.ts'

/** How old an event may be: with a full key, and with a client key. */
const YEARS_BACK = 5
const CLIENT_KEY_DAYS_BACK = 30
const AHEAD_MS = 5 * 60_000

interface Arriving {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly scope: CollectingScope
}

/** What is wrong with the time of an event. */
export function timeFaults(time: number, { now, scope }: Arriving): Omit<Fault, 'loc'>[] {
  if (time > now + AHEAD_MS) return [{ msg: 'Input should be at most 5 minutes ahead', type: 'value_error' }]
  const { since, words } = OLDEST[scope]
  return time < since(now) ? [{ msg: `Input should be at most ${words} ago`, type: 'value_error' }] : []
}

/** Anyone can read a page's client key, so it must not be able to change the figures of past years. */
const OLDEST: Readonly<Record<CollectingScope, { since: (now: number) => number; words: string }>> = {
  full: { since: (now) => yearsBefore(now, YEARS_BACK), words: `${YEARS_BACK} years` },
  client: { since: (now) => now - CLIENT_KEY_DAYS_BACK * MS_PER_DAY, words: `${CLIENT_KEY_DAYS_BACK} days` },
}
