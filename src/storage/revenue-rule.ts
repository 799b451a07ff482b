export const REVENUE_KINDS = ['sale', 'renewal', 'refund'] as const
/** The smallest unit of the currency, or the currency itself. */
export const REVENUE_UNITS = ['minor', 'major'] as const

/** Which events are payments or refunds, and where their amounts are: as on the wire, and as stored. */
export interface RevenueRule {
  readonly event: string
  readonly filters: readonly RevenueFilter[]
  readonly kind: (typeof REVENUE_KINDS)[number]
  /** A parameter, such as `params.total_amount`, or a constant. */
  readonly amount: string | number
  /** A parameter, such as `params.currency`, or a constant code in capitals. */
  readonly currency: string
  readonly unit: (typeof REVENUE_UNITS)[number]
}

/** A filter as on the wire. */
export interface RevenueFilter {
  readonly prop: string
  readonly op: string
  readonly values: readonly string[]
}

/** The names of a bot's messages, from Mauve's client and from the published ones (Python 0.4; 0.2; Node). */
const MESSAGES = ['telegram_message', 'Message', 'message']

/** The rules of an application that has none of its own: the payments that the messenger tells bots about. */
export const DEFAULT_REVENUE_RULES: readonly RevenueRule[] = MESSAGES.flatMap((event) => {
  const charge = { event, amount: 'params.total_amount', currency: 'params.currency', unit: 'minor' } as const
  const paid = isParam('content', 'successful_payment')
  const renews = [isParam('is_recurring', 'true'), { ...isParam('is_first_recurring', 'true'), op: 'is not' }]
  return [
    { ...charge, kind: 'renewal', filters: [paid, ...renews] },
    { ...charge, kind: 'sale', filters: [paid] },
    { ...charge, kind: 'refund', filters: [isParam('content', 'refunded_payment')] },
  ] as const
})

function isParam(name: string, value: string): RevenueFilter {
  return { prop: `params.${name}`, op: 'is', values: [value] }
}
