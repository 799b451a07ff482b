/** What lies in an object's SQLite is read by this version only; anything else is made anew. */
const VERSION = 1

/** What is stored cannot be what was written: another version, cut short, or missing. Everything is then made anew. */
export class Damaged extends Error {}

/** What is stored is as it was written, but of a database of another time. */
export class Outdated extends Damaged {}

type Row = Record<string, SqlStorageValue>

/** An object's own SQLite database. Its tables are described in src/storage/README.md. */
export class Store {
  readonly #storage: DurableObjectStorage
  #isClosed = false

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#storage.transactionSync(() => {
      for (const table of Object.values(TABLES)) this.run(table)
    })
  }

  rows<T extends Row>(query: string, ...values: unknown[]): T[] {
    return this.#sql.exec<T>(query, ...values).toArray()
  }

  /** The same, one by one. */
  each<T extends Row>(query: string, ...values: unknown[]): Iterable<T> {
    return this.#sql.exec<T>(query, ...values)
  }

  run(query: string, ...values: unknown[]): void {
    this.#sql.exec(query, ...values)
  }

  /** All of it is written, or nothing. */
  transaction<T>(write: () => T): T {
    return this.#storage.transactionSync(write)
  }

  /** A note about the columns: a number, or JSON. */
  note<T>(name: string): T | null {
    const [row] = this.rows<{ value: string }>('select value from notes where name = ?', name)
    return row ? (JSON.parse(row.value) as T) : null
  }

  setNote(name: string, value: unknown): void {
    this.run('insert or replace into notes (name, value) values (?, ?)', name, JSON.stringify(value))
  }

  /** Throws `Damaged` if not everything was written by this version, or a note cannot be read. */
  requireThisVersion(): void {
    const [bad] = this.rows<{ name: string }>('select name from notes where not json_valid(value)')
    if (bad) throw new Damaged(`the note ${bad.name}`)
    if (this.note('version') !== VERSION) throw new Damaged('another version')
  }

  /** Whether some version wrote here. */
  isWritten(): boolean {
    return this.rows("select 1 from notes where name = 'version'").length > 0
  }

  /** Forgets everything. The tables are made anew: another version may have had others. */
  clear(): void {
    this.transaction(() => {
      for (const [name, table] of Object.entries(TABLES)) {
        this.run(`drop table if exists ${name}`)
        this.run(table)
      }
      this.setNote('version', VERSION)
    })
  }

  /** Forgets everything for good. */
  drop(): void {
    this.transaction(() => {
      for (const table of Object.keys(TABLES)) this.run(`drop table ${table}`)
    })
    this.close()
  }

  /** Whoever still works with it is stopped by `Damaged`: what they know is gone. */
  close(): void {
    this.#isClosed = true
  }

  get #sql(): SqlStorage {
    if (this.#isClosed) throw new Damaged('forgotten meanwhile')
    return this.#storage.sql
  }

  /** Appends to an array that has `length` items so far. It lies in pages, of which only the last ones are written. */
  appendArray<T extends Numbers>(name: string, length: number, items: T): void {
    const type = items.constructor as ArrayType<T>
    const rest = length % PAGE
    const tail = new type(rest + items.length)
    if (rest > 0) tail.set(this.#readPage(name, (length - rest) / PAGE, type, rest))
    tail.set(items, rest)
    for (let from = 0; from < tail.length; from += PAGE) {
      const data = toBlob(tail.subarray(from, from + PAGE))
      this.run(
        'insert or replace into arrays (name, page, data) values (?, ?, ?)',
        name,
        (length - rest + from) / PAGE,
        data,
      )
    }
  }

  /** Puts another item in the place of one. */
  replaceItem<T extends Numbers>(name: string, type: ArrayType<T>, { place, length, item }: ReplacedItem): void {
    const page = Math.floor(place / PAGE)
    const items = this.#readPage(name, page, type, Math.min(PAGE, length - page * PAGE))
    items[place - page * PAGE] = item
    this.run('update arrays set data = ? where name = ? and page = ?', toBlob(items), name, page)
  }

  readArray<T extends Numbers>(name: string, type: ArrayType<T>, length: number): T {
    const array = new type(length)
    for (let from = 0; from < length; from += PAGE) {
      array.set(this.#readPage(name, from / PAGE, type, Math.min(PAGE, length - from)), from)
    }
    return array
  }

  /** Throws `Damaged` if an array does not end where it should: one that is too long would be read as a shorter one. */
  requireLength(name: string, type: ArrayType<Numbers>, length: number): void {
    const [row] = this.rows<{ page: number; bytes: number }>(
      'select page, length(data) as bytes from arrays where name = ? order by page desc limit 1',
      name,
    )
    const stored = row ? row.page * PAGE + row.bytes / type.BYTES_PER_ELEMENT : 0
    if (stored !== length) throw new Damaged(`${stored} of ${length} ${name}`)
  }

  #readPage<T extends Numbers>(name: string, page: number, type: ArrayType<T>, length: number): T {
    const [row] = this.rows<{ data: ArrayBuffer }>('select data from arrays where name = ? and page = ?', name, page)
    return fromBlob(row?.data, type, length)
  }
}

interface ReplacedItem {
  readonly place: number
  /** Of the array. */
  readonly length: number
  readonly item: number
}

/** Items of an array in one blob: at most a quarter of a megabyte. */
const PAGE = 32_768

/** Arrays of numbers that are kept as blobs. */
export type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array

export interface ArrayType<T extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): T
  new (buffer: ArrayBuffer): T
}

export function toBlob(array: Numbers): ArrayBuffer {
  return array.slice().buffer as ArrayBuffer
}

/** Throws `Damaged` if the blob does not hold so many numbers. */
export function fromBlob<T extends Numbers>(blob: unknown, type: ArrayType<T>, length: number): T {
  const bytes = blob instanceof ArrayBuffer ? blob.byteLength : 0
  if (bytes !== length * type.BYTES_PER_ELEMENT) throw new Damaged(`${bytes} bytes for ${length} numbers`)
  return new type(blob as ArrayBuffer)
}

const TABLES = {
  notes: 'create table if not exists notes (name text primary key, value text not null) without rowid',
  names: `create table if not exists names (
    id integer primary key, name text not null unique, leaves integer not null, events integer not null)`,
  // The blobs come last: SQLite reads a row from its beginning.
  leaves: `create table if not exists leaves (
    id integer primary key, name_id integer not null, events integer not null, param_rows integer not null,
    first_time integer not null, first_user integer not null, first_key integer not null,
    last_time integer not null, last_user integer not null, last_key integer not null,
    times blob not null, users blob not null, contexts blob not null, keys blob not null)`,
  leaf_params: `create table if not exists leaf_params (
    leaf_id integer not null, name text not null, piece integer not null, codes blob, texts blob not null,
    unique (leaf_id, name, piece))`,
  leaf_rests: `create table if not exists leaf_rests (
    leaf_id integer not null, piece integer not null, texts blob not null, unique (leaf_id, piece))`,
  arrays:
    'create table if not exists arrays (name text not null, page integer not null, data blob not null, unique (name, page))',
  texts: `create table if not exists texts (
    property text not null, code integer not null, text text not null,
    primary key (property, code), unique (property, text)) without rowid`,
  days: `create table if not exists days (
    day integer not null, page integer not null, pairs integer not null, events integer not null,
    users blob not null, contexts blob not null, counts blob not null, stamps blob not null, unique (day, page))`,
  day_tasks:
    'create table if not exists day_tasks (task text not null, day integer not null, primary key (task, day)) without rowid',
}
