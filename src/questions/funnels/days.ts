import type { Columns, Timeline, UserRange } from '../../columns/columns.ts'
import { groupsOn, passesOn } from '../../columns/selection/day-rows.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection, yielding } from '../../columns/selection/selection.ts'
import type { UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/** Events of some users on a day, in order. */
export interface Day extends Omit<Timeline, 'indexes'> {
  /** Per event: its index among all events of the day. Empty if nothing is filtered or grouped. */
  readonly indexes: Uint32Array
  /** When the day begins; `times` count from then. */
  readonly midnight: number
  /** Whether entries on this day count. */
  readonly hasEntries: boolean
  /** Per index: 1 if the event of a step passes the filters; null without filters. */
  readonly passes: Uint8Array | null
  /** Per index: the group of an event that may be an entry; null if nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** Reads days one by one, each in parts with different users; yields null when others may take their turn. */
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
    const passes = filters.length > 0 ? yield* yielding(passesOn(columns, selection, day, isStep), null) : null
    const groups = grouping && (yield* yielding(groupsOn(columns, grouping, day, isEntry), null))
    const midnight = columns.calendar.startOf(day)
    for (const timeline of columns.timelinesOf(day, users)) {
      const indexes = passes || groups ? timeline.indexes() : NO_INDEXES
      yield { ...timeline, indexes, midnight, hasEntries, passes, groups }
    }
  }
}

const NO_INDEXES = new Uint32Array()

/** The users who are followed day by day, and where their progress is recorded. */
export interface Followed {
  readonly query: FunnelQuery
  /** When the query's period begins, in milliseconds since 1970 UTC. */
  readonly start: number
  readonly users: UserRange
  readonly now: UserProgress
  readonly before: UserProgress
}

/** The kind of events that matter only to users in a chain. */
export const OTHER_KIND = 0xff

/** Selects the few events of a day that matter, without a branch per event, which processors would often mispredict. */
export class Chooser {
  count = 0
  #events = new Uint32Array()

  /** Selects events of kinds below 128, by the code of their name. The next call overwrites the result. */
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
