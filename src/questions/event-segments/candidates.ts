import type { Columns } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { type MixedBatch, mixedBatchesOf } from '../../columns/selection/batches.ts'
import { type Grouping, groupingOfShare } from '../../columns/selection/grouping.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { rounded } from '../engine/change.ts'
import { createPace } from '../engine/pace.ts'
import { type FindGroups, groupsReport } from '../engine/ranked.ts'
import type { Bounds } from '../engine/report.ts'
import type { SegmentationMode } from './contract.ts'
import { type Counts, countEvents, FIGURES, needsEvents, needsUsers, segmentCounts } from './counts.ts'
import { countActive } from './group-counts.ts'
import { createPairs, type UserGroupPairs } from './pairs.ts'
import { type EventSegmentsQuery, type SegmentCandidatesQuery, toBatchParams } from './query.ts'

/** What is counted of a group in the whole period. */
interface Candidate {
  readonly whole: Counts
}

/** Written out, as there may be very many. */
function candidate(a: Candidate, b: Candidate): Candidate {
  return { whole: segmentCounts(a.whole, b.whole) }
}

/** A group's figure as shown; `active` is the number of all active users of the period, if the mode needs it. */
export function figureIn(mode: SegmentationMode, active: number) {
  return ({ whole }: Candidate) => rounded(FIGURES[mode](whole, active))
}

interface SegmentsPass {
  readonly columns: Columns
  readonly query: EventSegmentsQuery
  readonly bounds: Bounds
}

/** Counts every group that occurs in the period. */
export function searchGroups(pass: SegmentsPass): FindGroups<Candidate> {
  const { columns, query, bounds } = pass
  return function* (share) {
    const groups = groupingOfShare(columns, query.groupBy, { share, room: bounds.dictionary })
    const { events, users } = yield* countBoth(pass, groups)
    if (groups.isOverfull) return null
    return {
      groups,
      factsOf(group) {
        const whole = { users: users[group] ?? 0, events: events[group] ?? 0 }
        return whole.users + whole.events > 0 ? { whole } : null
      },
    }
  }
}

const NOTHING = new Uint32Array(0)

/** Counts per group what the mode needs, in one pass if there is room for all pairs of a user and a group. */
function* countBoth(
  pass: SegmentsPass,
  grouping: Grouping,
): Generator<void, { events: Uint32Array; users: Uint32Array }> {
  const { mode } = pass.query
  const counted = needsEvents(mode) ? createEventCounts() : null
  const pairs = yield* countPass(pass, grouping, needsUsers(mode) ? WHOLE : null, counted)
  const events = counted?.events() ?? NOTHING
  if (!needsUsers(mode)) return { events, users: NOTHING }
  return { events, users: pairs ? pairs.usersOf(grouping.count) : yield* usersOfHalves(pass, grouping, WHOLE) }
}

/** Counts events per group; the array grows as groups appear. */
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

function* usersOfGroups(pass: SegmentsPass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const pairs = yield* countPass(pass, grouping, share, null)
  return pairs ? pairs.usersOf(grouping.count) : yield* usersOfHalves(pass, grouping, share)
}

/** Counts one half of the users after the other, to save room: no user is in both. */
function* usersOfHalves(pass: SegmentsPass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const [half, other] = halvesOf(share)
  const users = yield* usersOfGroups(pass, grouping, half)
  return addUp(users, yield* usersOfGroups(pass, grouping, other))
}

/**
 * Pairs the users of a share, if any, with groups, and adds events to `counted`, if any. Null without a share, and where
 * the pairs are too many and the users can be divided.
 */
function* countPass(
  { columns, query, bounds }: SegmentsPass,
  grouping: Grouping,
  share: Share | null,
  counted: EventCounts | null,
): Generator<void, UserGroupPairs | null> {
  const { userCount } = columns
  const selection = createSelection(columns, { filters: query.filters, grouping, users: share ?? WHOLE })
  const isDivisible = share !== null && share.of < userCount
  const maxBits = isDivisible ? bounds.pairBits : 0
  let pairs = share && createPairs({ userCount, share, max: bounds.pairs, maxBits })
  const pace = createPace()
  for (const batch of mixedBatchesOf(columns, selection, toBatchParams(query), query.period)) {
    if (grouping.isOverfull) break
    counted?.add(batch, grouping.count)
    if (pairs && !pairs.add(batch.rows, grouping.count) && isDivisible) pairs = null
    if (!pairs && !counted) break
    if (pace.isDue(batch.looked)) yield
  }
  return pairs
}

/** Adds up users per group. `more` is never the shorter array: further passes only bring further groups. */
function addUp(some: Uint32Array, more: Uint32Array): Uint32Array {
  return more.map((users, group) => users + (some[group] ?? 0))
}

/** Asked first where an application has several objects: none of them knows which groups are the largest in all. */
export const segmentCandidatesReport = groupsReport<SegmentCandidatesQuery, Candidate>({
  name: 'candidates of event segments',
  find: searchGroups,
  facts: candidate,
  figureOf: (group, { mode }, active) => figureIn(mode, active)(group),
  *countWhole({ columns, query }) {
    return query.mode === 'pct_dau' ? (yield* countActive(columns, query)).now.whole.users : 0
  },
})
