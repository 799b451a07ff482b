/** The sum of a figure of each. */
export function sumOf<T>(items: readonly T[], figureOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figureOf(item), 0)
}
