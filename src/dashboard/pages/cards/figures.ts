/** What a report shows on a card. It names nothing but figures, events and groups: no user, and no address. */
export interface CardFigures {
  readonly headlines: readonly { readonly label: string; readonly value: string }[]
  readonly chart: CardChart | null
  readonly list: CardList | null
}

/** Lines over days, or over other steps. */
export interface CardChart {
  readonly labels: readonly string[]
  readonly lines: readonly CardLine[]
  readonly toText: (value: number) => string
}

export interface CardLine {
  readonly name: string
  readonly data: readonly (number | null)[]
  /** Of the whole period; null where the headlines have it. */
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
  /** How many users it is about, where it was not chosen by whoever saved the report; null where it was. */
  readonly users: number | null
}
