import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE } from '../../selection/dictionary.ts'
import type { Grouping } from '../../selection/grouping.ts'
import { createSelection, type Selection } from '../../selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../selection/share.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { Period } from '../../time/period.ts'
import { ARRIVAL_BYTES, Chains, type Gaps } from './chains.ts'
import { entryGroupsOf } from './entry-groups.ts'
import type { FunnelQuery } from './query.ts'

/** How far each user got, by users' ordinals. */
export interface Ways {
  /** From 1; 0 for those who did not enter. */
  readonly furthest: Uint8Array
  /** The ordinal of the group; 0 where nothing is grouped. */
  readonly groups: Uint32Array
  /** How long each step took from the one before: by step, less 2, then by user. */
  readonly gaps: readonly Gaps[]
  /** The group of those who completed in the period before; `OUTSIDE` for all others. */
  readonly completedBefore: Uint32Array
}

/** What the ways and their search may take of memory. */
const ROOM_BYTES = 24_000_000
/** Below that many there would be no end of passes. */
const MIN_ENTRIES = 50_000

/** Chains of all users of a share are followed at once; where there are too many, those of one half after the other. */
interface Search {
  readonly columns: Columns
  readonly query: FunnelQuery
  readonly grouping: Grouping | null
  readonly chains: Chains
  readonly maxEntries: number
}

export interface Asked {
  readonly columns: Columns
  readonly query: FunnelQuery
  readonly bounds: { readonly entries?: number }
}

export function* findWays({ columns, query, bounds }: Asked, grouping: Grouping | null): Generator<void, Ways> {
  const { userCount } = columns
  const { steps, windowMilliseconds } = query
  const search: Search = {
    columns,
    query,
    grouping,
    chains: new Chains({ names: steps, windowMilliseconds }, userCount),
    maxEntries: bounds.entries ?? maxEntriesOf(query, userCount),
  }
  const GapArray = gapArrayOf(query)
  const ways: Ways = {
    furthest: new Uint8Array(userCount),
    groups: new Uint32Array(userCount),
    gaps: steps.slice(1).map(() => new GapArray(userCount)),
    completedBefore: new Uint32Array(userCount).fill(OUTSIDE),
  }
  const users = { share: WHOLE, selection: createSelection(columns, { filters: query.filters }) }
  yield* follow(search, { ...users, period: query.before }, (user) => {
    if (search.chains.furthest[user] === steps.length) ways.completedBefore[user] = search.chains.groupOf(user)
  })
  yield* follow(search, { ...users, period: query.period }, (user) => {
    ways.furthest[user] = search.chains.furthest[user] as number
    ways.groups[user] = search.chains.groupOf(user)
    search.chains.readGaps(user, ways.gaps)
  })
  return ways
}

/** Milliseconds of most windows have 32 bits. */
function gapArrayOf({ windowMilliseconds }: FunnelQuery) {
  return windowMilliseconds < 2 ** 32 ? Uint32Array : Float64Array
}

function maxEntriesOf(query: FunnelQuery, userCount: number): number {
  const steps = query.steps.length
  const bytesPerUser = 18 + gapArrayOf(query).BYTES_PER_ELEMENT * (steps - 1)
  const room = ROOM_BYTES - userCount * bytesPerUser
  return Math.max(MIN_ENTRIES, Math.floor(room / (steps * ARRIVAL_BYTES)))
}

interface Part {
  readonly share: Share
  readonly selection: Selection
  readonly period: Period
}

/** Takes each user who entered in the period, while their chains are at hand. */
function* follow(search: Search, part: Part, take: (user: number) => void): Generator<void> {
  const { columns, query, chains } = search
  const { share, period } = part
  if (yield* followAtOnce(search, part)) {
    for (let user = share.index; user < columns.userCount; user += share.of) {
      if (chains.furthest[user] !== 0) take(user)
    }
    return
  }
  for (const half of halvesOf(share)) {
    const selection = createSelection(columns, { filters: query.filters, users: half })
    yield* follow(search, { share: half, selection, period }, take)
  }
}

/** False where there are too many entries. Where there are too many groups, nothing of it will be asked. */
function* followAtOnce({ query, grouping, chains, columns, maxEntries }: Search, part: Part): Generator<void, boolean> {
  const { share, selection, period } = part
  const start = period.from * MS_PER_DAY
  const end = (period.to + 1) * MS_PER_DAY
  const groupsOf = grouping && entryGroupsOf(grouping)
  const [first, ...others] = query.steps
  chains.restart()
  for (const events of selection.events(first, { from: start, to: end })) {
    chains.enter(events, groupsOf?.(events) ?? null)
    if (chains.entries > maxEntries && share.of < columns.userCount) return false
    if (grouping?.isOverfull) return true
    yield
  }
  for (const name of others) {
    chains.nextStep()
    for (const events of selection.events(name, { from: start, to: end + query.windowMilliseconds })) {
      chains.advance(events)
      yield
    }
  }
  return true
}
