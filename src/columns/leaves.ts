import { dayOf, MS_PER_DAY } from '../time/days.ts'
import { LEAF_EVENTS, type Piece } from './block.ts'
import type { Leaf, Param, Run, Span } from './columns.ts'
import type { DayPiece } from './day-pairs.ts'
import { lowerBound } from './flat-arrays.ts'
import { newOwner, remembered } from './leaf-cache.ts'
import { deleteLeaf, type LeafEntry, readBlock, readEntries, readEvents, readLeaf, writeLeaf } from './leaf-store.ts'
import { type Replacement, type Splice, splices } from './splice.ts'
import { Damaged, type Store } from './store.ts'

interface NameRow extends Record<string, SqlStorageValue> {
  id: number
  leaves: number
  events: number
}

export interface Replacing {
  readonly ids: ArrayLike<number>
  readonly isForced: boolean
  readonly leafEvents?: number
}

/** An application's events: by name, in leaves in order of time. */
export class Leaves {
  readonly #store: Store
  /** By the name's id, each list in order. */
  readonly #entries: Map<number, LeafEntry[]>
  readonly #owner = newOwner()
  #nextId: number

  /** Throws `Damaged` if a leaf is missing. */
  constructor(store: Store) {
    this.#store = store
    const entries = readEntries(store)
    this.#nextId = Math.max(0, ...entries.map(({ id }) => id)) + 1
    this.#entries = Map.groupBy(entries, ({ nameId }) => nameId)
    for (const row of this.#names()) requireAll(row, this.#entries.get(row.id) ?? [])
    if (this.events !== eventsOf(entries)) throw new Damaged('a name')
  }

  /** Of all names. */
  get events(): number {
    return this.#store.rows<{ events: number }>('select coalesce(sum(events), 0) as events from names')[0]?.events ?? 0
  }

  /** Events of a name, or of all. */
  *runsOf(name: string | null, span: Span): Iterable<Run> {
    for (const nameId of name === null ? this.#entries.keys() : this.#idsOf(name)) yield* this.#runsOfName(nameId, span)
  }

  /** What happened on a day, whatever its name, with the events' keys. */
  *piecesOf(day: number): Iterable<DayPiece> {
    const span = spanOf(day)
    for (const nameId of this.#entries.keys()) {
      for (const entry of this.#within(nameId, span)) {
        const block = this.#eventsOf(entry)
        const { from, to } = placesWithin(block.times, span)
        if (to > from) yield { block, from, to }
      }
    }
  }

  /** How many events each name has on a day, where it has any. */
  countsOn(day: number): Map<number, number> {
    const counts = new Map<number, number>()
    for (const nameId of this.#entries.keys()) {
      for (const { from, to } of this.#runsOfName(nameId, spanOf(day))) {
        counts.set(nameId, (counts.get(nameId) ?? 0) + to - from)
      }
    }
    return counts
  }

  hasName(nameId: number): boolean {
    return this.#store.rows('select 1 as found from names where id = ?', nameId).length > 0
  }

  addName(id: number, name: string): void {
    this.#store.run('insert or ignore into names (id, name, leaves, events) values (?, ?, 0, 0)', id, name)
  }

  /** The ids of names that have events, both exclusive. */
  namesBetween(after: number, before: number): number[] {
    return [...this.#entries.keys()].filter((id) => id > after && id < before)
  }

  /** Carries replacements of a name out; returns the days whose events were written anew. Runs within a transaction. */
  replace(nameId: number, replacements: readonly Replacement[], how: Replacing) {
    const days = { changed: new Set<number>(), rewritten: new Set<number>() }
    const splicing = {
      leafEvents: LEAF_EVENTS,
      ...how,
      entries: () => this.#entries.get(nameId) ?? [],
      load: (entry: LeafEntry) => readBlock(this.#store, entry),
    }
    for (const splice of splices(replacements, splicing)) {
      this.#carryOut(nameId, splice, how.ids)
      for (const piece of [...splice.removed, ...splice.added]) {
        addDays(splice.isChanged ? days.changed : days.rewritten, piece)
      }
    }
    return days
  }

  #carryOut(nameId: number, { from, to, leaves }: Splice, ids: ArrayLike<number>): void {
    const entries = this.#entries.get(nameId) ?? []
    for (const { id } of entries.slice(from, to)) deleteLeaf(this.#store, id)
    const written = leaves.map((block) => writeLeaf(this.#store, block, { id: this.#nextId++, nameId, ids }))
    const now = entries.toSpliced(from, to - from, ...written)
    if (now.length > 0) this.#entries.set(nameId, now)
    else this.#entries.delete(nameId)
    this.#store.run('update names set leaves = ?, events = ? where id = ?', now.length, eventsOf(now), nameId)
  }

  #names(): NameRow[] {
    return this.#store.rows<NameRow>('select id, leaves, events from names')
  }

  #idsOf(name: string): number[] {
    return this.#store.rows<{ id: number }>('select id from names where name = ?', name).map(({ id }) => id)
  }

  *#runsOfName(nameId: number, span: Span): Iterable<Run> {
    for (const entry of this.#within(nameId, span)) {
      const leaf = this.#leafOf(entry)
      const { from, to } = placesWithin(leaf.times, span)
      if (to > from) yield { leaf, from, to }
    }
  }

  #within(nameId: number, { from, to }: Span): LeafEntry[] {
    const entries = this.#entries.get(nameId) ?? []
    return entries.filter(({ first, last }) => last.time >= from && first.time < to)
  }

  #leafOf(entry: LeafEntry): Leaf {
    const key = `${this.#owner} ${entry.id}`
    return remembered(
      key,
      () => {
        const leaf = readLeaf(this.#store, entry)
        return {
          ...leaf,
          param: (name: string) => remembered(`${key} param ${name}`, () => leaf.param(name), weightOf),
        }
      },
      () => entry.events * EVENT_BYTES,
    )
  }

  #eventsOf(entry: LeafEntry): DayPiece['block'] {
    const key = `${this.#owner} with keys ${entry.id}`
    return remembered(
      key,
      () => readEvents(this.#store, entry),
      () => entry.events * (EVENT_BYTES + 8),
    )
  }
}

/** In memory, without parameters. */
const EVENT_BYTES = 16

/** A character takes two bytes in texts that are not Latin. */
function weightOf(param: Param | null): number {
  if (!param) return 0
  return param.values.reduce((sum, value) => sum + 2 * value.length + 20, param.codes.byteLength)
}

function requireAll({ id, leaves, events }: NameRow, entries: readonly LeafEntry[]): void {
  if (entries.length !== leaves || eventsOf(entries) !== events) throw new Damaged(`leaves of the name ${id}`)
}

function eventsOf(entries: readonly LeafEntry[]): number {
  return entries.reduce((sum, { events }) => sum + events, 0)
}

function spanOf(day: number): Span {
  return { from: day * MS_PER_DAY, to: (day + 1) * MS_PER_DAY }
}

function placesWithin(times: Float64Array, { from, to }: Span): { from: number; to: number } {
  return { from: lowerBound(times, from), to: lowerBound(times, to) }
}

function addDays(days: Set<number>, { block: { times }, from, to }: Piece): void {
  for (let place = from; place < to; ) {
    const day = dayOf(times[place] as number)
    days.add(day)
    place = Math.max(place + 1, lowerBound(times, (day + 1) * MS_PER_DAY))
  }
}
