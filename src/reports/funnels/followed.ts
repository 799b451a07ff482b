import type { Users } from './day.ts'
import type { FunnelQuery } from './query.ts'
import type { Records } from './records.ts'

/** Who is followed day by day, and where it is written down how far they got. */
export interface Followed {
  readonly query: FunnelQuery
  readonly users: Users
  readonly now: Records
  readonly before: Records
}
