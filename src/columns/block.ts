import { joinParams, type ParamColumns, weightOf } from './param-columns.ts'

/** Events of one name with everything that is kept of them, in order of time, then of messenger id, then of event key. */
export interface Block {
  readonly times: Float64Array
  /** Ordinals. */
  readonly users: Uint32Array
  /** Ordinals. */
  readonly contexts: Uint32Array
  readonly keys: Float64Array
  readonly params: ParamColumns
}

/** Where an event stands among those of its name. */
export interface Position {
  readonly time: number
  readonly telegramId: number
  readonly key: number
}

const MAX = Number.MAX_SAFE_INTEGER

/** Before all events, and after all of them. */
export const FIRST: Position = { time: -1, telegramId: MAX, key: MAX }
export const LAST: Position = { time: MAX, telegramId: MAX, key: MAX }

export const NOTHING: Block = {
  times: new Float64Array(0),
  users: new Uint32Array(0),
  contexts: new Uint32Array(0),
  keys: new Float64Array(0),
  params: new Map(),
}

/** After all events of an instant. */
export function endOf(time: number): Position {
  return { time, telegramId: MAX, key: MAX }
}

export function compare(a: Position, b: Position): number {
  return a.time - b.time || a.telegramId - b.telegramId || a.key - b.key
}

/** Part of a block: the events at [from, to). */
export interface Piece {
  readonly block: Block
  readonly from: number
  readonly to: number
}

/** Messenger ids by users' ordinals. */
export type Ids = ArrayLike<number>

export function positionAt({ times, users, keys }: Block, place: number, ids: Ids): Position {
  return { time: times[place] as number, telegramId: ids[users[place] as number] as number, key: keys[place] as number }
}

/** How many events of a block stand at this position or before it. */
export function countUpTo(block: Block, position: Position, ids: Ids): number {
  let [low, high] = [0, block.times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(positionAt(block, middle, ids), position) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** These pieces, one after the other. */
function join(pieces: readonly Piece[]): Block {
  const [only] = pieces
  if (pieces.length === 1 && only && only.from === 0 && only.to === only.block.times.length) return only.block
  const length = pieces.reduce((sum, { from, to }) => sum + to - from, 0)
  const [times, users] = [new Float64Array(length), new Uint32Array(length)]
  const [contexts, keys] = [new Uint32Array(length), new Float64Array(length)]
  let offset = 0
  for (const { block, from, to } of pieces) {
    times.set(block.times.subarray(from, to), offset)
    users.set(block.users.subarray(from, to), offset)
    contexts.set(block.contexts.subarray(from, to), offset)
    keys.set(block.keys.subarray(from, to), offset)
    offset += to - from
  }
  const params = joinParams(pieces.map(({ block, from, to }) => ({ params: block.params, from, to })))
  return { times, users, contexts, keys, params }
}

/** A leaf has at most so many events: with four columns, blobs of a quarter of a megabyte. */
export const LEAF_EVENTS = 32_768
/** And parameters that take at most so much memory, unless it is one event. */
const LEAF_PARAM_BYTES = 4_000_000

/** Halves until each fits into a leaf. */
export function toLeaves(pieces: readonly Piece[], leafEvents: number): Block[] {
  const length = pieces.reduce((sum, { from, to }) => sum + to - from, 0)
  if (length === 0) return []
  if (length > leafEvents) return halves(pieces, length, leafEvents)
  const block = join(pieces)
  const isLight = length === 1 || weightOf(block.params) <= LEAF_PARAM_BYTES
  return isLight ? [block] : halves([{ block, from: 0, to: length }], length, leafEvents)
}

function halves(pieces: readonly Piece[], length: number, leafEvents: number): Block[] {
  const middle = Math.ceil(length / 2)
  const [left, right]: [Piece[], Piece[]] = [[], []]
  let seen = 0
  for (const { block, from, to } of pieces) {
    const cut = Math.min(to, Math.max(from, from + middle - seen))
    if (cut > from) left.push({ block, from, to: cut })
    if (cut < to) right.push({ block, from: cut, to })
    seen += to - from
  }
  return [...toLeaves(left, leafEvents), ...toLeaves(right, leafEvents)]
}
