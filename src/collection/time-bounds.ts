import type { CollectingScope } from '../access/api-keys.ts'
import type { Fault } from '../base/errors.ts'
import { MS_PER_HOUR, yearsBefore } from '../base/time/days.ts'

/** How old an event may be: with a full key, and with a client key. */
export const YEARS_BACK = 5
export const CLIENT_KEY_DAYS_BACK = 30
/** How far a clock may be ahead. */
export const MINUTES_AHEAD = 5

interface Arriving {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly scope: CollectingScope
}

/** What is wrong with the time of an event. Anyone can read a page's client key, so it must not change the figures of past years. */
export function timeFaults(time: number, { now, scope }: Arriving): Omit<Fault, 'loc'>[] {
  if (time > now + MINUTES_AHEAD * 60_000)
    return [{ msg: `Input should be at most ${MINUTES_AHEAD} minutes ahead`, type: 'value_error' }]
  const isOfClient = scope === 'client'
  const oldest = isOfClient ? now - CLIENT_KEY_DAYS_BACK * 24 * MS_PER_HOUR : yearsBefore(now, YEARS_BACK)
  if (time >= oldest) return []
  const words = isOfClient ? `${CLIENT_KEY_DAYS_BACK} days` : `${YEARS_BACK} years`
  return [{ msg: `Input should be at most ${words} ago`, type: 'value_error' }]
}
