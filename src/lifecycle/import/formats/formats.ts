import { isObject } from '../../../collection/params.ts'
import { Refusal } from '../refusal.ts'
import { isOpen, type Mapping, readHeader, readRow } from './csv.ts'
import { type ForeignFields, toLine } from './foreign.ts'
import { readService, SERVICES, type ServiceName } from './services.ts'

export type FormatName = 'mauve' | ServiceName | 'csv'

export const FORMATS: readonly FormatName[] = ['mauve', ...(Object.keys(SERVICES) as ServiceName[]), 'csv']

/** Turns lines of a file into lines of an export. */
export interface Reader {
  /** The line; null for one without an event. Throws `Refusal`. */
  read(text: string): string | null
  /** Whether the record continues in the next line. */
  isOpen(text: string): boolean
}

/** A reader of a file with this first line. Throws `WrongTable`. */
export function readerOf(format: FormatName, { first, mapping }: { first: string; mapping: Mapping }): Reader {
  if (format === 'mauve') return { read: (text) => text, isOpen: never }
  if (format !== 'csv') return { read: (text) => toLine(readService(format, parseObject(text))), isOpen: never }
  const table = readHeader(first, mapping)
  return {
    read: (text) => (text === first ? null : toLine(readRow(text, table))),
    isOpen: (text) => isOpen(text, table),
  }
}

const never = () => false

function parseObject(text: string): ForeignFields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('The line is not JSON')
  }
  if (isObject(value)) return value
  throw new Refusal('The line is not a JSON object')
}

/** The format of a file with this first line; null if unknown. */
export function guessFormat(first: string): FormatName | null {
  if (!first.trimStart().startsWith('{')) return first.trim() === '' ? null : 'csv'
  const has = fieldsOf(first)
  if (has('first_active_at') || (has('name') && (has('key') || has('event_id')))) return 'mauve'
  if (has('cursor') && has('complete')) return 'mauve'
  if (has('event_type')) return 'amplitude'
  if (!has('event')) return null
  return has('timestamp') || has('distinct_id') ? 'posthog' : 'mixpanel'
}

function fieldsOf(line: string): (name: string) => boolean {
  try {
    const fields = parseObject(line)
    return (name) => Object.hasOwn(fields, name)
  } catch {
    return never
  }
}
