import { gunzipSync } from 'node:zlib'
import { Failure, Invalid } from '../base/errors.ts'
import { withTimeout } from '../base/time/with-timeout.ts'

const MIB = 1_048_576
export const TOO_LARGE = tooLargeFor(MIB)

/**
 * Most senders read the response only after sending everything, so a body that is too large is read up to here and discarded. A
 * sender that announces more gets its response immediately.
 */
const DRAIN_BYTES = 16 * MIB
/** For senders that announce a body and never send it. */
const DRAIN_TIMEOUT_MS = 10_000

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The body's text. Throws `too-large` over this many bytes, 1 MiB by default. */
export async function readText(request: Request, maxBytes = MIB): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, maxBytes))
}

const NOT_GZIP = 'The body is not packed with gzip, as its header Content-Encoding says.'

/** The text of a body that is packed with gzip. The bytes of both forms are bounded. Throws `not-json` for another body. */
export async function readPackedText(request: Request): Promise<string> {
  const packed = await readBytes(request, MIB)
  try {
    // Not a `DecompressionStream`, which unpacks all that it is given before the first byte can be counted.
    return new TextDecoder().decode(gunzipSync(packed, { maxOutputLength: MIB }))
  } catch (cause) {
    throw cause instanceof RangeError ? tooLarge(MIB) : new Failure('not-json', NOT_GZIP, { cause })
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > DRAIN_BYTES) throw tooLarge(maxBytes)
  const reader: Reader | undefined = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const chunks = announced > maxBytes ? null : await readChunks(reader, maxBytes)
  if (chunks) return Buffer.concat(chunks)
  await drain(reader)
  throw tooLarge(maxBytes)
}

function tooLargeFor(maxBytes: number): string {
  return `The body is larger than ${maxBytes / MIB} MiB.`
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('too-large', tooLargeFor(maxBytes))
}

/** Returns null as soon as there is more, with the rest unread. */
async function readChunks(reader: Reader, maxBytes: number): Promise<Uint8Array[] | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const chunk = await readChunk(reader)
    if (!chunk) return chunks
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
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
