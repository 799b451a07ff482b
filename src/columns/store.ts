import { checksumOf, checksumOfRow } from './checksum.ts'
import type { Codes, PairCounts } from './flat-arrays.ts'

/** Only this version reads what an object's SQLite stores; the columns of any other are rebuilt. */
const VERSION = 3

/** What is stored is not what was written: it is of another version, changed, cut short, or missing. Everything is then rebuilt. */
export class Damaged extends Error {}

/** What is stored is intact, but belongs to another state of the database. */
export class Outdated extends Damaged {}

type Row = Record<string, SqlStorageValue>

/** An object's own SQLite database. Its tables are described in src/storage/README.md. */
export class Store {
  readonly #storage: DurableObjectStorage
  #isClosed = false

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#storage.transactionSync(() => {
      for (const table of TABLES) this.run(table)
    })
  }

  rows<T extends Row>(query: string, ...values: unknown[]): T[] {
    return this.#sql.exec<T>(query, ...values).toArray()
  }

  /** The first column of each row. */
  numbers(query: string, ...values: unknown[]): number[] {
    return Array.from(this.#sql.exec(query, ...values).raw<[number]>(), ([number]) => number)
  }

  /** The number that a query returns; 0 if it returns none. */
  number(query: string, ...values: unknown[]): number {
    return this.numbers(query, ...values)[0] ?? 0
  }

  /** Returns the rows one by one. */
  *each<T extends Row>(query: string, ...values: unknown[]): Iterable<T> {
    const cursor = this.#sql.exec<T>(query, ...values)
    try {
      yield* cursor
    } finally {
      // A cursor that is not read to its end would lock the table, which then could not be dropped.
      while (!cursor.next().done);
    }
  }

  run(query: string, ...values: unknown[]): void {
    this.#sql.exec(query, ...values)
  }

  /** Writes everything or nothing. */
  transaction<T>(write: () => T): T {
    return this.#storage.transactionSync(write)
  }

  /** A note about the columns: a number, or JSON. Throws `Damaged` if it is not what was written. */
  note<T>(name: string): T | null {
    const [row] = this.rows<{ value: string }>('select value from notes where name = ?', name)
    return row ? (readNote(name, row.value) as T) : null
  }

  setNote(name: string, value: unknown): void {
    this.run('insert or replace into notes (name, value) values (?, ?)', name, noteText(name, value))
  }

  /** Throws `Damaged` if another version wrote the columns, or a note cannot be read. */
  requireThisVersion(): void {
    const notes = this.rows<{ name: string; value: string }>('select name, value from notes')
    const version = notes.find(({ name }) => name === 'version')
    if (version?.value !== noteText('version', VERSION)) throw new Damaged('another version')
    for (const { name, value } of notes) readNote(name, value)
  }

  /** Whether any version stored columns here. */
  isWritten(): boolean {
    return this.number("select 1 from notes where name = 'version'") === 1
  }

  /** Forgets everything and recreates the tables. */
  clear(): void {
    this.transaction(() => {
      this.#dropTables()
      for (const table of TABLES) this.run(table)
      this.setNote('version', VERSION)
    })
  }

  /** Forgets everything for good. */
  drop(): void {
    this.transaction(() => this.#dropTables())
    this.close()
  }

  /** Also those of other versions, which had other names; the platform's own tables begin with `_cf`. */
  #dropTables(): void {
    const tables = this.rows<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and substr(name, 1, 3) <> '_cf'",
    )
    for (const { name } of tables) this.run(`drop table "${name}"`)
  }

  /** Makes further use throw `Damaged`: what is stored is gone. */
  close(): void {
    this.#isClosed = true
  }

  get #sql(): SqlStorage {
    if (this.#isClosed) throw new Damaged('forgotten meanwhile')
    return this.#storage.sql
  }

  /** Appends to an array that has `length` items so far. Arrays are stored in pages; only the last ones are written. */
  appendArray<T extends Numbers>(name: string, length: number, items: T): void {
    const type = items.constructor as ArrayType<T>
    const rest = length % PAGE
    const tail = new type(rest + items.length)
    if (rest > 0) tail.set(this.#readPage(name, (length - rest) / PAGE, type, rest))
    tail.set(items, rest)
    for (let from = 0; from < tail.length; from += PAGE) {
      this.#writePage(name, (length - rest + from) / PAGE, tail.subarray(from, from + PAGE))
    }
  }

  /** Stores the items of an array at these indexes again. */
  rewriteItems(name: string, array: Numbers, indexes: readonly number[]): void {
    for (const page of new Set(indexes.map((index) => Math.floor(index / PAGE)))) {
      this.#writePage(name, page, array.subarray(page * PAGE, (page + 1) * PAGE))
    }
  }

  readArray<T extends Numbers>(name: string, type: ArrayType<T>, length: number): T {
    const array = new type(length)
    for (let from = 0; from < length; from += PAGE) {
      array.set(this.#readPage(name, from / PAGE, type, Math.min(PAGE, length - from)), from)
    }
    return array
  }

  /** Throws `Damaged` if an array has another length: one that is too long would be read as a shorter one. */
  requireLength(name: string, type: ArrayType<Numbers>, length: number): void {
    const [row] = this.rows<{ page: number; bytes: number }>(
      'select page, length(data) as bytes from arrays where name = ? order by page desc limit 1',
      name,
    )
    const stored = row ? row.page * PAGE + (row.bytes - CHECKSUM_BYTES) / type.BYTES_PER_ELEMENT : 0
    if (stored !== length) throw new Damaged(`${stored} of ${length} ${name}`)
  }

  #writePage(name: string, page: number, items: Numbers): void {
    const data = toBlob(items, `${name} ${page}`)
    // An upsert leaves the index alone: a page that is there already is one row written, and two if it were replaced.
    const upsert = 'insert into arrays values (?, ?, ?) on conflict (name, page) do update set data = excluded.data'
    this.run(upsert, name, page, data)
  }

  #readPage<T extends Numbers>(name: string, page: number, type: ArrayType<T>, length: number): T {
    const [row] = this.rows<{ data: ArrayBuffer }>('select data from arrays where name = ? and page = ?', name, page)
    return fromBlob(row?.data, type, { length, label: `${name} ${page}` })
  }
}

/** Replaces a text that was erased. */
export function erasedText(id: number): string {
  return `erased ${id} ${crypto.randomUUID().slice(0, 8)}`
}

/** Items of an array in one blob: at most a quarter of a megabyte. */
const PAGE = 32_768

/** Arrays of numbers that are stored as blobs. */
export type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array

export interface ArrayType<T extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): T
  new (numbers: Numbers): T
  new (buffer: ArrayBuffer, offset: number, length: number): T
}

/** After the numbers of each blob. */
const CHECKSUM_BYTES = 4

/** The checksum covers the label, which says what the blob is: no other blob is read instead. */
export function toBlob({ buffer, byteOffset, byteLength }: Numbers, label: string): ArrayBuffer {
  const bytes = new Uint8Array(byteLength + CHECKSUM_BYTES)
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength))
  new DataView(bytes.buffer).setUint32(byteLength, checksumOf(bytes.buffer, byteLength, label))
  return bytes.buffer
}

/** Numbers that are stored in as few bytes as the greatest needs: types that a blob's own length tells apart, the narrowest first. */
type AnyWidth<T extends Numbers> = readonly [ArrayType<T>, ...ArrayType<T>[]]

/** Codes in two bytes each where all fit; so nearly all arrays of them are of one type. */
export const CODES: AnyWidth<Codes> = [Uint16Array, Uint32Array]
export const COUNTS: AnyWidth<PairCounts> = [Uint8Array, Uint16Array, Uint32Array]

/** Copies numbers into the narrowest of these types that holds them. */
export function narrowed<T extends Numbers>(numbers: Numbers, types: AnyWidth<T>): T {
  let greatest = 0
  for (let index = 0; index < numbers.length; index += 1) greatest = Math.max(greatest, numbers[index] as number)
  const type = types.find(({ BYTES_PER_ELEMENT }) => greatest < 2 ** (8 * BYTES_PER_ELEMENT)) as ArrayType<T>
  return new type(numbers)
}

export interface BlobOf {
  /** How many numbers it must hold; any number if absent. */
  readonly length?: number
  readonly label: string
}

/** Throws `Damaged` if the blob has another length, or other numbers than were written. */
export function fromBlob<T extends Numbers>(
  blob: unknown,
  types: ArrayType<T> | AnyWidth<T>,
  { length, label }: BlobOf,
): T {
  const bytes = blob instanceof ArrayBuffer ? blob.byteLength - CHECKSUM_BYTES : -1
  const type = typeof types === 'function' ? types : typeOf(types, bytes / (length ?? 1))
  const expected = length === undefined ? bytes : length * type.BYTES_PER_ELEMENT
  if (bytes !== expected || bytes < 0) throw new Damaged(`${bytes} bytes for ${length} numbers of ${label}`)
  const buffer = blob as ArrayBuffer
  if (new DataView(buffer).getUint32(bytes) !== checksumOf(buffer, bytes, label))
    throw new Damaged(`the checksum of ${label}`)
  return new type(buffer, 0, bytes / type.BYTES_PER_ELEMENT)
}

function typeOf<T extends Numbers>(types: AnyWidth<T>, width: number): ArrayType<T> {
  return types.find(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT === width) ?? types[0]
}

/** Throws `Damaged` if a row has other values than were written. */
export function requireRow(sum: number, ...values: readonly (string | number)[]): void {
  if (sum !== checksumOfRow(...values)) throw new Damaged(`the checksum of ${values.slice(0, 2).join(' ')}`)
}

/** A note is stored as its checksum and its JSON. */
function noteText(name: string, value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksumOfRow(name, json)} ${json}`
}

function readNote(name: string, text: string): unknown {
  const [, sum, json = ''] = /^(\d+) (.*)$/s.exec(text) ?? []
  if (Number(sum) !== checksumOfRow(name, json)) throw new Damaged(`the note ${name}`)
  return JSON.parse(json)
}

const TABLES = [
  'create table if not exists notes (name text primary key, value text not null) without rowid',
  `create table if not exists names (
    id integer primary key, name text not null unique, segments integer not null, events integer not null,
    sum integer not null)`,
  // The blobs come last: SQLite reads a row from its beginning.
  `create table if not exists segments (
    id integer primary key, name_id integer not null, events integer not null, rests integer not null,
    first_time integer not null, first_user integer not null, first_key integer not null,
    last_time integer not null, last_user integer not null, last_key integer not null,
    sum integer not null, usual blob not null,
    times blob not null, users blob not null, contexts blob not null, keys blob not null, rest blob not null)`,
  `create table if not exists segment_params (
    segment_id integer not null, name text not null, piece integer not null, codes blob, texts blob not null,
    unique (segment_id, name, piece))`,
  `create table if not exists segment_rests (
    segment_id integer not null, piece integer not null, texts blob not null, unique (segment_id, piece))`,
  'create table if not exists arrays (name text not null, page integer not null, data blob not null, unique (name, page))',
  `create table if not exists texts (
    property text not null, code integer not null, text text not null, sum integer not null,
    primary key (property, code), unique (property, text)) without rowid`,
  `create table if not exists days (
    day integer not null, page integer not null, pairs integer not null, events integer not null, sum integer not null,
    users blob not null, contexts blob not null, counts blob not null, lasts blob not null, stamps blob not null,
    unique (day, page))`,
  `create table if not exists timelines (
    day integer not null, page integer not null, first_user integer not null, last_user integer not null,
    events integer not null, names integer not null, sum integer not null,
    name_ids blob not null, users blob not null, times blob not null, codes blob not null, indexes blob not null,
    unique (day, page))`,
  `create table if not exists day_tasks (
    task text not null, day integer not null, sum integer not null, primary key (task, day)) without rowid`,
]
