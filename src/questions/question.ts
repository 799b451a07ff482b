/** What an object says to a question: its part of the answer, or why there is none now. */
export type Reply =
  | {
      readonly kind: 'answer'
      readonly part: unknown
      /** Up to when it holds: milliseconds since 1970 UTC. */
      readonly asOf: number
      /** The first day about which everything is known, in whole days since 1970; null where all is kept. */
      readonly since: number | null
    }
  /** Its columns are being filled. */
  | { readonly kind: 'filling' }
  /** Too many questions wait in line, or this one took too long. */
  | { readonly kind: 'busy' }

export interface Question {
  /** The name of the report. */
  readonly report: string
  readonly query: unknown
  /** Who asks: the turns of one caller wait for each other, not for those of others. */
  readonly caller: string
}
