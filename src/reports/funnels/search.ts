import type { Columns, Span } from '../../columns/columns.ts'
import type { Grouping } from '../../selection/grouping.ts'
import { createSelection, type Selection } from '../../selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../selection/share.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { Period } from '../../time/period.ts'
import { ARRIVAL_BYTES } from './arrivals.ts'
import { Chains } from './chains.ts'
import { findWaysByDay } from './day-search.ts'
import { DEADLINE_BYTES } from './deadlines.ts'
import { eventGroupsOf } from './event-groups.ts'
import type { Events } from './events.ts'
import type { Asked, Found } from './found.ts'
import { Ways } from './ways.ts'

/** What the ways and their search take of memory at most, about. */
const ROOM_BYTES = 22_000_000
/** With fewer at once there would be no end of passes. */
const MIN_ENTRIES = 20_000

/** Follows the users through both periods. Nothing of it is to be asked where the grouping turns out to be overfull. */
export function* findWays(asked: Asked, grouping: Grouping | null): Generator<void, Found> {
  return yield* asked.query.order === 'ordered' ? findOrderedWays(asked, grouping) : findWaysByDay(asked, grouping)
}

function* findOrderedWays(asked: Asked, grouping: Grouping | null): Generator<void, Found> {
  const { columns, query } = asked
  const { steps, windowMilliseconds } = query
  const hasExclusions = query.excluded.length > 0
  const chains = new Chains({ names: steps, windowMilliseconds, hasExclusions }, columns.userCount)
  const search: Search = { ...asked, grouping, chains }
  const users = { share: WHOLE, selection: createSelection(columns, { filters: query.filters }) }
  const before = new Ways({ steps: 0, longest: windowMilliseconds })
  yield* follow(search, { ...users, period: query.before }, before)
  const now = new Ways({ steps: steps.length - 1, longest: windowMilliseconds })
  yield* follow(search, { ...users, period: query.period }, now)
  return { now, before }
}

interface Search extends Asked {
  readonly grouping: Grouping | null
  readonly chains: Chains
}

interface Part {
  readonly share: Share
  readonly selection: Selection
  readonly period: Period
}

/** All users of a share at once or, where there are too many entries, those of one half after the other. */
function* follow(search: Search, part: Part, ways: Ways): Generator<void> {
  const { columns, query, chains } = search
  const { share, period } = part
  if (yield* followAtOnce(search, part, maxEntriesOf(search, ways))) return chains.tell(share, ways)
  for (const half of halvesOf(share)) {
    const selection = createSelection(columns, { filters: query.filters, users: half })
    yield* follow(search, { share: half, selection, period }, ways)
  }
}

/** Each entry may arrive at every step, and be the first one of a user. */
function maxEntriesOf({ columns, query, bounds, chains }: Search, ways: Ways): number {
  const room = ROOM_BYTES - columns.userCount * chains.bytesPerUser - ways.bytes
  const deadline = query.excluded.length > 0 ? DEADLINE_BYTES : 0
  const bytes = query.steps.length * ARRIVAL_BYTES + deadline + ways.bytesPerUser
  return bounds.entries ?? Math.max(MIN_ENTRIES, Math.floor(room / bytes))
}

/** False where there are too many entries, unless they are those of a single user. */
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

/** Of a name's events those of so many days are held at once. */
const DAYS_HELD = 7

/** All events of a name from the last to the first, whether they pass the filters or not. */
function* backwards(columns: Columns, name: string, span: Span): Generator<Events> {
  for (let { to } = span; to > span.from; to -= DAYS_HELD * MS_PER_DAY) {
    const from = Math.max(span.from, to - DAYS_HELD * MS_PER_DAY)
    for (const { leaf, ...places } of [...columns.runsOf(name, { from, to })].reverse()) {
      yield { times: leaf.times, users: leaf.users, ...places }
    }
  }
}
