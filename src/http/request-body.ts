import { Failure, Invalid } from '../base/errors.ts'
import { withTimeout } from '../base/time/with-timeout.ts'

export const TOO_LARGE = 'The body is larger than 1 MiB.'

const MAX_BYTES = 1_048_576
/**
 * Most senders read the response only after sending everything, so a body that is too large is read up to here and discarded. A
 * sender that announces more gets its response immediately.
 */
const DRAIN_BYTES = 16 * MAX_BYTES
/** For senders that announce a body and never send it. */
const DRAIN_TIMEOUT_MS = 10_000

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The body's text. Throws `too-large` over 1 MiB. */
export async function readText(request: Request): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > DRAIN_BYTES) throw tooLarge()
  const reader: Reader | undefined = request.body?.getReader()
  if (!reader) return ''
  const chunks = announced > MAX_BYTES ? null : await readChunks(reader)
  if (chunks) return new TextDecoder().decode(Buffer.concat(chunks))
  await drain(reader)
  throw tooLarge()
}

function tooLarge(): Failure {
  return new Failure('too-large', TOO_LARGE)
}

/** Returns null as soon as there is more than 1 MiB, with the rest unread. */
async function readChunks(reader: Reader): Promise<Uint8Array[] | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const chunk = await readChunk(reader)
    if (!chunk) return chunks
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) return null
    chunks.push(chunk)
  }
}

async function readChunk(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value
  } catch {
    throw new Invalid([{ loc: ['body'], msg: 'The body is incomplete', type: 'json_invalid' }])
  }
}

/** The response is the same whatever happens to the rest. */
async function drain(reader: Reader): Promise<void> {
  await withTimeout(skip(reader), DRAIN_TIMEOUT_MS).catch(() => undefined)
  reader.cancel().catch(() => undefined)
}

async function skip(reader: Reader): Promise<void> {
  let bytes = 0
  while (bytes < DRAIN_BYTES) {
    const { done, value } = await reader.read()
    if (done) return
    bytes += value.byteLength
  }
}
