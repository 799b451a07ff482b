/** One of several equal shares: the numbers whose remainder by `of` is `index`. */
export interface Share {
  readonly index: number
  readonly of: number
}

export const WHOLE: Share = { index: 0, of: 1 }

export function isInShare(number: number, { index, of }: Share): boolean {
  return number % of === index
}

/** Two shares that together are this one. */
export function halvesOf({ index, of }: Share): readonly [Share, Share] {
  return [
    { index, of: 2 * of },
    { index: index + of, of: 2 * of },
  ]
}
