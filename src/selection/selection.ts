import type { Columns, Leaf, Span } from '../columns/columns.ts'
import type { Filter } from '../reports/filters/filter.ts'
import type { Grouping } from './grouping.ts'
import { type Mask, masksFor } from './masks.ts'
import type { Codes, Rows } from './rows.ts'
import { type Share, WHOLE } from './share.ts'

export interface Asked {
  readonly filters: readonly Filter[]
  readonly grouping?: Grouping | null
  /** Only the users of this share, for a question that takes its users in several passes. */
  readonly users?: Share
}

/**
 * The rows that were asked for: those from `from` up to `to`, exclusive, of these arrays. These are the rows' own where nothing
 * is left out, else a copy that is overwritten when the next ones are picked.
 */
export interface Picked {
  readonly users: Uint32Array
  /** Ordinals of their groups; null where nothing is grouped. */
  readonly groups: Uint32Array | null
  readonly from: number
  readonly to: number
  /** Where the rows lay; null where they are the rows' own. */
  readonly places: Uint32Array | null
}

/** Picked events, in order of time. */
export interface PickedEvents extends Picked {
  readonly times: Float64Array
  /** Where they were picked from. */
  readonly leaf: Leaf
}

/** Picks the rows that pass filters, and tells their groups. One for a question: its buffers are used over and over. */
export interface Selection {
  /** Of some rows those from a place up to another, exclusive. */
  pick(rows: Rows, from: number, to: number): Picked
  /** The events of a name (of all, one after another, where it is null), leaf by leaf. */
  events(name: string | null, span: Span): Iterable<PickedEvents>
}

export function createSelection(columns: Columns, { filters, grouping = null, users = WHOLE }: Asked): Selection {
  const masksOf = masksFor(columns, { filters, users })
  const buffers = { places: new Uint32Array(0), users: new Uint32Array(0), groups: new Uint32Array(0) }
  let times = new Float64Array(0)

  function pick(rows: Rows, from: number, to: number): Picked {
    const groups = grouping?.of(rows)
    const filtered = masksOf(rows)
    if (filtered === null) return { users: rows.users, groups: buffers.groups, from: 0, to: 0, places: null }
    const masks = groups?.mask ? [...filtered, { codes: groups.codes, mask: groups.mask }] : filtered
    const isWhole = masks.length === 0
    if (isWhole && !groups) return { users: rows.users, groups: null, from, to, places: null }
    // For all of them at once: the next ones to be picked of the same rows lie further on.
    makeRoom(rows.users.length)
    if (isWhole && groups) {
      lookUpAll(groups, from, to, buffers.groups)
      return { users: rows.users, groups: buffers.groups, from, to, places: null }
    }
    const count = narrow(masks, from, to, buffers.places)
    copy(rows.users, buffers.places, count, buffers.users)
    if (groups) lookUp(groups, buffers.places, count, buffers.groups)
    return { users: buffers.users, groups: groups ? buffers.groups : null, from: 0, to: count, places: buffers.places }
  }

  function makeRoom(length: number) {
    if (buffers.places.length >= length) return
    for (const name of ['places', 'users', 'groups'] as const) buffers[name] = new Uint32Array(length)
    times = new Float64Array(length)
  }

  return {
    pick,
    *events(name, span) {
      for (const { leaf, from, to } of columns.runsOf(name, span)) {
        const picked = pick(leaf, from, to)
        if (picked.places) copy(leaf.times, picked.places, picked.to, times)
        yield { ...picked, times: picked.places ? times : leaf.times, leaf }
      }
    },
  }
}

/** Writes down the places of the rows that pass all masks, at least one; returns how many there are. */
function narrow([first, ...others]: readonly Mask[], from: number, to: number, places: Uint32Array): number {
  let count = 0
  const { codes, mask } = first as Mask
  for (let place = from; place < to; place++) {
    places[count] = place
    count += mask[codes[place] as number] as number
  }
  return others.reduce((left, other) => narrowFurther(other, places, left), count)
}

/** In place: what is kept never overtakes what is read. */
function narrowFurther({ codes, mask }: Mask, places: Uint32Array, length: number): number {
  let count = 0
  for (let index = 0; index < length; index++) {
    const place = places[index] as number
    places[count] = place
    count += mask[codes[place] as number] as number
  }
  return count
}

function copy<A extends Uint32Array | Float64Array>(from: A, places: Uint32Array, count: number, to: A): void {
  for (let index = 0; index < count; index++) to[index] = from[places[index] as number] as number
}

interface Groups {
  readonly codes: Codes
  readonly table: Uint32Array
}

function lookUpAll({ codes, table }: Groups, from: number, to: number, groups: Uint32Array): void {
  for (let place = from; place < to; place++) groups[place] = table[codes[place] as number] as number
}

function lookUp({ codes, table }: Groups, places: Uint32Array, count: number, groups: Uint32Array): void {
  for (let index = 0; index < count; index++) {
    groups[index] = table[codes[places[index] as number] as number] as number
  }
}
