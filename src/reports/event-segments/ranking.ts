import { rounded } from '../change.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import type { Mode } from './contract.ts'
import { type Counts, FIGURES } from './counts.ts'

/** A group, and what is counted of it in the whole period. */
export interface Headline {
  readonly values: GroupValues
  readonly whole: Counts
}

/** Groups are ranked by their figure as it is shown; `active` are all active users of the period, where the mode needs them. */
export function createRanking<T extends Headline>(mode: Mode, active: number) {
  const largest = createGroupRanking<T>()
  return {
    offer: (whole: Counts, make: () => T) => largest.offer(rounded(FIGURES[mode](whole, active)), make),
    items: largest.items,
  }
}
