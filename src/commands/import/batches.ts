import type { Reader } from '../../lifecycle/import/formats/formats.ts'
import { readLine } from '../../lifecycle/import/line.ts'
import { Refusal } from '../../lifecycle/import/refusal.ts'
import type { SourceLine } from './lines.ts'

/** The service's limits for one request. */
const MAX_LINES = 1_000
const MAX_BYTES = 1_000_000

export interface BadLine {
  readonly number: number
  readonly reason: string
  readonly text: string
}

/** A line as it was read, and as it is sent. */
export interface NumberedLine {
  readonly number: number
  readonly text: string
  readonly sent: string
}

/** The lines of one request. */
export interface ImportBatch {
  readonly lines: readonly NumberedLine[]
  /** Lines that this command found to be bad. */
  readonly bad: readonly BadLine[]
  /** The end and the number of its last line. */
  readonly end: { readonly offset: number; readonly line: number }
}

const TOO_LONG = 'The line is longer than any event may be'

interface Reading {
  readonly reader: Reader
  /** The time at which to check lines as the service would; null if the service checks them. */
  readonly checkAt: number | null
}

export async function* batchesOf(read: AsyncGenerator<SourceLine>, reading: Reading): AsyncGenerator<ImportBatch> {
  let [lines, bad, bytes]: [NumberedLine[], BadLine[], number] = [[], [], 0]
  let end = { offset: 0, line: 0 }
  for await (const record of recordsOf(read, reading.reader)) {
    const { line, problem } = convert(record, reading)
    const size = line ? Buffer.byteLength(line.sent) + 1 : 0
    if (lines.length + bad.length > 0 && (lines.length + bad.length >= MAX_LINES || bytes + size > MAX_BYTES)) {
      yield { lines, bad, end }
      ;[lines, bad, bytes] = [[], [], 0]
    }
    if (line) lines.push(line)
    if (problem) bad.push(problem)
    bytes += size
    end = { offset: record.end, line: record.number }
  }
  if (end.line > 0) yield { lines, bad, end }
}

/** Joins the lines of one record. */
async function* recordsOf(lines: AsyncGenerator<SourceLine>, reader: Reader): AsyncGenerator<SourceLine> {
  let open: SourceLine | null = null
  for await (const line of lines) {
    const text: string | null = open?.text && line.text !== null ? `${open.text}\n${line.text}` : line.text
    const record: SourceLine = { ...line, text: text !== null && text.length > MAX_BYTES ? null : text }
    open = record.text !== null && reader.isOpen(record.text) ? record : null
    if (!open) yield record
  }
  if (open) yield open
}

function convert(
  { text, number }: SourceLine,
  { reader, checkAt }: Reading,
): { line?: NumberedLine; problem?: BadLine } {
  if (text === null) return { problem: { number, reason: TOO_LONG, text: '' } }
  if (text.trim() === '') return {}
  try {
    const sent = reader.read(text)
    if (sent === null) return {}
    const read = checkAt === null ? null : readLine(sent, checkAt)
    if (read?.kind === 'refused') throw new Refusal(read.reason)
    return { line: { number, text, sent } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: { number, reason: error.message, text } }
  }
}
