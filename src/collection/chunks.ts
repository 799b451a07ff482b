/** Consecutive chunks of items whose sizes add up to at most `room`; a larger item is a chunk by itself. */
export function chunksOf<T>(items: readonly T[], room: number, sizeOf: (item: T) => number): T[][] {
  const chunks: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (size > left || chunks.length === 0) {
      chunks.push([])
      left = room
    }
    chunks.at(-1)?.push(item)
    left -= size
  }
  return chunks
}
