import type { End, Format } from './formats.ts'

export interface Writing<T> {
  readonly items: AsyncGenerator<T[]>
  readonly format: Format<T>
  /** How many items there may be. */
  readonly limit: number
  /** Of the item after which another export would go on. */
  readonly cursorOf: (item: T) => string
  /** Of the items so far; null where there were none before. */
  readonly cursor: string | null
}

/** An export's text in pieces, each of some thousand items; returns what its last line says. */
export async function* piecesOf<T>({
  items,
  format,
  limit,
  cursorOf,
  cursor,
}: Writing<T>): AsyncGenerator<string, End> {
  let [room, last] = [limit, cursor]
  if (format.head !== '') yield format.head
  let isComplete = true
  for await (const some of items) {
    const taken = some.slice(0, room)
    room -= taken.length
    const final = taken.at(-1)
    if (final !== undefined) {
      last = cursorOf(final)
      yield taken.map(format.line).join('')
    }
    // Only with another item it is known that there are more.
    if (taken.length < some.length) {
      isComplete = false
      break
    }
  }
  const end = { cursor: last, isComplete }
  yield format.end(end)
  return end
}

/** The same items, of which the first are read: where that fails, nothing has been answered yet. */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next()
  return goOn(first, items)
}

async function* goOn<T>(first: IteratorResult<T>, items: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* items
}
