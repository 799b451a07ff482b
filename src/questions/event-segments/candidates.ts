import type { Columns } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { MixedBatch } from '../../columns/selection/batches.ts'
import { isGroupInShare, openDictionary } from '../../columns/selection/dictionary.ts'
import { type Grouping, groupingByCode, groupingByText, needsDictionary } from '../../columns/selection/grouping.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { rounded } from '../engine/change.ts'
import { createGroupRanking, type GroupValues, mergeRanked, type RankedGroups, rankGroups } from '../engine/groups.ts'
import { createPace } from '../engine/pace.ts'
import { type Asking, BOUNDS, type Bounds, type Report } from '../engine/report.ts'
import { askInShares, createAnswer, sumOf } from '../engine/shares.ts'
import { addUpGroups, record, same, type TotalOf } from '../engine/totals.ts'
import type { SegmentationMode } from './contract.ts'
import { type Counts, countEvents, FIGURES, needsEvents, needsUsers, segmentCounts } from './counts.ts'
import { countActive } from './group-counts.ts'
import { createPairs, type UserGroupPairs } from './pairs.ts'
import { type EventSegmentsQuery, mixedBatchesFor, type SegmentCandidatesQuery } from './query.ts'

/** A group, and what is counted of it in the whole period. */
const candidate = record({ values: same<GroupValues>(), whole: segmentCounts })

export type Candidate = TotalOf<typeof candidate>

/** The figure of a group as it is shown; `active` are all active users of the period, where the mode needs them. */
export function figureIn(mode: SegmentationMode, active: number) {
  return ({ whole }: Pick<Candidate, 'whole'>) => rounded(FIGURES[mode](whole, active))
}

/** Groups are ranked by that figure. */
export function createRanking<T extends Pick<Candidate, 'values'>>(mode: SegmentationMode, active: number) {
  const [largest, figureOf] = [createGroupRanking<T>(), figureIn(mode, active)]
  return {
    offer: (whole: Counts, make: () => T) => largest.offer(figureOf({ whole }), make),
    items: largest.items,
    ranked: largest.ranked,
  }
}

/** Takes what is counted of a group; its values are looked up only where they are asked for. */
export type TakeCandidate = (counts: Counts, valuesOf: () => GroupValues) => void

interface SegmentsPass {
  readonly columns: Columns
  readonly query: EventSegmentsQuery
  readonly bounds: Bounds
}

/** The figures of the period of every group of a share that occurs in it. */
export function* countCandidates(pass: SegmentsPass, share: Share, take: TakeCandidate): Generator<void, void> {
  const { columns, query, bounds } = pass
  if (!needsDictionary(query.groupBy)) {
    const grouping = groupingByCode(columns, query.groupBy)
    return yield* countAll(pass, grouping, (counts, valuesOf) => {
      if (share.of === 1 || isGroupInShare(valuesOf(), share)) take(counts, valuesOf)
    })
  }
  const dictionary = openDictionary(share, bounds.dictionary)
  const grouping = groupingByText(columns, query.groupBy, dictionary)
  yield* countAll(pass, grouping, take)
  if (!dictionary.isOverfull) return
  for (const half of halvesOf(share)) yield* countCandidates(pass, half, take)
}

/** Takes nothing where there turn out to be too many groups. */
function* countAll(pass: SegmentsPass, grouping: Grouping, take: TakeCandidate): Generator<void, void> {
  const { events, users } = yield* countBoth(pass, grouping)
  if (grouping.isOverfull) return
  const pace = createPace()
  for (let group = 0; group < grouping.count; group++) {
    const counts = { users: users[group] ?? 0, events: events[group] ?? 0 }
    if (counts.users + counts.events > 0) take(counts, () => grouping.valuesOf(group))
    if (pace.isDueAfterGroup()) yield
  }
}

const NOTHING = new Uint32Array(0)

/** By group, as far as the mode needs them: in one pass where there is room for all pairs. */
function* countBoth(
  pass: SegmentsPass,
  grouping: Grouping,
): Generator<void, { events: Uint32Array; users: Uint32Array }> {
  const { mode } = pass.query
  if (!needsUsers(mode)) return { events: yield* eventsOfGroups(pass, grouping), users: NOTHING }
  const counted = needsEvents(mode) ? createEventCounts() : null
  const pairs = yield* pairUsers(pass, grouping, WHOLE, counted)
  if (pairs) return { events: counted?.events() ?? NOTHING, users: pairs.usersOf(grouping.count) }
  const events = counted ? yield* eventsOfGroups(pass, grouping) : NOTHING
  return { events, users: yield* usersOfHalves(pass, grouping, WHOLE) }
}

/** The events of groups, as they come up. */
function createEventCounts() {
  let events: Uint32Array = new Uint32Array(64)
  return {
    add({ rows, counts }: Pick<MixedBatch, 'rows' | 'counts'>, groups: number): void {
      if (events.length < groups) events = enlarged(events, 2 * groups)
      countEvents(rows, counts, events)
    },
    events: () => events,
  }
}

type EventCounts = ReturnType<typeof createEventCounts>

function* eventsOfGroups({ columns, query }: SegmentsPass, grouping: Grouping): Generator<void, Uint32Array> {
  const selection = createSelection(columns, { filters: query.filters, grouping })
  const counted = createEventCounts()
  const pace = createPace()
  for (const batch of mixedBatchesFor(columns, selection, query)) {
    if (grouping.isOverfull) break
    counted.add(batch, grouping.count)
    if (pace.isDue(batch.looked)) yield
  }
  return counted.events()
}

function* usersOfGroups(pass: SegmentsPass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const pairs = yield* pairUsers(pass, grouping, share, null)
  return pairs ? pairs.usersOf(grouping.count) : yield* usersOfHalves(pass, grouping, share)
}

/** Where room is short, one half of the users goes after the other: no user is in both. */
function* usersOfHalves(pass: SegmentsPass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const [half, other] = halvesOf(share)
  const users = yield* usersOfGroups(pass, grouping, half)
  return addUp(users, yield* usersOfGroups(pass, grouping, other))
}

/** Null where they are too many, unless they are those of a single user. Counts events on the way, where it is asked to. */
function* pairUsers(
  pass: SegmentsPass,
  grouping: Grouping,
  share: Share,
  counted: EventCounts | null,
): Generator<void, UserGroupPairs | null> {
  const { columns, query, bounds } = pass
  const selection = createSelection(columns, { filters: query.filters, grouping, users: share })
  const isDivisible = share.of < columns.userCount
  const maxBits = isDivisible ? bounds.pairBits : 0
  const pairs = createPairs({ userCount: columns.userCount, share, max: bounds.pairs, maxBits })
  const pace = createPace()
  for (const batch of mixedBatchesFor(columns, selection, query)) {
    if (grouping.isOverfull) break
    counted?.add(batch, grouping.count)
    if (!pairs.add(batch.rows, grouping.count) && isDivisible) return null
    if (pace.isDue(batch.looked)) yield
  }
  return pairs
}

/** The second one is never the shorter: further passes only bring further groups. */
function addUp(some: Uint32Array, more: Uint32Array): Uint32Array {
  return more.map((users, group) => users + (some[group] ?? 0))
}

/** Of a share of all groups. */
export interface SegmentCandidates {
  /** Null if they are too many for one answer. */
  readonly candidates: readonly Candidate[] | null
  /** All active users of the period, where the mode needs them. */
  readonly active: number
}

/** The largest of a share. */
interface LargestCandidates {
  /** Null if they are too many for one answer. */
  readonly largest: RankedGroups<Candidate> | null
  readonly active: number
}

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const segmentCandidatesReport: Report<SegmentCandidatesQuery, SegmentCandidates, LargestCandidates> = {
  name: 'candidates of event segments',
  isLarge: ({ groupBy }) => groupBy.length > 0,
  part: collectCandidates,
  result(parts, { mode }) {
    const active = sumOf(parts, (part) => part.active)
    const all = parts.map(({ candidates }) => candidates)
    if (all.includes(null)) return { largest: null, active }
    const groups = addUpGroups(
      all.flatMap((part) => part ?? []),
      candidate,
    )
    return { largest: rankGroups(groups, figureIn(mode, active)), active }
  },
}

function* collectCandidates(
  columns: Columns,
  query: SegmentCandidatesQuery,
  bounds = BOUNDS,
): Generator<void, SegmentCandidates> {
  const active = query.mode === 'pct_dau' ? (yield* countActive(columns, query)).now.whole.users : 0
  const answer = createAnswer<Candidate>(bounds.answerCharacters)
  yield* countCandidates({ columns, query, bounds }, query.share, (whole, valuesOf) => {
    const values = valuesOf()
    answer.add(values, { values, whole })
  })
  return { candidates: answer.items(), active }
}

/** The values of the groups that are the largest in all objects together. */
export async function askForLargestGroups(
  query: EventSegmentsQuery,
  ask: Asking['ask'],
): Promise<RankedGroups<GroupValues>> {
  let active = 0
  const shares = await askInShares(async (share) => {
    const answer = await ask(segmentCandidatesReport, { ...query, share })
    active = answer.active
    return answer.largest
  })
  return mergeRanked(shares, figureIn(query.mode, active))
}
