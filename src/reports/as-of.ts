import { toIso } from '../time/days.ts'

/** Names the moment up to which every stored event is counted in an answer's figures. */
export const AS_OF_HEADER = 'figures-as-of'

/** That moment, as the header says it: now, or since when an event waits to be counted. */
export function asOf(waitingSince: number | null, now: number): string {
  return toIso(waitingSince ?? now)
}
