import type { Columns } from '../../columns/columns.ts'
import { collectGroups, largestInAll, type MaybeGroups } from '../group-users.ts'
import type { Report } from '../report.ts'
import { MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { BOUNDS, countHeadlines } from './headlines.ts'
import type { HeadlinesQuery } from './query.ts'

/** The users of each group of a share who completed a funnel. */
export const funnelHeadlinesReport: Report<HeadlinesQuery, MaybeGroups, MaybeGroups> = {
  name: 'headlines of a funnel',
  part: (columns, query) => collectHeadlines(columns, query),
  result: largestInAll,
}

export function collectHeadlines(
  columns: Columns,
  query: HeadlinesQuery,
  { bounds = BOUNDS, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, MaybeGroups> {
  return collectGroups((take) => countHeadlines({ columns, query, bounds }, query.share, take), maxCharacters)
}
