import type { SentEvent } from './event-history.ts'
import { type Filter, inOrderOfTime, isCalled, noteHistory, passes } from './filter-oracle.ts'
import { answerFunnel } from './funnel-oracle.ts'
import { chargesOf, netOf, type Rule } from './revenue-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'

/** Cohorts as docs/rules.md (28) has them, user by user. Shares no code with the service. */

export type AskedCondition =
  | {
      readonly type: 'did'
      readonly event: string
      readonly filters: readonly Filter[]
      readonly times: { readonly op: 'at_least' | 'at_most' | 'exactly'; readonly n: number }
      readonly within: Period | null
    }
  | { readonly type: 'first_seen'; readonly within: Period | null }
  | ({ readonly type: 'property' } & Filter)
  | {
      readonly type: 'funnel'
      readonly events: readonly string[]
      readonly window_seconds: number
      readonly order: 'ordered' | 'strict' | 'any'
      readonly reached: number
      readonly and_stopped: boolean
      readonly within: Period | null
    }
  | {
      readonly type: 'revenue'
      readonly op: 'is' | 'greater' | 'greater or equal' | 'less' | 'less or equal'
      readonly amount: number
      readonly currency: string
      readonly within: Period | null
    }
  | { readonly type: 'users'; readonly telegram_ids: readonly number[] }

export interface AskedCohort {
  readonly match: 'all' | 'any'
  readonly conditions: readonly AskedCondition[]
}

/** The messenger ids of the members, in order. */
export function membersOf(
  history: readonly SentEvent[],
  { match, conditions }: AskedCohort,
  { timeZone = 'UTC', rules = [] }: { readonly timeZone?: string; readonly rules?: readonly Rule[] } = {},
): number[] {
  noteHistory(history)
  const users = Map.groupBy(history, ({ telegram_id }) => telegram_id)
  const members = [...users].filter(([user, own]) => {
    const met = conditions.map((condition) => meets(user, own, condition, { timeZone, rules }))
    return match === 'all' ? met.every(Boolean) : met.some(Boolean)
  })
  return members.map(([user]) => user).sort((a, b) => a - b)
}

interface Circumstances {
  readonly timeZone: string
  readonly rules: readonly Rule[]
}

function meets(
  user: number,
  own: readonly SentEvent[],
  condition: AskedCondition,
  { timeZone, rules }: Circumstances,
): boolean {
  switch (condition.type) {
    case 'did': {
      const { event, filters, times, within } = condition
      const found = own.filter((one) => isCalled(one, event) && passes(one, filters) && lies(one, within, timeZone))
      if (times.op === 'at_least') return found.length >= times.n
      return times.op === 'at_most' ? found.length <= times.n : found.length === times.n
    }
    case 'first_seen':
      return lies(inOrderOfTime(own)[0] as SentEvent, condition.within, timeZone)
    case 'property':
      return passes(inOrderOfTime(own).at(-1) as SentEvent, [condition])
    case 'revenue': {
      const { op, amount, currency, within } = condition
      const charges = chargesOf(own, rules).filter((charge) => charge.currency === currency)
      const net = netOf(charges.filter(({ event }) => lies(event, within, timeZone)))
      return MEETS[op](net, BigInt(amount * 10) * TENTH)
    }
    case 'funnel':
      return isInFunnel(own, condition, timeZone)
    case 'users':
      return condition.telegram_ids.includes(user)
  }
}

/** In 10^-40 of a currency. */
const TENTH = 10n ** 39n

const MEETS = {
  is: (net: bigint, limit: bigint) => net === limit,
  greater: (net: bigint, limit: bigint) => net > limit,
  'greater or equal': (net: bigint, limit: bigint) => net >= limit,
  less: (net: bigint, limit: bigint) => net < limit,
  'less or equal': (net: bigint, limit: bigint) => net <= limit,
}

function lies({ datetime }: SentEvent, within: Period | null, timeZone: string): boolean {
  return within === null || isIn(datetime, { ...within, timeZone })
}

/** The funnel of somebody alone. */
function isInFunnel(
  own: readonly SentEvent[],
  condition: Extract<AskedCondition, { type: 'funnel' }>,
  timeZone: string,
): boolean {
  const { events, window_seconds: windowSeconds, order, reached, and_stopped: isLast, within } = condition
  const period = within ?? { from: 0, to: 40_000 }
  const asked = { ...period, timeZone, events, windowSeconds, order, exclude: [], filters: [], groupBy: [] }
  const { steps } = answerFunnel(own, asked)
  const hasReached = (step: number) => (steps[step - 1]?.users ?? 0) > 0
  return hasReached(reached) && !(isLast && hasReached(reached + 1))
}
