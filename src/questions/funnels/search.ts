import { dayOf, MS_PER_DAY } from '../../base/time/days.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Span, UserRange } from '../../columns/columns.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection, type Selection } from '../../columns/selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import { AnyOrder } from './any-order.ts'
import { ARRIVAL_BYTES, DEADLINE_BYTES, type TimedEvents } from './arrivals.ts'
import { Chains } from './chains.ts'
import { dayReader } from './days.ts'
import { eventGroupsOf } from './entry-groups.ts'
import { BestProgress, type FoundProgress, UserProgress } from './progress.ts'
import type { FunnelPass, FunnelQuery } from './query.ts'
import { StrictOrder } from './strict-order.ts'

/** About how much memory the search and its results take at most. */
const ROOM_BYTES = 22_000_000
/** With fewer at once, there would be too many passes. */
const MIN_ENTRIES = 20_000

/** Follows the users through both periods. The result is of no use if the grouping turns out to be overfull. */
export function* findProgress(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  return yield* pass.query.order === 'ordered' ? findOrderedProgress(pass, grouping) : findProgressByDay(pass, grouping)
}

function* findOrderedProgress(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  const { columns, query } = pass
  const { steps, windowMilliseconds } = query
  const hasExclusions = query.excluded.length > 0
  const chains = new Chains({ names: steps, windowMilliseconds, hasExclusions }, columns.userCount)
  const search: Search = { ...pass, grouping, chains }
  const users = { share: WHOLE, selection: createSelection(columns, { filters: query.filters }) }
  const before = new UserProgress({ steps: 0, longest: windowMilliseconds })
  yield* follow(search, { ...users, period: query.before }, before)
  const now = new UserProgress({ steps: steps.length - 1, longest: windowMilliseconds })
  yield* follow(search, { ...users, period: query.period }, now)
  return { now, before }
}

interface Search extends FunnelPass {
  readonly grouping: Grouping | null
  readonly chains: Chains
}

interface Part {
  readonly share: Share
  readonly selection: Selection
  readonly period: Period
}

/** All users of a share together, or half after half if there are too many entries. */
function* follow(search: Search, part: Part, progress: UserProgress): Generator<void> {
  const { columns, query, chains } = search
  const { share, period } = part
  if (yield* followAtOnce(search, part, maxEntriesOf(search, progress))) return chains.addTo(share, progress)
  for (const half of halvesOf(share)) {
    const selection = createSelection(columns, { filters: query.filters, users: half })
    yield* follow(search, { share: half, selection, period }, progress)
  }
}

/** Each entry may arrive at every step, and be the first one of a user. */
function maxEntriesOf({ columns, query, bounds, chains }: Search, progress: UserProgress): number {
  const room = ROOM_BYTES - columns.userCount * chains.bytesPerUser - progress.bytes
  const deadline = query.excluded.length > 0 ? DEADLINE_BYTES : 0
  const bytes = query.steps.length * ARRIVAL_BYTES + deadline + progress.bytesPerUser
  return bounds.entries ?? Math.max(MIN_ENTRIES, Math.floor(room / bytes))
}

/** False if there are too many entries, unless they are those of a single user. */
function* followAtOnce(search: Search, part: Part, maxEntries: number): Generator<void, boolean> {
  const { query, grouping, chains, columns } = search
  const { share, selection, period } = part
  const start = period.from * MS_PER_DAY
  const end = (period.to + 1) * MS_PER_DAY
  const groupsOf = grouping && eventGroupsOf(grouping)
  const [first, ...others] = query.steps
  chains.restart()
  for (const events of selection.events(first, { from: start, to: end })) {
    chains.enter(events, groupsOf?.(events) ?? null)
    if (chains.entries > maxEntries && share.of < columns.userCount) return false
    if (grouping?.isOverfull) return true
    yield
  }
  const span = { from: start, to: end + query.windowMilliseconds }
  for (const name of query.excluded) yield* chains.exclude(backwards(columns, name, span))
  for (const name of others) {
    chains.nextStep()
    for (const events of selection.events(name, span)) {
      chains.advance(events)
      yield
    }
  }
  return true
}

/** How many days of a name's events are held at once. */
const DAYS_HELD = 7

/** All events of a name from the last to the first, whether they pass the filters or not. */
function* backwards(columns: Columns, name: string, span: Span): Generator<TimedEvents> {
  for (let { to } = span; to > span.from; to -= DAYS_HELD * MS_PER_DAY) {
    const from = Math.max(span.from, to - DAYS_HELD * MS_PER_DAY)
    for (const { segment, ...bounds } of [...columns.slicesOf(name, { from, to })].reverse()) {
      yield { times: segment.times, users: segment.users, ...bounds }
    }
  }
}

/** Follows the users through both periods at once, day by day: nobody's events need to be held. */
function* findProgressByDay(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  const { columns, query } = pass
  const longest = query.windowMilliseconds
  const before = new UserProgress({ steps: 0, longest })
  const now = new UserProgress({ steps: query.steps.length - 1, longest })
  const readDay = dayReader(columns, query, grouping)
  const days = daysOf(columns, query)
  for (const users of rangesOf(pass)) {
    const follower = followerOf(query, users, { now, before })
    for (const day of query.order === 'any' ? days.toReversed() : days) {
      for (const part of readDay(day, users)) {
        follower.take(part)
        if (grouping?.isOverfull) return { now, before }
        yield
      }
    }
  }
  return { now, before }
}

function followerOf(query: FunnelQuery, users: UserRange, progress: FoundProgress): AnyOrder | StrictOrder {
  const count = users.to - users.from
  const followed = {
    query,
    users,
    now: new BestProgress(progress.now, count),
    before: new BestProgress(progress.before, count),
  }
  return query.order === 'any' ? new AnyOrder(followed) : new StrictOrder(followed)
}

/** The days of both periods and of the window after them, as far as there are events of the steps. */
function daysOf(columns: Columns, { steps, before, period, windowMilliseconds }: FunnelQuery): number[] {
  const names = new Set<string>(steps)
  const spans = Array.from(columns.names()).filter(({ name }) => names.has(name))
  if (spans.length === 0) return []
  const end = (period.to + 1) * MS_PER_DAY - 1 + windowMilliseconds
  const from = Math.max(before.from, dayOf(Math.min(...spans.map(({ first }) => first))))
  const to = dayOf(Math.min(end, Math.max(...spans.map(({ last }) => last))))
  return daysIn({ from, to })
}

/** Ranges of users that fit into memory together. */
function* rangesOf({ columns: { userCount }, query, bounds }: FunnelPass): Generator<UserRange> {
  const bytes = query.order === 'any' ? AnyOrder.bytesPerUser(query) : StrictOrder.bytesPerUser(query)
  const atOnce = bounds.entries ?? Math.floor(ROOM_BYTES / bytes)
  for (let from = 0; from < userCount; from += atOnce) yield { from, to: Math.min(userCount, from + atOnce) }
}
