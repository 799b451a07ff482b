import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandFailure } from '../failure.ts'

/** No event is longer: the service accepts bodies of 1 MB. */
const MAX_LINE_BYTES = 900_000
const NEWLINE = 0x0a

/** A line of a file, without its end. */
export interface SourceLine {
  /** Null if it is longer than any event. */
  readonly text: string | null
  /** From 1 on. */
  readonly number: number
  /** The bytes of the unpacked file up to its end. */
  readonly end: number
}

export interface ImportSource {
  /** Null: standard input. */
  readonly file: string | null
  /** The size of the file, packed or not; null if it is not known. */
  readonly bytes: number | null
  bytesRead: number
}

export function openSource(file: string | null): ImportSource {
  if (file === null) return { file, bytes: null, bytesRead: 0 }
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new Error('it is not a file')
    return { file, bytes: stat.size, bytesRead: 0 }
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

interface Start {
  /** Bytes of the unpacked file. */
  readonly offset: number
  /** How many lines end before it. */
  readonly line: number
}

/** The lines of a source from an offset on. The last one may lack its end. */
export async function* readLines(source: ImportSource, start: Start): AsyncGenerator<SourceLine> {
  let { line: number, offset: end } = start
  let pieces: Buffer[] = []
  let length = 0
  const finish = (): SourceLine => {
    number += 1
    const text = length > MAX_LINE_BYTES ? null : toText(Buffer.concat(pieces), number)
    pieces = []
    length = 0
    return { text, number, end }
  }
  const add = (piece: Buffer) => {
    if (length <= MAX_LINE_BYTES) pieces.push(piece)
    length += piece.length
  }
  for await (const chunk of readBytes(source, start.offset)) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      end += at + 1 - from
      from = at + 1
      yield finish()
    }
    end += chunk.length - from
    add(chunk.subarray(from))
  }
  if (length > 0) yield finish()
}

/** The first line that is not empty, and all lines, including that one. Read a file again instead of using them. */
export async function peek(
  source: ImportSource,
): Promise<{ readonly first: string; readonly lines: AsyncGenerator<SourceLine> }> {
  const lines = readLines(source, { offset: 0, line: 0 })
  const read: SourceLine[] = []
  let first = ''
  while (first === '') {
    const { value, done } = await lines.next()
    if (done) break
    read.push(value)
    first = (value.text ?? '').trim()
  }
  if (source.file !== null) await lines.return(undefined)
  return { first, lines: chain(read, lines) }
}

async function* chain(read: readonly SourceLine[], lines: AsyncGenerator<SourceLine>): AsyncGenerator<SourceLine> {
  yield* read
  yield* lines
}

function toText(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8').replace(/\r$/, '')
  return number === 1 ? text.replace(/^\ufeff/, '') : text
}

/** A packed file can only be read from its start. */
async function* readBytes(source: ImportSource, offset: number): AsyncGenerator<Buffer> {
  const isPacked = source.file?.endsWith('.gz') === true
  let skipped = isPacked || source.file === null ? 0 : offset
  const raw = source.file === null ? process.stdin : createReadStream(source.file, { start: skipped })
  source.bytesRead = skipped
  raw.on('data', (chunk: Buffer) => {
    source.bytesRead += chunk.length
  })
  raw.pause()
  try {
    for await (const chunk of (isPacked ? unpack(raw) : raw) as AsyncIterable<Buffer>) {
      const rest = chunk.subarray(Math.min(chunk.length, offset - skipped))
      skipped += chunk.length - rest.length
      if (rest.length > 0) yield rest
    }
  } catch (error) {
    throw new CommandFailure(
      `${source.file ?? 'The standard input'} cannot be read to its end: ${(error as Error).message}.`,
    )
  } finally {
    raw.destroy()
  }
}

function unpack(raw: Readable): Readable {
  const unpacked = createGunzip()
  raw.once('error', (error) => unpacked.destroy(error))
  return raw.pipe(unpacked)
}
