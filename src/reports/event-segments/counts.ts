import type { Fraction } from '../change.ts'
import { countOf } from '../series.ts'
import type { Mode } from './contract.ts'

/** What a mode does not need is not counted, and is 0. */
export interface Counts {
  readonly users: number
  readonly events: number
}

/** Of different users: no user is in two parts. */
export function addCounts(a: Counts, b: Counts): Counts {
  return { users: a.users + b.users, events: a.events + b.events }
}

export function needsUsers(mode: Mode): boolean {
  return mode !== 'totals'
}

export function needsEvents(mode: Mode): boolean {
  return mode === 'totals' || mode === 'average'
}

/** The figure of some counts; `active` are all active users of the same time. */
export const FIGURES: Readonly<Record<Mode, (counts: Counts, active: number) => Fraction>> = {
  uniques: ({ users }) => countOf(users),
  totals: ({ events }) => countOf(events),
  average: ({ users, events }) => ({ part: events, whole: users }),
  pct_dau: ({ users }, active) => ({ part: 100 * users, whole: active }),
}
