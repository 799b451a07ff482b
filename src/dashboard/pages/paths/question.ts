import type { QueryParams } from '../../../http/params.ts'
import { END_OF_SESSION } from '../../../questions/paths/contract.ts'
import { commonQuery, ownQuery, type View } from '../../address.ts'

export const FIELDS = ['event', 'direction', 'steps']

/** How an answer names the end of a session (going back: its start), and all less frequent events. */
export const [END, OTHER] = [END_OF_SESSION, '(other)'] as const

export function pathsQuery(view: View): QueryParams {
  return { ...commonQuery(view), ...ownQuery(view, FIELDS) }
}

const OFFERED_BEGINNINGS = '20'

/** The most frequent events. */
export function beginningsQuery(view: View): QueryParams {
  return { ...commonQuery(view), limit: OFFERED_BEGINNINGS }
}
