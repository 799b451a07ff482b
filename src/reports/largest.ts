interface Ranked<T> {
  readonly figure: number
  readonly item: T
}

/** Of all items that are offered the few with the largest figures, in order; those with the same figure by a comparison. */
export function createLargest<T>(max: number, compareTied: (a: T, b: T) => number) {
  const largest: Ranked<T>[] = []
  const compare = (a: Ranked<T>, b: Ranked<T>) => b.figure - a.figure || compareTied(a.item, b.item)
  return {
    /** Makes the item only where its figure is large enough. */
    offer(figure: number, make: () => T): void {
      const last = largest[max - 1]
      if (last && figure < last.figure) return
      const ranked = { figure, item: make() }
      if (last && compare(ranked, last) >= 0) return
      const place = largest.findIndex((other) => compare(ranked, other) < 0)
      largest.splice(place === -1 ? largest.length : place, 0, ranked)
      if (largest.length > max) largest.pop()
    },
    items: (): T[] => largest.map(({ item }) => item),
  }
}
