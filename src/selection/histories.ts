import type { Columns, Timeline } from '../columns/columns.ts'
import { lowerBound } from '../columns/flat-arrays.ts'
import type { Filter } from '../reports/filters/filter.ts'
import { MS_PER_DAY } from '../time/days.ts'
import { daysIn, type Period } from '../time/period.ts'
import { groupsOn, passesOn } from './day-rows.ts'
import type { Grouping } from './grouping.ts'
import { createSelection } from './selection.ts'

export interface AskedHistories {
  readonly days: Period
  /** A number for each name of events; null for those that are left out. Nothing is said of names where it is missing. */
  readonly codeOf?: (name: string) => number | null
  readonly filters?: readonly Filter[]
  /** The names whose events the filters and the grouping are asked of, where that is not all that are read: others do not pass. */
  readonly isLookedUp?: (name: string) => boolean
  readonly grouping?: Grouping | null
}

/** What some users did: user by user, each in order of time, then of event key. */
export interface Histories {
  readonly users: UserRange
  /** Where the events of each user of the range begin; one place more, where the last ones end. */
  readonly starts: Uint32Array
  /** Milliseconds since 1970 UTC. */
  readonly times: Float64Array
  /** The number of each event's name; null where nobody asked. */
  readonly codes: Uint32Array | null
  /** A 1 where an event passes the filters; null where there are none. */
  readonly passes: Uint8Array | null
  /** The ordinal of each event's group; null where nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** Users by their ordinals, the second exclusive. */
export interface UserRange {
  readonly from: number
  readonly to: number
  /** How many events each of them has. */
  readonly counts: Uint32Array
}

/** So many events are held at once, unless one user has more: about 25 MB. */
const MAX_EVENTS = 1_250_000

/** Ranges of users, each with few enough events to be held at once. Together they are all users. Yields after each day. */
export function* rangesOf(
  columns: Columns,
  asked: AskedHistories,
  maxEvents = MAX_EVENTS,
): Generator<void, UserRange[]> {
  const counts = new Uint32Array(columns.userCount)
  for (const day of daysIn(asked.days)) {
    const { length, users, codes, isAsked } = dayOf(columns, asked, day)
    for (let event = 0; event < length; event++) {
      const user = users[event] as number
      counts[user] = (counts[user] as number) + (isAsked[codes[event] as number] as number)
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
export function* readHistories(columns: Columns, asked: AskedHistories, users: UserRange): Generator<void, Histories> {
  const { filters = [], grouping = null, codeOf } = asked
  const starts = startsOf(users.counts)
  const length = starts.at(-1) as number
  const histories: Histories = {
    users,
    starts,
    times: new Float64Array(length),
    codes: codeOf ? new Uint32Array(length) : null,
    passes: filters.length > 0 ? new Uint8Array(length) : null,
    groups: grouping ? new Uint32Array(length) : null,
  }
  const selection = createSelection(columns, { filters })
  const { isLookedUp = (name: string) => codeOf?.(name) !== null } = asked
  const next = starts.slice()
  for (const day of daysIn(asked.days)) {
    const events = dayOf(columns, asked, day)
    const { passes, groups } = histories
    append({ histories, next }, events, {
      midnight: day * MS_PER_DAY,
      passes: passes && passesOn(columns, selection, day, isLookedUp),
      groups: groups && grouping && groupsOn(columns, grouping, day, isLookedUp),
    })
    yield
  }
  return histories
}

function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1)
  for (let user = 0; user < counts.length; user++) {
    starts[user + 1] = (starts[user] as number) + (counts[user] as number)
  }
  return starts
}

/** The events of a day, with what is asked of their names. */
interface AskedDay extends Timeline {
  /** By code a 1 where the name is not left out. */
  readonly isAsked: Uint8Array
  /** By code the number of the name. */
  readonly numbers: Uint32Array
}

function dayOf(columns: Columns, { codeOf = () => 0 }: AskedHistories, day: number): AskedDay {
  const timeline = columns.timelineOf(day)
  const numbers = timeline.names.map(codeOf)
  return {
    ...timeline,
    isAsked: Uint8Array.from(numbers, (number) => Number(number !== null)),
    numbers: Uint32Array.from(numbers, (number) => number ?? 0),
  }
}

interface Growing {
  readonly histories: Histories
  /** Where the next event of each user goes. */
  readonly next: Uint32Array
}

interface DayFacts {
  readonly midnight: number
  /** By the events' places. */
  readonly passes: Uint8Array | null
  readonly groups: Uint32Array | null
}

/** In several passes, each over flat arrays: that is much quicker than one over all of them. */
function append({ histories, next }: Growing, day: AskedDay, { midnight, passes, groups }: DayFacts): void {
  const chosen = choose(day, histories.users, next)
  copyTimes(chosen, day.times, midnight, histories.times)
  if (histories.codes) copyNumbers(chosen, day, histories.codes)
  if (passes && histories.passes) copyFacts(chosen, day.places, passes, histories.passes)
  if (groups && histories.groups) copyFacts(chosen, day.places, groups, histories.groups)
}

/** Events of a day that are asked for, and where each of them goes. */
interface Chosen {
  readonly count: number
  readonly events: Uint32Array
  readonly targets: Uint32Array
}

function choose({ users, codes, isAsked }: AskedDay, range: UserRange, next: Uint32Array): Chosen {
  const [start, end] = [lowerBound(users, range.from), lowerBound(users, range.to)]
  const [events, targets] = [new Uint32Array(end - start), new Uint32Array(end - start)]
  const first = range.from
  let count = 0
  for (let event = start; event < end; event++) {
    const user = (users[event] as number) - first
    const target = next[user] as number
    const asked = isAsked[codes[event] as number] as number
    events[count] = event
    targets[count] = target
    next[user] = target + asked
    count += asked
  }
  return { count, events, targets }
}

function copyTimes({ count, events, targets }: Chosen, times: Uint32Array, midnight: number, to: Float64Array): void {
  for (let index = 0; index < count; index++) {
    to[targets[index] as number] = midnight + (times[events[index] as number] as number)
  }
}

function copyNumbers({ count, events, targets }: Chosen, { codes, numbers }: AskedDay, to: Uint32Array): void {
  for (let index = 0; index < count; index++) {
    to[targets[index] as number] = numbers[codes[events[index] as number] as number] as number
  }
}

type Facts = Uint8Array | Uint32Array

function copyFacts<F extends Facts>({ count, events, targets }: Chosen, places: Uint32Array, facts: F, to: F): void {
  for (let index = 0; index < count; index++) {
    to[targets[index] as number] = facts[places[events[index] as number] as number] as number
  }
}
