import { logError } from '../log.ts'
import type { End } from './formats.ts'

type Pieces = AsyncGenerator<string, End>

/** Sends pieces as they are asked for: as long as nobody reads, nothing is made. */
export function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        // The answer has begun: all that is left is to break it off.
        logError('export broken off', error)
        controller.error(error)
      }
    },
    async cancel() {
      await pieces.return({ cursor: null, isComplete: false })
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** All pieces as one text, and what its last line says. */
export async function textOf(pieces: Pieces): Promise<{ readonly text: string; readonly end: End }> {
  let text = ''
  for (;;) {
    const { value, done } = await pieces.next()
    if (done) return { text, end: value }
    text += value
  }
}
