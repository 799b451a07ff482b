import { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { COUNT, type Declared, money, PERCENT, RATIO, SECONDS } from '../../figures/declared.ts'
import type { View } from '../../request/address.ts'
import { pageQuestion } from '../../request/page-question.ts'

const ROWS_ON_A_PAGE = '50'

export const acquisition = pageQuestion(getAcquisitionRoute, () => ({ limit: ROWS_ON_A_PAGE }))

/** What is said of new users, as the answer names it, in the order of the columns. */
export function figuresIn(currency: string) {
  return {
    users: { label: 'New users', hint: 'New users of the period', unit: COUNT },
    activated: { label: 'Activated', hint: 'Had the activation event', unit: PERCENT },
    d1: { label: 'Day 1', hint: cameBack('a day'), unit: PERCENT },
    d7: { label: 'Day 7', hint: cameBack('7 days'), unit: PERCENT },
    d30: { label: 'Day 30', hint: cameBack('30 days'), unit: PERCENT },
    payers: { label: 'Payers', hint: 'Have paid since', unit: PERCENT },
    net: { label: 'Net revenue', hint: 'What they have paid since, without refunds', unit: money(currency) },
    single_event: { label: 'One event only', hint: 'Never had a second event', unit: PERCENT },
    peak_per_minute: { label: 'Peak per minute', hint: 'The most new users in one minute', unit: RATIO },
    sessions_per_user: { label: 'Sessions per user', hint: 'Since their first event', unit: RATIO },
    median_session_seconds: { label: 'Median session', hint: 'Half of their sessions are shorter', unit: SECONDS },
    premium: { label: 'Premium', hint: 'Have Telegram Premium', unit: PERCENT },
    verified: { label: 'Verified', hint: 'Their messenger vouches for who they are', unit: PERCENT },
  } as const satisfies Readonly<Record<string, Declared>>
}

function cameBack(after: string): string {
  return `Came back ${after} after their first, of those for whom that day is over`
}

/** The property whose values are the groups. */
export function byOf({ params }: Pick<View, 'params'>): string {
  return params.get('by') ?? 'source'
}
