import { Failure, Invalid } from '../errors.ts'

export const TOO_LARGE = 'The body is larger than 1 MiB.'

const MAX_BYTES = 1_048_576
/** So much more is read of a body that is too large, and thrown away, so that its sender gets to read the answer. */
const DRAIN_BYTES = 16 * MAX_BYTES

/** The body's text. Throws `too-large` over 1 MiB. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    bytes += chunk.byteLength
    if (bytes > DRAIN_BYTES) break
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BYTES) throw tooLarge()
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function tooLarge(): Failure {
  return new Failure('too-large', TOO_LARGE)
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    if (request.body) yield* request.body
  } catch {
    throw new Invalid([{ loc: ['body'], msg: 'The body broke off', type: 'json_invalid' }])
  }
}
