import { type Block, type Ids, LEAF_EVENTS, type Position, positionAt } from './block.ts'
import type { Leaf, Param } from './columns.ts'
import type { ParamColumn, ParamColumns } from './param-columns.ts'
import { Damaged, fromBlob, type Store, toBlob } from './store.ts'

/** A leaf without its events. */
export interface LeafEntry {
  readonly id: number
  readonly nameId: number
  readonly events: number
  readonly first: Position
  readonly last: Position
}

export type LeafSize = Pick<LeafEntry, 'id' | 'events'>

type EntryRow = Record<
  'id' | 'name_id' | 'events' | 'first_time' | 'first_user' | 'first_key' | 'last_time' | 'last_user' | 'last_key',
  number
>

export function readEntries(store: Store): LeafEntry[] {
  const rows = store.rows<EntryRow>(
    `select id, name_id, events, first_time, first_user, first_key, last_time, last_user, last_key
     from leaves order by name_id, first_time, first_user, first_key`,
  )
  requireParams(store)
  return rows.map((row) => ({
    id: row.id,
    nameId: row.name_id,
    events: row.events,
    first: { time: row.first_time, telegramId: row.first_user, key: row.first_key },
    last: { time: row.last_time, telegramId: row.last_user, key: row.last_key },
  }))
}

/** Throws `Damaged` if parameters of a leaf are missing. */
function requireParams(store: Store): void {
  const [row] = store.rows<{ written: number; found: number }>(
    `select (select coalesce(sum(param_rows), 0) from leaves) as written,
       (select count(*) from leaf_params) + (select count(*) from leaf_rests) as found`,
  )
  if (row?.written !== row?.found) throw new Damaged(`${row?.found} of ${row?.written} rows of parameters`)
}

export function writeLeaf(store: Store, block: Block, { id, nameId, ids }: { id: number; nameId: number; ids: Ids }) {
  const events = block.times.length
  const [first, last] = [positionAt(block, 0, ids), positionAt(block, events - 1, ids)]
  store.run(
    'insert into leaves values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[id, nameId, events, writeParams(store, id, block)],
    ...[first.time, first.telegramId, first.key, last.time, last.telegramId, last.key],
    ...[toBlob(block.times), toBlob(block.users), toBlob(block.contexts), toBlob(block.keys)],
  )
  return { id, nameId, events, first, last } satisfies LeafEntry
}

export function deleteLeaf(store: Store, id: number): void {
  for (const table of ['leaf_params where leaf_id', 'leaf_rests where leaf_id', 'leaves where id']) {
    store.run(`delete from ${table} = ?`, id)
  }
}

type Arrays = Pick<Leaf, 'times' | 'users' | 'contexts'>

export function readArrays(store: Store, { id, events }: LeafSize): Arrays {
  const [row] = store.rows<Record<keyof Arrays, ArrayBuffer>>(
    'select times, users, contexts from leaves where id = ?',
    id,
  )
  if (!row) throw new Damaged(`no leaf ${id}`)
  return arraysIn(row, events)
}

function arraysIn(row: Readonly<Record<keyof Arrays, ArrayBuffer>>, events: number): Arrays {
  return {
    times: fromBlob(row.times, Float64Array, events),
    users: fromBlob(row.users, Uint32Array, events),
    contexts: fromBlob(row.contexts, Uint32Array, events),
  }
}

export function readKeys(store: Store, { id, events }: LeafSize): Float64Array {
  const [row] = store.rows<{ keys: ArrayBuffer }>('select keys from leaves where id = ?', id)
  if (!row) throw new Damaged(`no leaf ${id}`)
  return fromBlob(row.keys, Float64Array, events)
}

/** A leaf without its parameters. */
export type LeafArrays = Omit<Block, 'params'>

type ArraysRow = Record<keyof LeafArrays, ArrayBuffer> & { id: number }

/** Of many leaves at once, by their ids. */
export function readManyArrays(store: Store, sizes: readonly LeafSize[]): Map<number, LeafArrays> {
  const rows = store.rows<ArraysRow>(
    'select id, times, users, contexts, keys from leaves where id in (select value from json_each(?))',
    JSON.stringify(sizes.map(({ id }) => id)),
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    sizes.map(({ id, events }) => {
      const row = rowOf.get(id)
      if (!row) throw new Damaged(`no leaf ${id}`)
      return [id, { ...arraysIn(row, events), keys: fromBlob(row.keys, Float64Array, events) }]
    }),
  )
}

/** A leaf with everything in it. */
export function readBlock(store: Store, entry: LeafEntry): Block {
  return { ...readArrays(store, entry), keys: readKeys(store, entry), params: readParams(store, entry) }
}

// --- Parameters: the usual ones of a large leaf have a row each, so that a question reads no others. All others lie together.

/** In smaller leaves it is quicker to read them all together. */
const ROWS_FROM_EVENTS = 2_048
/** A parameter has a row of its own if one event in so many has it. */
const USUAL_SHARE = 64
/** A blob may have 2 MB. */
const PIECE_BYTES = 1_500_000

/** Returns how many rows it wrote. */
function writeParams(store: Store, id: number, { times, params }: Block): number {
  const events = times.length
  const isUsual = ({ places }: ParamColumn) => events >= ROWS_FROM_EVENTS && places.length * USUAL_SHARE >= events
  const rare: [string, unknown][] = []
  let rows = 0
  for (const [name, column] of params) {
    if (isUsual(column)) rows += writeUsual(store, id, [name, column, events])
    else rare.push([name, [[...column.places], [...column.codes], column.values]])
  }
  const pieces = rare.length > 0 ? piecesOf(rare) : []
  for (const [piece, texts] of pieces.entries()) store.run('insert into leaf_rests values (?, ?, ?)', id, piece, texts)
  return rows + pieces.length
}

function writeUsual(store: Store, id: number, [name, column, events]: [string, ParamColumn, number]): number {
  const codes = toBlob(denseCodes(column, events))
  const pieces = piecesOf(column.values)
  for (const [piece, texts] of pieces.entries()) {
    store.run('insert into leaf_params values (?, ?, ?, ?, ?)', id, name, piece, piece === 0 ? codes : null, texts)
  }
  return pieces.length
}

export function denseCodes({ places, codes }: ParamColumn, events: number): Uint16Array {
  const dense = new Uint16Array(events)
  for (let at = 0; at < places.length; at += 1) dense[places[at] as number] = (codes[at] as number) + 1
  return dense
}

function piecesOf(value: unknown): ArrayBuffer[] {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const pieces: ArrayBuffer[] = []
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    pieces.push(bytes.slice(from, from + PIECE_BYTES).buffer as ArrayBuffer)
  }
  return pieces
}

/** Throws `Damaged` if it is no JSON: a piece is cut short or missing. */
function fromPieces<T>(rows: readonly { readonly texts: ArrayBuffer }[]): T {
  const decoder = new TextDecoder()
  const texts = rows.map(({ texts }) => decoder.decode(texts, { stream: true }))
  try {
    return JSON.parse(texts.join('')) as T
  } catch (error) {
    throw new Damaged('parameters of a leaf', { cause: error })
  }
}

type ParamRow = { name: string; piece: number; codes: ArrayBuffer | null; texts: ArrayBuffer }

/** Parameters that have rows of their own. */
export function readUsualNames(store: Store, { id }: LeafSize): string[] {
  const rows = store.rows<{ name: string }>('select name from leaf_params where leaf_id = ? and piece = 0', id)
  return rows.map(({ name }) => name)
}

/** The codes of each, one by one, without what they stand for: together they may be many. */
export function* readUsualCodes(store: Store, { id, events }: LeafSize): Iterable<readonly [string, Uint16Array]> {
  const query = 'select name, codes from leaf_params where leaf_id = ? and piece = 0'
  for (const { name, codes } of store.each<{ name: string; codes: ArrayBuffer }>(query, id)) {
    yield [name, fromBlob(codes, Uint16Array, events)]
  }
}

/** One that has; null for all others. */
export function readUsualParam(store: Store, { id, events }: LeafSize, name: string): Param | null {
  const rows = store.rows<ParamRow>('select * from leaf_params where leaf_id = ? and name = ? order by piece', id, name)
  if (rows.length === 0) return null
  return { codes: fromBlob(rows[0]?.codes, Uint16Array, events), values: fromPieces(rows) }
}

/** All others. */
export function readRareParams(store: Store, { id }: LeafSize): ParamColumns {
  const rows = store.rows<{ texts: ArrayBuffer }>('select texts from leaf_rests where leaf_id = ? order by piece', id)
  return rareParamsIn(rows)
}

/** The same of many leaves at once, by their ids. */
export function readManyRareParams(store: Store, ids: readonly number[]): Map<number, ParamColumns> {
  const rows = store.rows<{ leaf_id: number; texts: ArrayBuffer }>(
    'select leaf_id, texts from leaf_rests where leaf_id in (select value from json_each(?)) order by leaf_id, piece',
    JSON.stringify(ids),
  )
  const rowsOf = Map.groupBy(rows, ({ leaf_id }) => leaf_id)
  return new Map(ids.map((id) => [id, rareParamsIn(rowsOf.get(id) ?? [])]))
}

function rareParamsIn(rows: readonly { readonly texts: ArrayBuffer }[]): ParamColumns {
  if (rows.length === 0) return new Map()
  const columns = fromPieces<[string, [number[], number[], string[]]][]>(rows)
  return new Map(columns.map(([name, [places, codes, values]]) => [name, sparse(places, codes, values)]))
}

function sparse(places: readonly number[], codes: readonly number[], values: readonly string[]): ParamColumn {
  return { places: Uint16Array.from(places), codes: Uint16Array.from(codes), values }
}

function readParams(store: Store, { id, events }: LeafSize): ParamColumns {
  const columns = new Map(readRareParams(store, { id, events }))
  const rows = store.rows<ParamRow>('select * from leaf_params where leaf_id = ? order by name, piece', id)
  for (const [name, pieces] of Map.groupBy(rows, ({ name }) => name)) {
    const codes = fromBlob(pieces[0]?.codes, Uint16Array, events)
    columns.set(name, toSparse(codes, fromPieces(pieces)))
  }
  return columns
}

function toSparse(dense: Uint16Array, values: readonly string[]): ParamColumn {
  const [places, codes] = [new Uint16Array(LEAF_EVENTS), new Uint16Array(LEAF_EVENTS)]
  let length = 0
  for (let place = 0; place < dense.length; place += 1) {
    const code = dense[place] as number
    if (code === 0) continue
    places[length] = place
    codes[length] = code - 1
    length += 1
  }
  return { places: places.slice(0, length), codes: codes.slice(0, length), values }
}
