import type { Columns } from '../../columns/columns.ts'
import type { GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { askInShares, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { addCounts } from './counts.ts'
import { countActive } from './event-segments.ts'
import { BOUNDS, countHeadlines } from './headlines.ts'
import type { EventSegmentsQuery, HeadlinesQuery } from './query.ts'
import { createRanking, type Headline } from './ranking.ts'

/** Of a share of all groups. */
export interface Headlines {
  /** Null where they are too many for one answer. */
  readonly headlines: readonly Headline[] | null
  /** All active users of the period, where the mode needs them. */
  readonly active: number
}

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const headlinesReport: Report<HeadlinesQuery, Headlines, Headlines> = {
  name: 'headlines of event segments',
  part: (columns, query) => collectHeadlines(columns, query),
  result(parts, { mode }) {
    const active = parts.reduce((sum, part) => sum + part.active, 0)
    const all = parts.map(({ headlines }) => headlines)
    if (all.includes(null)) return { headlines: null, active }
    const ranking = createRanking<Headline>(mode, active)
    for (const headline of sumUp(all.flatMap((part) => part ?? []))) ranking.offer(headline.whole, () => headline)
    return { headlines: ranking.items(), active }
  },
}

export function* collectHeadlines(
  columns: Columns,
  query: HeadlinesQuery,
  { bounds = BOUNDS, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, Headlines> {
  const active = query.mode === 'pct_dau' ? (yield* countActive(columns, query)).whole.users : 0
  const answer = createAnswer<Headline>(maxCharacters)
  yield* countHeadlines({ columns, query, bounds }, query.share, (whole, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, whole })
  })
  return { headlines: answer.items(), active }
}

function sumUp(headlines: readonly Headline[]): Headline[] {
  const same = Map.groupBy(headlines, ({ values }) => JSON.stringify(values))
  return [...same.values()].map((parts) => parts.reduce(add))
}

function add(a: Headline, b: Headline): Headline {
  return { values: a.values, whole: addCounts(a.whole, b.whole) }
}

/** The values of the groups that are the largest in all objects together. */
export async function findLargestGroups(
  query: EventSegmentsQuery,
  ask: (query: HeadlinesQuery) => Promise<Headlines>,
): Promise<GroupValues[]> {
  const answers = await askInShares(async (share) => {
    const { headlines, active } = await ask({ ...query, share })
    return headlines && { headlines, active }
  })
  const ranking = createRanking<Headline>(query.mode, answers[0]?.active ?? 0)
  for (const headline of answers.flatMap(({ headlines }) => headlines)) ranking.offer(headline.whole, () => headline)
  return ranking.items().map(({ values }) => values)
}
