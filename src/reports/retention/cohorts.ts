import type { Columns } from '../../columns/columns.ts'
import type { Filter } from '../filters/filter.ts'
import type { EventGroups } from './event-groups.ts'
import type { Timetable } from './timetable.ts'

/** Who came first when. */
export interface Cohorts {
  /** By user the interval of the first event; `OUTSIDE_INTERVALS` for who is in no cohort. */
  readonly intervals: Int16Array
  /** By user the time of the first event; null where nothing can come before it. */
  readonly times: Float64Array | null
  /** By user the ordinal of the group of the first event; null where nothing is grouped. */
  readonly groups: Uint32Array | null
}

/** What is asked of first events. */
export interface AskedCohorts {
  readonly columns: Columns
  readonly filters: readonly Filter[]
  readonly groups: EventGroups | null
  readonly timetable: Timetable
}
