/** Names the moment up to which the figures of an answer include every stored event. */
export const AS_OF_HEADER = 'figures-as-of'

/** That header, for a contract. */
export const AS_OF_HEADERS = {
  [AS_OF_HEADER]: 'These figures include every event stored up to this moment (ISO 8601).',
}

/** Figures, and that moment as the header says it. */
export interface AsOf<T> {
  readonly asOf: string
  readonly data: T
}
