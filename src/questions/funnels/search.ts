import { spanOf } from '../../base/time/calendar.ts'
import { MS_PER_HOUR } from '../../base/time/days.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Span, UserRange } from '../../columns/columns.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection, type Selection } from '../../columns/selection/selection.ts'
import { AnyOrder } from './any-order.ts'
import type { TimedEvents } from './arrivals.ts'
import { Chains } from './chains.ts'
import { dayReader } from './days.ts'
import { eventGroupsOf } from './entry-groups.ts'
import { FirstArrivals, type FoundProgress, UserProgress } from './progress.ts'
import type { FunnelPass, FunnelQuery } from './query.ts'
import { StrictOrder } from './strict-order.ts'

/** Approximately the most memory that the search and its results use. */
const ROOM_BYTES = 22_000_000
/** The least memory for entries: with fewer at once, there would be too many passes. */
const MIN_ROOM_BYTES = 10_000_000

/** Follows the users through both periods. The result is invalid if the grouping becomes overfull. */
export function* findProgress(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  return yield* pass.query.order === 'ordered' ? findOrderedProgress(pass, grouping) : findProgressByDay(pass, grouping)
}

function* findOrderedProgress(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  const { columns, query } = pass
  const { steps, windowMilliseconds } = query
  const hasExclusions = query.excluded.length > 0
  const { now, before } = emptyProgress(pass)
  const chains = new Chains({ names: steps, windowMilliseconds, hasExclusions }, new FirstArrivals(before))
  const search: Search = { ...pass, grouping, chains, later: createSelection(columns, { filters: query.filters }) }
  yield* follow(search, query.before, before)
  chains.restart(new FirstArrivals(now))
  yield* follow(search, query.period, now)
  return { now, before }
}

function emptyProgress({ columns, query }: FunnelPass): FoundProgress {
  const { steps, windowMilliseconds: longest, groupBy } = query
  const params = { users: columns.userCount, longest, isGrouped: groupBy.length > 0 }
  return {
    now: new UserProgress({ ...params, steps: steps.length - 1 }),
    before: new UserProgress({ ...params, steps: 0 }),
  }
}

interface Search extends FunnelPass {
  readonly grouping: Grouping | null
  readonly chains: Chains
  /** Picks events of the steps after the first one, while entries wait. */
  readonly later: Selection
}

/** Follows a period's entries in order of time, as many at a time as memory allows. */
function* follow(search: Search, period: Period, progress: UserProgress): Generator<void> {
  const { columns, query, grouping, chains } = search
  const groupsOf = grouping && eventGroupsOf(grouping)
  const selection = createSelection(columns, { filters: query.filters })
  for (const events of selection.events(query.steps[0], spanOf(columns.calendar, period))) {
    if (grouping) yield* grouping.prepare(events.segment)
    const groups = groupsOf?.(events) ?? null
    if (grouping?.isOverfull) return
    const maxEntries = maxEntriesOf(search, progress)
    for (let from = events.from; ; ) {
      from = chains.enter({ ...events, from }, groups, maxEntries)
      if (from === events.to) break
      yield* advance(search)
      chains.restart()
    }
    yield
  }
  yield* advance(search)
  chains.restart()
}

/** The most entries at a time. Each may arrive at every step, and be its user's first to reach the second. */
function maxEntriesOf({ columns, bounds, chains }: Search, { bytesPerUser, gaps }: UserProgress): number {
  const room = ROOM_BYTES - columns.userCount * (chains.bytesPerUser + 2 * bytesPerUser) - gaps.bytes
  const bytes = chains.bytesPerEntry + gaps.bytesPerRow + FirstArrivals.bytesPerRow
  return bounds.entries ?? Math.floor(Math.max(room / bytes, MIN_ROOM_BYTES / chains.bytesPerEntry))
}

/** Takes the entries so far through all further steps. */
function* advance({ query, chains, columns, later }: Search): Generator<void> {
  const { span } = chains
  if (!span) return
  for (const name of query.excluded) yield* chains.exclude(backwards(columns, name, span))
  for (const name of query.steps.slice(1)) {
    chains.nextStep()
    for (const events of later.events(name, span)) {
      chains.advance(events)
      yield
    }
  }
}

/** How much time of a name's events is held in memory. */
const HELD_MS = 7 * 24 * MS_PER_HOUR

/** All events of a name, from the last to the first, whether they pass the filters or not. */
function* backwards(columns: Columns, name: string, span: Span): Generator<TimedEvents> {
  for (let { to } = span; to > span.from; to -= HELD_MS) {
    const from = Math.max(span.from, to - HELD_MS)
    for (const { segment, ...bounds } of [...columns.slicesOf(name, { from, to })].reverse()) {
      yield { times: segment.times, users: segment.users, ...bounds }
    }
  }
}

/** Follows the users through both periods at once, day by day, so that no events need to be held. */
function* findProgressByDay(pass: FunnelPass, grouping: Grouping | null): Generator<void, FoundProgress> {
  const { columns, query } = pass
  const { now, before } = emptyProgress(pass)
  const readDay = dayReader(columns, query, grouping)
  const days = daysOf(columns, query)
  for (const users of rangesOf(pass)) {
    const follower = followerOf(pass, users, { now, before })
    for (const day of query.order === 'any' ? days.toReversed() : days) {
      for (const part of readDay(day, users)) {
        if (part) follower.take(part)
        if (grouping?.isOverfull) return { now, before }
        yield
      }
    }
  }
  return { now, before }
}

function followerOf({ query, columns }: FunnelPass, users: UserRange, progress: FoundProgress): AnyOrder | StrictOrder {
  const followed = {
    query,
    start: columns.calendar.startOf(query.period.from),
    users,
    ...progress,
  }
  return query.order === 'any' ? new AnyOrder(followed) : new StrictOrder(followed)
}

/** The days of both periods and of the window after them, limited to days with events of the steps. */
function daysOf(columns: Columns, { steps, before, period, windowMilliseconds }: FunnelQuery): number[] {
  const { calendar } = columns
  const names = new Set<string>(steps)
  const spans = Array.from(columns.names()).filter(({ name }) => names.has(name))
  if (spans.length === 0) return []
  const end = calendar.startOf(period.to + 1) - 1 + windowMilliseconds
  const from = Math.max(before.from, calendar.dayOf(Math.min(...spans.map(({ first }) => first))))
  const to = calendar.dayOf(Math.min(end, Math.max(...spans.map(({ last }) => last))))
  return daysIn({ from, to })
}

/** Divides the users into ranges that fit into memory. */
function* rangesOf({ columns: { userCount }, query, bounds }: FunnelPass): Generator<UserRange> {
  const bytes = query.order === 'any' ? AnyOrder.bytesPerUser(query) : StrictOrder.bytesPerUser(query)
  const atOnce = bounds.entries ?? Math.floor(ROOM_BYTES / bytes)
  for (let from = 0; from < userCount; from += atOnce) yield { from, to: Math.min(userCount, from + atOnce) }
}
