interface Ranked<T> {
  readonly figure: number
  readonly item: T
}

/** Keeps the `max` items with the largest figures, in order; `compareTied` decides ties. */
export function createLargest<T>(max: number, compareTied: (a: T, b: T) => number) {
  const largest: Ranked<T>[] = []
  const compare = (a: Ranked<T>, b: Ranked<T>) => b.figure - a.figure || compareTied(a.item, b.item)

  function indexFor(ranked: Ranked<T>): number {
    let [low, high] = [0, largest.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(ranked, largest[middle] as Ranked<T>) < 0) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    /** Adds an item if its figure is large enough; only then is it made. */
    offer(figure: number, make: () => T): void {
      const last = largest[max - 1]
      if (last && figure < last.figure) return
      const ranked = { figure, item: make() }
      if (last && compare(ranked, last) >= 0) return
      largest.splice(indexFor(ranked), 0, ranked)
      if (largest.length > max) largest.pop()
    },
    /** Whether an item with this figure may be among the largest. */
    mayTake: (figure: number): boolean => figure >= (largest[max - 1]?.figure ?? Number.NEGATIVE_INFINITY),
    isFull: (): boolean => largest.length === max,
    items: (): T[] => largest.map(({ item }) => item),
  }
}
