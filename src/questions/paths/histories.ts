import { MS_PER_DAY } from '../../base/time/days.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Timeline } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { passesOn } from '../../columns/selection/day-rows.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection } from '../../columns/selection/selection.ts'

export interface HistoriesQuery {
  readonly days: Period
  /** Of every name. */
  readonly numberOf: (name: string) => number
  readonly filters: readonly Filter[]
  /** The only name of which it matters whether its events pass the filters. */
  readonly filtered: string
}

/** What some users did: user by user, each in order of time, then of event key. */
export interface Histories {
  readonly users: UserRange
  /** Where the events of each user of the range begin; one more, where the last ones end. */
  readonly starts: Uint32Array
  /** Milliseconds since 1970 UTC. */
  readonly times: Float64Array
  /** The number of each event's name. */
  readonly names: Uint32Array
  /** A 1 where an event passes the filters; null where there are none. */
  readonly passes: Uint8Array | null
}

/** Users by their ordinals, the second exclusive. */
export interface UserRange {
  readonly from: number
  readonly to: number
  /** How many events each of them has. */
  readonly counts: Uint32Array
}

/** Ranges of users, each with few enough events to be held at once. Together they are all users. Yields after each day. */
export function* rangesOf(columns: Columns, days: Period, maxEvents: number): Generator<void, UserRange[]> {
  const counts = new Uint32Array(columns.userCount)
  for (const day of daysIn(days)) {
    const { length, users } = columns.timelineOf(day)
    for (let event = 0; event < length; event++) {
      const user = users[event] as number
      counts[user] = (counts[user] as number) + 1
    }
    yield
  }
  return cut(counts, maxEvents)
}

function cut(counts: Uint32Array, maxEvents: number): UserRange[] {
  const ranges: UserRange[] = []
  let [from, events] = [0, 0]
  for (let user = 0; user < counts.length; user++) {
    const more = counts[user] as number
    if (events > 0 && events + more > maxEvents) {
      ranges.push({ from, to: user, counts: counts.subarray(from, user) })
      from = user
      events = 0
    }
    events += more
  }
  return counts.length > from ? [...ranges, { from, to: counts.length, counts: counts.subarray(from) }] : ranges
}

/** The histories of a range of users. Yields after each day. */
export function* readHistories(
  columns: Columns,
  { days, numberOf, filters, filtered }: HistoriesQuery,
  users: UserRange,
): Generator<void, Histories> {
  const starts = startsOf(users.counts)
  const length = starts.at(-1) as number
  const times = new Float64Array(length)
  const names = new Uint32Array(length)
  const passes = filters.length > 0 ? new Uint8Array(length) : null
  const selection = createSelection(columns, { filters })
  const next = starts.slice()
  for (const day of daysIn(days)) {
    const timeline = columns.timelineOf(day)
    // In several passes, each over flat arrays: that is much quicker than one over all of them.
    const chosen = choose(timeline, users, next)
    copyTimes(chosen, timeline.times, day * MS_PER_DAY, times)
    copyNames(chosen, timeline.codes, Uint32Array.from(timeline.names, numberOf), names)
    if (passes) {
      const onDay = passesOn(columns, selection, day, (name) => name === filtered)
      copyPasses(chosen, timeline.indexes, onDay, passes)
    }
    yield
  }
  return { users, starts, times, names, passes }
}

function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1)
  for (let user = 0; user < counts.length; user++) {
    starts[user + 1] = (starts[user] as number) + (counts[user] as number)
  }
  return starts
}

/** The events of some users on a day: those from an index of the timeline on, as many as there are targets. */
interface Chosen {
  readonly from: number
  /** Where each of them goes. */
  readonly targets: Uint32Array
}

/** `next` says where the next event of each user goes. */
function choose({ users }: Timeline, range: UserRange, next: Uint32Array): Chosen {
  const [from, to] = [lowerBound(users, range.from), lowerBound(users, range.to)]
  const targets = new Uint32Array(to - from)
  for (let index = 0; index < targets.length; index++) {
    const user = (users[from + index] as number) - range.from
    const target = next[user] as number
    targets[index] = target
    next[user] = target + 1
  }
  return { from, targets }
}

function copyTimes({ from, targets }: Chosen, times: Uint32Array, midnight: number, to: Float64Array): void {
  for (let index = 0; index < targets.length; index++) {
    to[targets[index] as number] = midnight + (times[from + index] as number)
  }
}

function copyNames({ from, targets }: Chosen, codes: Timeline['codes'], numbers: Uint32Array, to: Uint32Array): void {
  for (let index = 0; index < targets.length; index++) {
    to[targets[index] as number] = numbers[codes[from + index] as number] as number
  }
}

function copyPasses({ from, targets }: Chosen, indexes: Uint32Array, passes: Uint8Array, to: Uint8Array): void {
  for (let index = 0; index < targets.length; index++) {
    to[targets[index] as number] = passes[indexes[from + index] as number] as number
  }
}
