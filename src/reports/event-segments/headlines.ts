import type { Columns } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
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
  const { mode } = pass.query
  const events = needsEvents(mode) ? yield* eventsOfGroups(pass, grouping) : new Uint32Array(0)
  const users = needsUsers(mode) ? yield* usersOfGroups(pass, grouping, WHOLE) : new Uint32Array(0)
  if (grouping.isOverfull) return
  for (let group = 0; group < grouping.count; group++) {
    const counts = { users: users[group] ?? 0, events: events[group] ?? 0 }
    if (counts.users + counts.events > 0) take(counts, () => grouping.valuesOf(group))
  }
}

function* eventsOfGroups({ columns, query }: Pass, grouping: Grouping): Generator<void, Uint32Array> {
  const selection = createSelection(columns, { filters: query.filters, grouping })
  let events: Uint32Array = new Uint32Array(grouping.count)
  const pace = createPace()
  for (const { rows, counts, looked } of mixedBatchesFor(columns, selection, query)) {
    if (grouping.isOverfull) break
    if (events.length < grouping.count) events = enlarged(events, 2 * grouping.count)
    countEvents(rows, counts, events)
    if (pace.isDue(looked)) yield
  }
  return events
}

/** Where room is short, one half of the users goes after the other: no user is in both. */
function* usersOfGroups(pass: Pass, grouping: Grouping, share: Share): Generator<void, Uint32Array> {
  const sightings = yield* sightUsers(pass, grouping, share)
  if (sightings) return sightings.usersOf(grouping.count)
  const [half, other] = halvesOf(share)
  const users = yield* usersOfGroups(pass, grouping, half)
  return sumOf(users, yield* usersOfGroups(pass, grouping, other))
}

/** Null where they are too many, unless they are those of a single user. */
function* sightUsers(pass: Pass, grouping: Grouping, share: Share): Generator<void, Sightings | null> {
  const { columns, query, bounds } = pass
  const selection = createSelection(columns, { filters: query.filters, grouping, users: share })
  const sightings = createSightings(columns.userCount, bounds.sightings)
  const pace = createPace()
  for (const { rows, looked } of mixedBatchesFor(columns, selection, query)) {
    if (grouping.isOverfull) break
    if (!sightings.add(rows, grouping.count) && share.of < columns.userCount) return null
    if (pace.isDue(looked)) yield
  }
  return sightings
}

/** The second one is never the shorter: further passes only bring further groups. */
function sumOf(some: Uint32Array, more: Uint32Array): Uint32Array {
  return more.map((users, group) => users + (some[group] ?? 0))
}
