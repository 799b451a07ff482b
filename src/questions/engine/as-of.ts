/** The header with the moment up to which an answer's figures include every stored event. */
export const AS_OF_HEADER = 'figures-as-of'

/** The `figures-as-of` header, described for a contract. */
export const AS_OF_HEADERS = {
  [AS_OF_HEADER]: 'These figures include every event stored up to this moment (ISO 8601).',
}

/** Figures, and the moment up to which they include every stored event (ISO 8601). */
export interface AsOf<T> {
  readonly asOf: string
  readonly data: T
}
