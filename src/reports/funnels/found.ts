import type { Columns } from '../../columns/columns.ts'
import type { FunnelQuery } from './query.ts'
import type { Ways } from './ways.ts'

export interface Asked {
  readonly columns: Columns
  readonly query: FunnelQuery
  /** How many entries (day by day: users) are followed at once; where it is not said, as many as there is room for. */
  readonly bounds: { readonly entries?: number }
}

export interface Found {
  readonly now: Ways
  /** In the period before; without gaps. */
  readonly before: Ways
}
