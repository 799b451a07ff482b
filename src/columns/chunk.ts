import { type Codes, firstIndex } from './flat-arrays.ts'
import { joinParams, type ParamColumns, weightOf } from './param-columns.ts'

/** Events of one name with all that is stored of them, in order of time, then messenger id, then event key. */
export interface Chunk {
  readonly times: Float64Array
  /** Ordinals. */
  readonly users: Uint32Array
  /** Ordinals. */
  readonly contexts: Codes
  readonly keys: Float64Array
  readonly params: ParamColumns
}

/** The sort key of an event among those of its name. */
export interface EventPosition {
  readonly time: number
  readonly telegramId: number
  readonly key: number
}

/** The sort key of an event among all of an application. */
export interface EventCursor extends EventPosition {
  readonly nameId: number
}

/** The events after one cursor, up to and including another. */
export interface KeyRange {
  readonly after: EventCursor
  readonly upTo: EventCursor
}

const MAX = Number.MAX_SAFE_INTEGER

/** Before all events, and after all of them. */
export const FIRST: EventPosition = { time: -1, telegramId: MAX, key: MAX }
export const LAST: EventPosition = { time: MAX, telegramId: MAX, key: MAX }

export const NOTHING: Chunk = {
  times: new Float64Array(0),
  users: new Uint32Array(0),
  contexts: new Uint32Array(0),
  keys: new Float64Array(0),
  params: new Map(),
}

/** After all events of an instant. */
export function endOf(time: number): EventPosition {
  return { time, telegramId: MAX, key: MAX }
}

export function compare(a: EventPosition, b: EventPosition): number {
  return a.time - b.time || a.telegramId - b.telegramId || a.key - b.key
}

/** The events of a chunk at [from, to). */
export interface ChunkSlice {
  readonly chunk: Chunk
  readonly from: number
  readonly to: number
}

/** Messenger ids by users' ordinals. */
export type Ids = ArrayLike<number>

export function positionAt({ times, users, keys }: Chunk, index: number, ids: Ids): EventPosition {
  return { time: times[index] as number, telegramId: ids[users[index] as number] as number, key: keys[index] as number }
}

/** How many events of a chunk are at this position or before it. */
export function countUpTo(chunk: Chunk, position: EventPosition, ids: Ids): number {
  return firstIndex(chunk.times.length, (index) => compare(positionAt(chunk, index, ids), position) > 0)
}

export function eventsOf(slices: readonly ChunkSlice[]): number {
  return slices.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Joins slices, one after the other. */
function join(slices: readonly ChunkSlice[]): Chunk {
  const [only] = slices
  if (slices.length === 1 && only && only.from === 0 && only.to === only.chunk.times.length) return only.chunk
  const length = eventsOf(slices)
  const [times, users] = [new Float64Array(length), new Uint32Array(length)]
  const [contexts, keys] = [new Uint32Array(length), new Float64Array(length)]
  let offset = 0
  for (const { chunk, from, to } of slices) {
    times.set(chunk.times.subarray(from, to), offset)
    users.set(chunk.users.subarray(from, to), offset)
    contexts.set(chunk.contexts.subarray(from, to), offset)
    keys.set(chunk.keys.subarray(from, to), offset)
    offset += to - from
  }
  const params = joinParams(slices.map(({ chunk, from, to }) => ({ params: chunk.params, from, to })))
  return { times, users, contexts, keys, params }
}

/** The most events of a segment: blobs of its four columns have at most a quarter of a megabyte. */
export const SEGMENT_EVENTS = 32_768
/** The most memory that a segment's parameters may take, unless it has a single event. */
const SEGMENT_PARAM_BYTES = 4_000_000

/** Halves the events until each half fits into a segment. */
export function toSegments(slices: readonly ChunkSlice[], segmentEvents: number): Chunk[] {
  const length = eventsOf(slices)
  if (length === 0) return []
  if (length > segmentEvents) return halves(slices, length, segmentEvents)
  const chunk = join(slices)
  const isLight = length === 1 || weightOf(chunk.params) <= SEGMENT_PARAM_BYTES
  return isLight ? [chunk] : halves([{ chunk, from: 0, to: length }], length, segmentEvents)
}

function halves(slices: readonly ChunkSlice[], length: number, segmentEvents: number): Chunk[] {
  const middle = Math.ceil(length / 2)
  const [left, right]: [ChunkSlice[], ChunkSlice[]] = [[], []]
  let seen = 0
  for (const { chunk, from, to } of slices) {
    const cut = Math.min(to, Math.max(from, from + middle - seen))
    if (cut > from) left.push({ chunk, from, to: cut })
    if (cut < to) right.push({ chunk, from: cut, to })
    seen += to - from
  }
  return [...toSegments(left, segmentEvents), ...toSegments(right, segmentEvents)]
}
