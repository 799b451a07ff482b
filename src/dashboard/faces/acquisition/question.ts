import type { QueryParams } from '../../../http/params.ts'
import { commonQuery, ownQuery, type View } from '../../request/address.ts'

export const FIELDS = ['by', 'activation_event', 'currency'] as const
export const OWN_PARAMS = [...FIELDS, 'offset'] as const
const ROWS_ON_A_PAGE = 50
export const BY_SOURCE = 'source'

/** The property whose values are the groups. */
export function byOf({ params }: Pick<View, 'params'>): string {
  return params.get('by') ?? BY_SOURCE
}

export function acquisitionQuery(view: View): QueryParams {
  return { ...commonQuery(view), ...ownQuery(view, OWN_PARAMS), limit: String(ROWS_ON_A_PAGE) }
}
