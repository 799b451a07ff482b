import { logError } from '../../base/log.ts'
import type { End, Format } from './formats.ts'

export interface ExportWriting<T> {
  readonly items: AsyncGenerator<T[]>
  readonly format: Format<T>
  /** How many items there may be. */
  readonly limit: number
  /** Of the item after which another export would go on. */
  readonly cursorOf: (item: T) => string
  /** Of the items so far; null where there were none before. */
  readonly cursor: string | null
  /** Asked between pieces: an export that may not ends with a cursor, as if its limit were reached. */
  readonly mayGoOn: () => Promise<boolean>
}

/** An export's text in pieces, each of some thousand items; returns what its last line says. */
export async function* piecesOf<T>({
  items,
  format,
  limit,
  cursorOf,
  cursor,
  mayGoOn,
}: ExportWriting<T>): AsyncGenerator<string, End> {
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
    if (taken.length < some.length || !(await mayGoOn())) {
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

interface Sending {
  /** Called when it ends, also where it fails and where the reader goes away. */
  readonly end: () => void
  /** Lets others in this isolate get their turn. */
  readonly pause?: () => Promise<void>
}

/** Sends pieces as they are asked for: as long as nobody reads, nothing is made. Others get their turn before each of them. */
export function streamOf(
  pieces: AsyncGenerator<string, End>,
  { end, pause = () => scheduler.wait(0) }: Sending,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      try {
        await pause()
        const { value, done } = await pieces.next()
        if (!done) return controller.enqueue(encoder.encode(value))
        end()
        controller.close()
      } catch (error) {
        end()
        // The answer has begun: all that is left is to break it off.
        logError('export broken off', error)
        controller.error(error)
      }
    },
    async cancel() {
      end()
      await pieces.return({ cursor: null, isComplete: false })
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
