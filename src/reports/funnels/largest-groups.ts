import type { Columns } from '../../columns/columns.ts'
import type { GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { askInShares, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { createRanking, type Headline } from './groups.ts'
import { BOUNDS, countHeadlines } from './headlines.ts'
import type { FunnelQuery, HeadlinesQuery } from './query.ts'

/** Of a share of all groups; null where they are too many for one answer. */
export type Headlines = readonly Headline[] | null

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const funnelHeadlinesReport: Report<HeadlinesQuery, Headlines, Headlines> = {
  name: 'headlines of a funnel',
  part: (columns, query) => collectHeadlines(columns, query),
  result(parts) {
    return parts.includes(null) ? null : largestOf(sumUp(parts.flatMap((part) => part ?? [])))
  },
}

export function* collectHeadlines(
  columns: Columns,
  query: HeadlinesQuery,
  { bounds = BOUNDS, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, Headlines> {
  const answer = createAnswer<Headline>(maxCharacters)
  yield* countHeadlines({ columns, query, bounds }, query.share, (completed, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, completed })
  })
  return answer.items()
}

function sumUp(headlines: readonly Headline[]): Headline[] {
  const same = Map.groupBy(headlines, ({ values }) => JSON.stringify(values))
  return [...same.values()].map((parts) =>
    parts.reduce((a, b) => ({ values: a.values, completed: a.completed + b.completed })),
  )
}

function largestOf(headlines: readonly Headline[]): Headline[] {
  const ranking = createRanking<Headline>()
  for (const headline of headlines) ranking.offer(headline.completed, () => headline)
  return ranking.items()
}

/** The values of the groups that are the largest in all objects together. */
export async function findLargestGroups(
  query: FunnelQuery,
  ask: (query: HeadlinesQuery) => Promise<Headlines>,
): Promise<GroupValues[]> {
  const answers = await askInShares((share) => ask({ ...query, share }))
  return largestOf(answers.flat()).map(({ values }) => values)
}
