import type { Columns, Timeline, UserRange } from '../../columns/columns.ts'
import { groupsOn, passesOn, slicesOn } from '../../columns/selection/day-rows.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import type { UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/** What some users did on a day, in order. */
export interface Day extends Omit<Timeline, 'indexes'> {
  /** By event; empty where nothing is filtered or grouped. */
  readonly indexes: Uint32Array
  /** When the day begins: times are since then. */
  readonly midnight: number
  /** Whether entries on this day count. */
  readonly hasEntries: boolean
  /** By the events' indexes: a 1 where the event of a step passes the filters; null where there are none. */
  readonly passes: Uint8Array | null
  /** By the events' indexes: the group of an event that may be an entry; null where nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** Reads days one by one, each in parts of different users; null where others may take their turn. */
export function dayReader(
  columns: Columns,
  { steps, order, filters, before, period }: FunnelQuery,
  grouping: Grouping | null,
): (day: number, users: UserRange) => Iterable<Day | null> {
  const selection = createSelection(columns, { filters })
  const names = new Set<string>(steps)
  const entries = order === 'any' ? names : new Set(steps.slice(0, 1))
  return function* (day, users) {
    const hasEntries = day >= before.from && day <= period.to
    const isStep = (name: string) => names.has(name)
    const isEntry = (name: string) => hasEntries && entries.has(name)
    const passes = filters.length > 0 ? passesOn(columns, selection, day, isStep) : null
    for (const { segment } of grouping ? slicesOn(columns, day, isEntry) : []) {
      for (const _ of grouping?.prepare(segment) ?? []) yield null
    }
    const groups = grouping && groupsOn(columns, grouping, day, isEntry)
    const midnight = columns.calendar.startOf(day)
    for (const timeline of columns.timelinesOf(day, users)) {
      const indexes = passes || groups ? timeline.indexes() : NO_INDEXES
      yield { ...timeline, indexes, midnight, hasEntries, passes, groups }
    }
  }
}

const NO_INDEXES = new Uint32Array()

/** Who is followed day by day, and where it is written down how far they got. */
export interface Followed {
  readonly query: FunnelQuery
  /** When its period begins. */
  readonly start: number
  readonly users: UserRange
  readonly now: UserProgress
  readonly before: UserProgress
}

/** A kind of event that only matters to users in a chain. */
export const OTHER_KIND = 0xff

/** Chooses the few events of a day that matter: without a branch for each, as a processor would often guess wrong. */
export class Chooser {
  count = 0
  #events = new Uint32Array()

  /** Those of other kinds, by the code of their name. The next call overwrites the result. */
  choose({ codes, length }: Day, kinds: Uint8Array): Uint32Array {
    const events = this.#makeRoom(length)
    let count = 0
    for (let event = 0; event < length; event++) {
      events[count] = event
      count += 1 - ((kinds[codes[event] as number] as number) >>> 7)
    }
    this.count = count
    return events
  }

  #makeRoom(length: number): Uint32Array {
    if (this.#events.length < length) this.#events = new Uint32Array(length)
    return this.#events
  }
}
