import { logError } from '../../base/log.ts'
import type { End, Format } from './formats.ts'

export interface ExportWriting<T> {
  readonly items: AsyncGenerator<T[]>
  readonly format: Format<T>
  readonly limit: number
  /** The cursor with which another export continues after this item. */
  readonly cursorOf: (item: T) => string
  /** The cursor of the request; null from the start. */
  readonly cursor: string | null
  /** Called between pieces. An export that may not continue ends with a cursor, as if its limit were reached. */
  readonly mayContinue: () => Promise<boolean>
}

/** An export's text in pieces, each of some thousand items; returns what its last line says. */
export async function* piecesOf<T>({
  items,
  format,
  limit,
  cursorOf,
  cursor,
  mayContinue,
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
    // Only another item shows that there are more.
    if (taken.length < some.length || !(await mayContinue())) {
      isComplete = false
      break
    }
  }
  const end = { cursor: last, isComplete }
  yield format.end(end)
  return end
}

/** Reads the first items before the response begins, so that a failure gets a status of its own. */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next()
  return continueAfter(first, items)
}

async function* continueAfter<T>(first: IteratorResult<T>, items: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* items
}

interface Sending {
  /** Called when the export ends, also if it fails or the reader goes away. */
  readonly end: () => void
  /** Lets other work run. */
  readonly pause: () => Promise<void>
}

/** Makes pieces as the reader takes them. Other work runs before each one. */
export function streamOf(pieces: AsyncGenerator<string, End>, { end, pause }: Sending): ReadableStream<Uint8Array> {
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
        // The response has begun and can only be cut off.
        logError('export cut off', error)
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
