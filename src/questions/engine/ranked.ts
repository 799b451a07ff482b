import type { Columns } from '../../columns/columns.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { createGroupRanking, type GroupValues, mergeRanked, type RankedGroups, rankGroups } from './groups.ts'
import { createPace } from './pace.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from './report.ts'
import { askInShares, createAnswer, sumOf } from './shares.ts'
import { addUpGroups, grouped, type OfGroup, type Total } from './totals.ts'

// Which groups are the largest. An object that has all users finds them itself when it is asked about them. Where an application has
// several objects, none of them knows: that is a question of its own, for all groups, share by share.

/** What one pass found of the groups of a share. */
export interface FoundGroups<Facts> {
  readonly groups: Pick<Grouping, 'count' | 'valuesOf'>
  /** What is known of a group, by its ordinal; null if it does not occur. */
  readonly factsOf: (ordinal: number) => Facts | null
}

/** Looks for the groups of a share. Null if they are too many for one pass. */
export type FindGroups<Facts, Found extends FoundGroups<Facts> = FoundGroups<Facts>> = (
  share: Share,
) => Generator<void, Found | null>

/** Takes what is known of a group; its values are looked up only when needed. */
type TakeGroup<Facts> = (facts: Facts, valuesOf: () => GroupValues, ordinal: number) => void

/** Takes every group of a share, in several passes if need be. Returns what it found if one pass was enough. */
export function* takeGroups<Facts, Found extends FoundGroups<Facts>>(
  find: FindGroups<Facts, Found>,
  share: Share,
  take: TakeGroup<Facts>,
): Generator<void, Found | null> {
  const found = yield* find(share)
  if (found) yield* takeFound(found, share, take)
  else for (const half of halvesOf(share)) yield* takeGroups(find, half, take)
  return found
}

function* takeFound<Facts>(
  { groups, factsOf }: FoundGroups<Facts>,
  share: Share,
  take: TakeGroup<Facts>,
): Generator<void, void> {
  const pace = createPace()
  for (let group = 0; group < groups.count; group++) {
    if (pace.isDueAfterGroup()) yield
    const facts = factsOf(group)
    if (facts === null || (share.of > 1 && !isGroupInShare(groups.valuesOf(group), share))) continue
    take(facts, () => groups.valuesOf(group), group)
  }
}

/** The answer of one object: all its groups of a share; null if they are too many for one answer. */
function* collectGroups<Facts>(
  find: FindGroups<Facts>,
  share: Share,
  maxCharacters: number,
): Generator<void, OfGroup<Facts>[] | null> {
  const answer = createAnswer<OfGroup<Facts>>(maxCharacters)
  yield* takeGroups(find, share, (facts, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { ...facts, values })
  })
  return answer.items()
}

interface LargestGroups<Found> {
  /** The ordinals are those of `found`. */
  readonly largest: readonly { readonly values: GroupValues; readonly ordinal: number }[]
  readonly total: number
  /** Null if it took several passes. */
  readonly found: Found | null
}

/** The largest groups of an object that has all users. */
export function* findLargest<Facts, Found extends FoundGroups<Facts>>(
  find: FindGroups<Facts, Found>,
  figureOf: (facts: Facts) => number,
): Generator<void, LargestGroups<Found>> {
  const ranking = createGroupRanking<LargestGroups<Found>['largest'][number]>()
  const found = yield* takeGroups(find, WHOLE, (facts, valuesOf, ordinal) =>
    ranking.offer(figureOf(facts), () => ({ values: valuesOf(), ordinal })),
  )
  const { groups: largest, total } = ranking.ranked()
  return { largest, total, found }
}

interface GroupsPass<Query> {
  readonly columns: Columns
  readonly query: Query
  readonly bounds: Bounds
}

interface GroupsOptions<Query, Facts> {
  readonly name: string
  readonly find: (pass: GroupsPass<Query>) => FindGroups<Facts>
  readonly facts: Total<Facts>
  /** Groups are ranked by it. */
  readonly figureOf: FigureOf<Query, Facts>
  /** Counts what figures are a share of; absent if they are none. */
  readonly countWhole?: (pass: GroupsPass<Query>) => Generator<void, number>
}

type FigureOf<Query, Facts> = (facts: Facts, query: Omit<Query, 'share'>, whole: number) => number

/** What one object, or all, have of the groups of a share, and of what figures are a share of. */
type WithWhole<Groups> = Groups & { readonly whole: number }

/** What several objects are asked to find the largest groups. Null is for more groups of a share than an answer has room for. */
interface GroupsReport<Query, Facts>
  extends Report<
    Query,
    WithWhole<{ readonly groups: readonly OfGroup<Facts>[] | null }>,
    WithWhole<RankedGroups<OfGroup<Facts>>> | null
  > {
  readonly figureOf: FigureOf<Query, Facts>
}

export function groupsReport<Query extends { readonly share: Share }, Facts>({
  name,
  find,
  facts,
  figureOf,
  countWhole,
}: GroupsOptions<Query, Facts>): GroupsReport<Query, Facts> {
  return {
    name,
    isLarge: () => true,
    *part(columns, query, bounds = BOUNDS) {
      const pass = { columns, query, bounds }
      const whole = countWhole ? yield* countWhole(pass) : 0
      return { groups: yield* collectGroups(find(pass), query.share, bounds.answerCharacters), whole }
    },
    result(parts, query) {
      const whole = sumOf(parts, (part) => part.whole)
      const found = parts.map(({ groups }) => groups)
      const groups = addUpGroups(found, grouped(facts))
      return groups && { ...rankGroups(groups, (group) => figureOf(group, query, whole)), whole }
    },
    figureOf,
  }
}

/** The values of the groups that are the largest in all objects together. */
export async function askForLargest<Query extends { readonly share: Share }, Facts>(
  report: GroupsReport<Query, Facts>,
  query: Omit<Query, 'share'>,
  { ask }: Pick<Asking, 'ask'>,
): Promise<RankedGroups<GroupValues>> {
  const shares = await askInShares((share) => ask(report, { ...query, share } as Query))
  const whole = shares.at(-1)?.whole ?? 0
  return mergeRanked(shares, (group) => report.figureOf(group, query, whole))
}

/**
 * Asks about the largest groups. Nobody has to look for them (`null`) where nothing is grouped, and where a single object finds them
 * itself.
 */
export async function askAboutLargest<Answer extends { readonly total: number | null }>(
  { objects }: Pick<Asking, 'objects'>,
  askAbout: (groups: readonly GroupValues[] | null) => Promise<Answer>,
  find: (() => Promise<RankedGroups<GroupValues>>) | null,
): Promise<Answer> {
  const largest = objects > 1 && find ? await find() : null
  const answer = await askAbout(largest?.groups ?? null)
  return largest ? { ...answer, total: largest.total } : answer
}
