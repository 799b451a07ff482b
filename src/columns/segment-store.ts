import { checksumOfRow } from './checksum.ts'
import { type Chunk, type EventPosition, type Ids, positionAt } from './chunk.ts'
import type { ParamColumn, ParamColumns } from './param-columns.ts'
import { CODES, Damaged, fromBlob, type Numbers, narrowed, requireRow, type Store, toBlob } from './store.ts'

/** A segment without its events. */
export interface SegmentEntry {
  readonly id: number
  readonly nameId: number
  readonly events: number
  /** The number of further rows of parameters that have no row of their own; `NO_REST` where all have one, or there are none. */
  readonly rests: number
  readonly first: EventPosition
  readonly last: EventPosition
}

/** Reading to the end of a segment's row, to find nothing there, would take longer than most questions need for its events. */
const NO_REST = -1

export type SegmentSize = Pick<SegmentEntry, 'id' | 'events' | 'rests'>

type EntryRow = Record<(typeof ENTRY_COLUMNS)[number] | 'sum', number>

const ENTRY_COLUMNS = [
  ...(['id', 'name_id', 'events', 'rests'] as const),
  ...(['first_time', 'first_user', 'first_key', 'last_time', 'last_user', 'last_key'] as const),
] as const

/** Throws `Damaged` if an entry is not what was written. */
export function readEntries(store: Store): SegmentEntry[] {
  const rows = store.rows<EntryRow>(
    `select ${ENTRY_COLUMNS.join(', ')}, sum from segments order by name_id, first_time, first_user, first_key`,
  )
  return rows.map((row) => {
    requireRow(row.sum, ...ENTRY_COLUMNS.map((column) => row[column]))
    return {
      id: row.id,
      nameId: row.name_id,
      events: row.events,
      rests: row.rests,
      first: { time: row.first_time, telegramId: row.first_user, key: row.first_key },
      last: { time: row.last_time, telegramId: row.last_user, key: row.last_key },
    }
  })
}

export function writeSegment(
  store: Store,
  chunk: Chunk,
  { id, nameId, ids }: { id: number; nameId: number; ids: Ids },
) {
  const events = chunk.times.length
  const [first, last] = [positionAt(chunk, 0, ids), positionAt(chunk, events - 1, ids)]
  const { usual, rest, rests } = writeParams(store, id, chunk)
  const ends = [first.time, first.telegramId, first.key, last.time, last.telegramId, last.key]
  const entry = [id, nameId, events, rests, ...ends]
  store.run(
    'insert into segments values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[...entry, checksumOfRow(...entry), toBlob(bytesOf(usual), labelOf(id, 'usual'))],
    ...ARRAY_NAMES.map((name) =>
      toBlob(name === 'contexts' ? narrowed(chunk[name], CODES) : chunk[name], labelOf(id, name)),
    ),
    toBlob(rest, labelOf(id, 'rest', 0)),
  )
  return { id, nameId, events, rests, first, last } satisfies SegmentEntry
}

function labelOf(segmentId: number, ...what: readonly (string | number)[]): string {
  return `segment ${segmentId} ${what.join(' ')}`
}

export function deleteSegment(store: Store, id: number): void {
  for (const table of ['segment_params where segment_id', 'segment_rests where segment_id', 'segments where id']) {
    store.run(`delete from ${table} = ?`, id)
  }
}

/** The arrays of a segment, each in a blob of its own: in the order of the table's columns. */
const ARRAYS = { times: Float64Array, users: Uint32Array, contexts: CODES, keys: Float64Array } as const

type ArrayName = keyof typeof ARRAYS
const ARRAY_NAMES = ['times', 'users', 'contexts', 'keys'] as const satisfies ArrayName[]

/** Reads these arrays of many segments at once; returns them by the segments' ids. */
export function readManyArrays<Name extends ArrayName>(
  store: Store,
  sizes: readonly SegmentSize[],
  names: readonly Name[],
): Map<number, Pick<Chunk, Name>> {
  const rows = store.rows<{ id: number } & Record<ArrayName, ArrayBuffer>>(
    `select id, ${names.join(', ')} from segments where id in (select value from json_each(?))`,
    JSON.stringify(sizes.map(({ id }) => id)),
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const arraysOf = ({ id, events: length }: SegmentSize) => {
    const row = rowOf.get(id)
    if (!row) throw new Damaged(`no segment ${id}`)
    const arrays = names.map((name) => {
      return [name, fromBlob<Numbers>(row[name], ARRAYS[name], { length, label: labelOf(id, name) })]
    })
    return Object.fromEntries(arrays) as Pick<Chunk, Name>
  }
  return new Map(sizes.map((size) => [size.id, arraysOf(size)]))
}

export function readArrays<Name extends ArrayName>(store: Store, size: SegmentSize, ...names: Name[]) {
  return readManyArrays(store, [size], names).get(size.id) as Pick<Chunk, Name>
}

/** Reads a whole segment. */
export function readChunk(store: Store, size: SegmentSize): Chunk {
  const params = new Map(readRareParams(store, size))
  for (const name of readUsualNames(store, size)) {
    const [codes, values] = [readCodes(store, size, name), readValues(store, size, name)]
    params.set(name, toSparse(codes as Uint16Array, values as string[]))
  }
  return { ...readArrays(store, size, ...ARRAY_NAMES), params }
}

// --- Parameters: the usual ones of a large segment have a row each, so that a question reads no others. The rest are stored together,
// in the segment's own row as far as there is room.

/** In smaller segments, which have no usual ones, it is quicker to read all of them together. */
const ROWS_FROM_EVENTS = 2_048
/** A parameter is usual if at least one event in this many has it. */
const USUAL_SHARE = 64
/** A row may have 2 MB; the arrays of a segment have up to 0.8. */
const PIECE_BYTES = 1_000_000

interface WrittenParams {
  /** The names of parameters that have rows of their own. */
  readonly usual: readonly string[]
  /** Parameters without rows of their own: the first piece, and the number of rows of further pieces. */
  readonly rest: Uint8Array
  readonly rests: number
}

function writeParams(store: Store, id: number, { times, params }: Chunk): WrittenParams {
  const events = times.length
  const isUsual = ({ indexes }: ParamColumn) => events >= ROWS_FROM_EVENTS && indexes.length * USUAL_SHARE >= events
  const rare: [string, unknown][] = []
  const usual: string[] = []
  for (const [name, column] of params) {
    if (isUsual(column)) {
      writeUsual(store, id, [name, column, events])
      usual.push(name)
    } else rare.push([name, [[...column.indexes], [...column.codes], column.values]])
  }
  const [rest, ...others] = piecesOf(rare)
  for (const [index, texts] of others.entries()) {
    const piece = index + 1
    store.run('insert into segment_rests values (?, ?, ?)', id, piece, toBlob(texts, labelOf(id, 'rest', piece)))
  }
  return { usual, rest: rest as Uint8Array, rests: rare.length === 0 ? NO_REST : others.length }
}

function writeUsual(store: Store, id: number, [name, column, events]: [string, ParamColumn, number]): void {
  const codes = toBlob(denseCodes(column, events), labelOf(id, 'codes', name))
  for (const [piece, bytes] of piecesOf(column.values).entries()) {
    const texts = toBlob(bytes, labelOf(id, 'texts', piece, name))
    store.run('insert into segment_params values (?, ?, ?, ?, ?)', id, name, piece, piece === 0 ? codes : null, texts)
  }
}

export function denseCodes({ indexes, codes }: ParamColumn, events: number): Uint16Array {
  const dense = new Uint16Array(events)
  for (let at = 0; at < indexes.length; at += 1) dense[indexes[at] as number] = (codes[at] as number) + 1
  return dense
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function piecesOf(value: unknown): Uint8Array[] {
  const bytes = bytesOf(value)
  const pieces: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) pieces.push(bytes.subarray(from, from + PIECE_BYTES))
  return pieces
}

/** Throws `Damaged` if a piece is missing, or is not what was written. */
function fromPieces<T>(blobs: readonly ArrayBuffer[], labelOfPiece: (piece: number) => string): T {
  const decoder = new TextDecoder()
  const texts = blobs.map((blob, piece) =>
    decoder.decode(fromBlob(blob, Uint8Array, { label: labelOfPiece(piece) }), { stream: true }),
  )
  try {
    return JSON.parse(texts.join('')) as T
  } catch (error) {
    throw new Damaged('parameters of a segment', { cause: error })
  }
}

/** The names of parameters that have rows of their own. */
export function readUsualNames(store: Store, { id, events }: SegmentSize): string[] {
  if (events < ROWS_FROM_EVENTS) return []
  const [row] = store.rows<{ usual: ArrayBuffer }>('select usual from segments where id = ?', id)
  return fromPieces(row ? [row.usual] : [], () => labelOf(id, 'usual'))
}

/** The codes of each of these parameters, one by one and without their values: all together may be large. */
export function* readUsualCodes(store: Store, size: SegmentSize): Iterable<readonly [string, Uint16Array]> {
  const { length } = readUsualNames(store, size)
  if (length === 0) return
  const query = 'select name, codes from segment_params where segment_id = ? and piece = 0'
  let found = 0
  for (const { name, codes } of store.each<{ name: string; codes: ArrayBuffer }>(query, size.id)) {
    yield [name, codesIn(codes, name, size)]
    found += 1
  }
  if (found !== length) throw new Damaged(`${found} of ${length} parameters of the segment ${size.id}`)
}

/** The codes of a parameter that has rows of its own; null for all others. */
export function readCodes(store: Store, size: SegmentSize, name: string): Uint16Array | null {
  if (size.events < ROWS_FROM_EVENTS) return null
  const query = 'select codes from segment_params where segment_id = ? and name = ? and piece = 0'
  const [row] = store.rows<{ codes: ArrayBuffer | null }>(query, size.id, name)
  if (row) return codesIn(row.codes, name, size)
  if (readUsualNames(store, size).includes(name)) throw new Damaged(`no ${name} of the segment ${size.id}`)
  return null
}

/** The values of such a parameter; null for all others. */
export function readValues(store: Store, { id, events }: SegmentSize, name: string): string[] | null {
  if (events < ROWS_FROM_EVENTS) return null
  const query = 'select texts from segment_params where segment_id = ? and name = ? order by piece'
  const texts = store.rows<{ texts: ArrayBuffer }>(query, id, name).map((row) => row.texts)
  return texts.length > 0 ? fromPieces(texts, (piece) => labelOf(id, 'texts', piece, name)) : null
}

function codesIn(blob: ArrayBuffer | null | undefined, name: string, { id, events: length }: SegmentSize): Uint16Array {
  return fromBlob(blob, Uint16Array, { length, label: labelOf(id, 'codes', name) })
}

/** All parameters that have no rows of their own. */
export function readRareParams(store: Store, size: SegmentSize): ParamColumns {
  return readManyRareParams(store, [size]).get(size.id) as ParamColumns
}

/** All parameters of several segments that have no rows of their own, by the ids of the segments. */
export function readManyRareParams(store: Store, all: readonly SegmentSize[]): Map<number, ParamColumns> {
  const found = new Map<number, ParamColumns>(all.map(({ id }) => [id, new Map()]))
  const sizes = all.filter(({ rests }) => rests !== NO_REST)
  if (sizes.length === 0) return found
  const firsts = store.rows<RestRow>(
    'select id, rest as texts from segments where id in (select value from json_each(?))',
    JSON.stringify(sizes.map(({ id }) => id)),
  )
  // Hardly any segment has more than its first piece.
  const longer = sizes.filter(({ rests }) => rests > 0).map(({ id }) => id)
  const query = `select segment_id as id, texts from segment_rests where segment_id in (select value from json_each(?))
    order by segment_id, piece`
  const others = longer.length > 0 ? store.rows<RestRow>(query, JSON.stringify(longer)) : []
  const rowsOf = Map.groupBy([...firsts, ...others], ({ id }) => id)
  for (const size of sizes) found.set(size.id, rareParamsIn(rowsOf.get(size.id) ?? [], size))
  return found
}

type RestRow = { readonly id: number; readonly texts: ArrayBuffer }

function rareParamsIn(rows: readonly RestRow[], { id, rests }: SegmentSize): ParamColumns {
  if (rows.length !== rests + 1) throw new Damaged(`${rows.length} of ${rests + 1} pieces of the segment ${id}`)
  const texts = rows.map((row) => row.texts)
  const columns = fromPieces<[string, [number[], number[], string[]]][]>(texts, (piece) => labelOf(id, 'rest', piece))
  return new Map(
    columns.map(([name, [indexes, codes, values]]) => {
      return [name, { indexes: Uint16Array.from(indexes), codes: Uint16Array.from(codes), values }]
    }),
  )
}

function toSparse(dense: Uint16Array, values: readonly string[]): ParamColumn {
  const [indexes, codes] = [new Uint16Array(dense.length), new Uint16Array(dense.length)]
  let length = 0
  for (let index = 0; index < dense.length; index += 1) {
    const code = dense[index] as number
    if (code === 0) continue
    indexes[length] = index
    codes[length] = code - 1
    length += 1
  }
  return { indexes: indexes.slice(0, length), codes: codes.slice(0, length), values }
}
