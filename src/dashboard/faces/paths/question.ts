import type { QueryParams } from '../../../http/params.ts'
import { START_OF_SESSION } from '../../../questions/engine/event-name.ts'
import { END_OF_SESSION } from '../../../questions/paths/contract.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { commonQuery, type View } from '../../request/address.ts'
import { pageQuestion } from '../../request/page-question.ts'

/** Paths begin where sessions do, unless an event is named. */
export const paths = pageQuestion(getEventPathsRoute, () => ({ event: START_OF_SESSION }))

/** How an answer names the end of a session (going back: its start), and all less frequent events. */
export const [END, OTHER] = [END_OF_SESSION, '(other)'] as const

/** The name of the event at which paths begin. */
export function startOf({ params }: Pick<View, 'params'>): string {
  return params.get('event') ?? START_OF_SESSION
}

const OFFERED_BEGINNINGS = '20'

/** The most frequent events. */
export function beginningsQuery(view: View): QueryParams {
  return { ...commonQuery(view), limit: OFFERED_BEGINNINGS }
}
