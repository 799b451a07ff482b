import type { Described } from '../base/described.ts'

export const REVENUE_KINDS = ['sale', 'renewal', 'refund'] as const
/** The smallest unit of the currency, or the currency itself. */
export const REVENUE_UNITS = ['minor', 'major'] as const

/** Which events are payments or refunds, and where their amounts are: as on the wire, and as stored. */
export type RevenueRule = Described['revenueRule']

/** The names of a bot's messages, from Mauve's client and from the published ones (Python 0.4; 0.2; Node). */
const MESSAGES = ['telegram_message', 'Message', 'message']

/** The rules of an application that has none of its own: the payments that the messenger tells bots about. */
export const DEFAULT_REVENUE_RULES: readonly RevenueRule[] = MESSAGES.flatMap((event) => {
  const charge = { event, amount: 'params.total_amount', currency: 'params.currency', unit: 'minor' } as const
  const paid = isParam('content', 'successful_payment')
  const renews = [isParam('is_recurring', 'true'), { ...isParam('is_first_recurring', 'true'), op: 'is not' as const }]
  return [
    { ...charge, kind: 'renewal' as const, filters: [paid, ...renews] },
    { ...charge, kind: 'sale' as const, filters: [paid] },
    { ...charge, kind: 'refund' as const, filters: [isParam('content', 'refunded_payment')] },
  ]
})

function isParam(name: string, value: string) {
  return { prop: `params.${name}`, op: 'is' as const, values: [value] }
}
