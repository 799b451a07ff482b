import type { Declared, Unit } from './declared.ts'
import type { PlottedSeries } from './plot-drawing.tsx'
import type { Stat } from './stat-tiles.tsx'

/** What a report shows on a card. It names nothing but figures, events and groups: no user, and no address but those of lists of users. */
export interface CardFigures {
  readonly headlines: readonly CardHeadline[]
  readonly chart?: CardChart | null | undefined
  readonly list?: CardList | undefined
}

/** A key figure. Without a change, it is compared with that of the same report about the previous period; with null, with nothing. */
export interface CardHeadline extends Stat {
  /** How many users stand behind it, where links show none of few; otherwise missing. */
  readonly behind?: number
}

/** What an answer says of a change. From nothing, any rise is 100 percent for it: only the previous period's own figure tells. */
export function saidChange(change: number | null | undefined): number | null | undefined {
  return change === 100 ? undefined : change
}

/** Lines over days, or over other steps. */
export interface CardChart {
  readonly labels: readonly string[]
  readonly lines: readonly CardLine[]
  /** Groups that have no line. */
  readonly others?: number
  readonly unit: Unit
  /** Whether the last interval that has a figure is not over. */
  readonly isOpen: boolean
  /** How many users are behind the figure of each label, for links that hide those of few users; otherwise missing. */
  readonly users?: readonly number[]
}

export interface CardLine extends Pick<PlottedSeries, 'name' | 'data' | 'usersAt'> {
  /** What the operation calls it, where it is the line of a group; null where it is not. */
  readonly group: string | null
  /** The figure of the whole period; null where the headlines have it. */
  readonly total: Stat | null
}

export interface CardList {
  /** What the rows are. */
  readonly of: string
  /** What is counted of each. */
  readonly figure: Declared
  readonly rows: readonly CardRow[]
  /** How many groups there are, with those that the answer does not list; null if the rows are no groups, but all there is. */
  readonly total: number | null
  /** What shares are of: of groups that add up, all; null if none are shown. */
  readonly whole: number | null
  /** Whether groups are left out, so that nobody may see what all others add up to. */
  readonly isCut?: boolean
}

export interface CardRow {
  readonly name: string
  readonly value: number
  /** What the operation calls it, where it is one of the groups that a whole is divided into; null if it is not. */
  readonly group: string | null
  /** How many users it is about; null if whoever saved the report chose the row. */
  readonly users: number | null
  /** The list of the users whom the value counts. */
  readonly href?: string | undefined
}
