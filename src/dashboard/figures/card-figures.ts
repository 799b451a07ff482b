/** What a report shows on a card. It names nothing but figures, events and groups: no user, and no address. */
export interface CardFigures {
  readonly headlines: readonly CardHeadline[]
  readonly chart: CardChart | null
  readonly list: CardList | null
}

interface CardHeadline {
  readonly label: string
  readonly value: string
  /** How many users stand behind it, where links show none of few; otherwise missing. */
  readonly users?: number
}

/** Lines over days, or over other steps. */
export interface CardChart {
  readonly labels: readonly string[]
  readonly lines: readonly CardLine[]
  readonly toText: (value: number) => string
  /** How many users stand behind the figure of each label, where links show none of few; otherwise missing. */
  readonly users?: readonly number[]
}

export interface CardLine {
  readonly name: string
  /** What the operation calls it, where it is the line of a group; null where it is not. */
  readonly group: string | null
  readonly data: readonly (number | null)[]
  /** The figure of the whole period; null where the headlines have it. */
  readonly total: string | null
}

interface CardList {
  /** What the rows are, and what is counted of each. */
  readonly heads: readonly [string, string]
  readonly rows: readonly CardRow[]
}

export interface CardRow {
  readonly name: string
  readonly value: number
  readonly text: string
  /** What the operation calls it, where it is one of the groups that a whole is divided into; null where it is not. */
  readonly group: string | null
  /** How many users it is about, where it was not chosen by whoever saved the report; null where it was. */
  readonly users: number | null
}
