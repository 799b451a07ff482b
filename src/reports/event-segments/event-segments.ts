import type { Columns } from '../../columns/columns.ts'
import { WHOLE } from '../../selection/share.ts'
import type { GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { addCounts, type Counts } from './counts.ts'
import { BOUNDS, type Bounds, countHeadlines } from './headlines.ts'
import type { EventSegmentsQuery } from './query.ts'
import { createRanking, type Headline } from './ranking.ts'
import { countGroups, type GroupCounts } from './tally.ts'

/** What is counted of one event by its groups; of a single group without values where nothing is grouped. */
export interface Segments {
  readonly groups: readonly GroupCounts[]
  /** Of all events together: `pct_dau` tells a part of their users. Null for other modes. */
  readonly active: GroupCounts | null
}

/** Largest headline first. */
export const eventSegmentsReport: Report<EventSegmentsQuery, Segments, Segments> = {
  name: 'event segments',
  part: (columns, query) => countSegments(columns, query),
  result(parts, { mode }) {
    const active = sumUp(parts.map((part) => part.active).filter((counts) => counts !== null))[0] ?? null
    const ranking = createRanking<GroupCounts>(mode, active?.whole.users ?? 0)
    for (const group of sumUp(parts.flatMap(({ groups }) => groups))) ranking.offer(group.whole, () => group)
    return { groups: ranking.items(), active }
  },
}

export function* countSegments(
  columns: Columns,
  query: EventSegmentsQuery,
  bounds = BOUNDS,
): Generator<void, Segments> {
  const active = query.mode === 'pct_dau' ? yield* countActive(columns, query) : null
  const groups = query.groups ?? (yield* findLargest(columns, query, { bounds, active: active?.whole.users ?? 0 }))
  return { groups: yield* countGroups(columns, query, groups), active }
}

/** Filters and groups do not narrow who is active. */
export function* countActive(columns: Columns, query: EventSegmentsQuery): Generator<void, GroupCounts> {
  const anything = { ...query, event: null, mode: 'uniques', filters: [], groupBy: [] } as const
  const [active] = yield* countGroups(columns, anything, [[]])
  return active as GroupCounts
}

function* findLargest(
  columns: Columns,
  query: EventSegmentsQuery,
  { bounds, active }: { bounds: Bounds; active: number },
): Generator<void, readonly GroupValues[]> {
  if (query.groupBy.length === 0) return [[]]
  const ranking = createRanking<Headline>(query.mode, active)
  yield* countHeadlines({ columns, query, bounds }, WHOLE, (whole, valuesOf) =>
    ranking.offer(whole, () => ({ values: valuesOf(), whole })),
  )
  return ranking.items().map(({ values }) => values)
}

function sumUp(parts: readonly GroupCounts[]): GroupCounts[] {
  const same = Map.groupBy(parts, ({ values }) => JSON.stringify(values))
  return [...same.values()].map((groups) => groups.reduce(add))
}

function add(a: GroupCounts, b: GroupCounts): GroupCounts {
  return {
    values: a.values,
    days: a.days.map((day, place) => addCounts(day, b.days[place] as Counts)),
    whole: addCounts(a.whole, b.whole),
    before: addCounts(a.before, b.before),
  }
}
