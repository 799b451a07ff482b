/** Fewer than the questions of one caller that may wait in line, so that several readers can look at full pages. */
const AT_ONCE = 2

/** Does this with all items, with a few of them at a time. The results are in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const takeTurns = async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
  return results
}
