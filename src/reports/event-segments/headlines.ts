import type { Columns } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { MixedBatch } from '../../selection/batches.ts'
import { DICTIONARY_ROOM, isGroupInShare, openDictionary } from '../../selection/dictionary.ts'
import { type Grouping, groupingByContext, groupingByText, needsDictionary } from '../../selection/grouping.ts'
import { createSelection } from '../../selection/selection.ts'
import { halvesOf, type Share, WHOLE } from '../../selection/share.ts'
import type { GroupValues } from '../groups.ts'
import { createPace } from '../pace.ts'
import { mixedBatchesFor } from './batches.ts'
import { type Counts, needsEvents, needsUsers } from './counts.ts'
import { countEvents } from './events.ts'
import type { EventSegmentsQuery } from './query.ts'
import { createSightings, MAX_SIGHTINGS, type Sightings } from './sightings.ts'

/** What a question holds at once; what is more than that goes in several passes. Tests make it small. */
export interface Bounds {
  readonly dictionary: { readonly groups: number; readonly characters: number }
  readonly sightings: number
}

export const BOUNDS: Bounds = { dictionary: DICTIONARY_ROOM, sightings: MAX_SIGHTINGS }

/** Takes what is counted of a group; its values are looked up only where they are asked for. */
export type TakeHeadline = (counts: Counts, valuesOf: () => GroupValues) => void

interface Pass {
  readonly columns: Columns
  readonly query: EventSegmentsQuery
  readonly bounds: Bounds
}

/** The figures of the period of every group of a share that occurs in it. */
export function* countHeadlines(pass: Pass, share: Share, take: TakeHeadline): Generator<void, void> {
  const { columns, query, bounds } = pass
  if (!needsDictionary(query.groupBy)) {
    const grouping = groupingByContext(columns, query.groupBy)
    return yield* countAll(pass, grouping, (counts, valuesOf) => {
      if (share.of === 1 || isGroupInShare(valuesOf(), share)) take(counts, valuesOf)
    })
  }
  const dictionary = openDictionary(share, bounds.dictionary)
  const grouping = groupingByText(columns, query.groupBy, dictionary)
  yield* countAll(pass, grouping, take)
  if (!dictionary.isOverfull) return
  for (const half of halvesOf(share)) yield* countHeadlines(pass, half, take)
}

/** Takes nothing where there turn out to be too many groups. */
function* countAll(pass: Pass, grouping: Grouping, take: TakeHeadline): Generator<void, void> {
  const { events, users } = yield* countBoth(pass, grouping)
  if (grouping.isOverfull) return
  for (let group = 0; group < grouping.count; group++) {
    const counts = { users: users[group] ?? 0, events: events[group] ?? 0 }
    if (counts.users + counts.events > 0) take(counts, () => grouping.valuesOf(group))
  }
}

const NOTHING = new Uint32Array(0)

/** By group, as far as the mode needs them: in one pass where there is room for all sightings. */
function* countBoth(pass: Pass, grouping: Grouping): Generator<void, { events: Uint32Array; users: Uint32Array }> {
  const { mode } = pass.query
  if (!needsUsers(mode)) return { events: yield* eventsOfGroups(pass, grouping), users: NOTHING }
  const counted = needsEvents(mode) ? createEventCounts() : null
  const sightings = yield* sightUsers(pass, grouping, WHOLE, counted)
  if (sightings) return { events: counted?.events() ?? NOTHING, users: sightings.usersOf(grouping.count) }
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

function* eventsOfGroups({ columns, query }: Pass, grouping: Grouping): Generator<void, Uint32Array> {
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

function* usersOfGroups(pass: Pass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const sightings = yield* sightUsers(pass, grouping, share, null)
  return sightings ? sightings.usersOf(grouping.count) : yield* usersOfHalves(pass, grouping, share)
}

/** Where room is short, one half of the users goes after the other: no user is in both. */
function* usersOfHalves(pass: Pass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const [half, other] = halvesOf(share)
  const users = yield* usersOfGroups(pass, grouping, half)
  return sumOf(users, yield* usersOfGroups(pass, grouping, other))
}

/** Null where they are too many, unless they are those of a single user. Counts events on the way, where it is asked to. */
function* sightUsers(
  pass: Pass,
  grouping: Grouping,
  share: Share,
  counted: EventCounts | null,
): Generator<void, Sightings | null> {
  const { columns, query, bounds } = pass
  const selection = createSelection(columns, { filters: query.filters, grouping, users: share })
  const sightings = createSightings(columns.userCount, bounds.sightings)
  const pace = createPace()
  for (const batch of mixedBatchesFor(columns, selection, query)) {
    if (grouping.isOverfull) break
    counted?.add(batch, grouping.count)
    if (!sightings.add(batch.rows, grouping.count) && share.of < columns.userCount) return null
    if (pace.isDue(batch.looked)) yield
  }
  return sightings
}

/** The second one is never the shorter: further passes only bring further groups. */
function sumOf(some: Uint32Array, more: Uint32Array): Uint32Array {
  return more.map((users, group) => users + (some[group] ?? 0))
}
