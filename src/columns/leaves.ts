import { dayOf, MS_PER_DAY } from '../time/days.ts'
import { spanOf } from '../time/period.ts'
import { endOf, FIRST, LEAF_EVENTS, NOTHING, type Piece } from './block.ts'
import type { Leaf, NameSpan, Run, Span } from './columns.ts'
import type { DayPiece } from './day-pairs.ts'
import { lowerBound } from './flat-arrays.ts'
import { newOwner, remembered } from './leaf-cache.ts'
import { deleteLeaf, type LeafEntry, readBlock, readEntries, writeLeaf } from './leaf-store.ts'
import { isSmall, readSmallLeaves } from './small-leaves.ts'
import { type Replacement, type Splice, splices } from './splice.ts'
import { Damaged, type Store } from './store.ts'
import { StoredLeaf, weightOf } from './stored-leaf.ts'

interface NameRow extends Record<string, SqlStorageValue> {
  id: number
  name: string
  leaves: number
  events: number
}

export interface Replacing {
  readonly ids: ArrayLike<number>
  readonly isForced: boolean
  readonly leafEvents?: number
}

/** Leaves of so many names would not be remembered together. */
const MANY_NAMES = 4_096
const NAMES_A_READ = 256

/** In the place of a text that was erased, in SQL. */
const ERASED = "'erased ' || id || ' ' || hex(randomblob(4))"

/** An application's events: by name, in leaves in order of time. */
export class Leaves {
  readonly #store: Store
  readonly #manyNames: number
  /** By the name's id, each list in order. */
  readonly #entries: Map<number, LeafEntry[]>
  readonly #owner = newOwner()
  readonly #names = new Map<number, string>()
  readonly #idsOfNames = new Map<string, number[]>()
  /** On which days something happened, of small leaves that were read, by their ids: most days are none of them. */
  readonly #daysOfSmall = new Map<number, readonly number[]>()
  /** Of the names that have events, in order; null once that may have changed. */
  #nameIds: readonly number[] | null = null
  #nextId: number

  /** Throws `Damaged` if a leaf is missing. */
  constructor(store: Store, { manyNames = MANY_NAMES } = {}) {
    this.#store = store
    this.#manyNames = manyNames
    const entries = readEntries(store)
    this.#nextId = Math.max(0, ...entries.map(({ id }) => id)) + 1
    this.#entries = Map.groupBy(entries, ({ nameId }) => nameId)
    for (const row of this.#readNames()) {
      requireAll(row, this.#entries.get(row.id) ?? [])
      this.#remember(row)
    }
    if (this.events !== eventsOf(entries)) throw new Damaged('a name')
  }

  /** Of all names. */
  get events(): number {
    return this.#store.rows<{ events: number }>('select coalesce(sum(events), 0) as events from names')[0]?.events ?? 0
  }

  /** Names that have events. */
  *names(): Iterable<NameSpan> {
    for (const nameId of this.#sortedIds()) {
      const entries = this.#entries.get(nameId) as LeafEntry[]
      const [first, last] = [entries[0] as LeafEntry, entries.at(-1) as LeafEntry]
      yield { name: this.#nameOf(nameId), first: first.first.time, last: last.last.time }
    }
  }

  /** Events of a name, of several, or of all. */
  *runsOf(asked: string | readonly string[] | null, span: Span): Iterable<Run> {
    const nameIds = this.#idsOf(asked)
    if (nameIds.length >= this.#manyNames) yield* this.#runsOfMany(nameIds, span)
    else for (const nameId of nameIds) yield* this.#runsOfName(nameId, span)
  }

  #idsOf(asked: string | readonly string[] | null): readonly number[] {
    if (asked === null) return this.#sortedIds()
    const names = typeof asked === 'string' ? [asked] : asked
    return names.flatMap((name) => this.#idsOfNames.get(name) ?? [])
  }

  /** Small leaves are read many at a time. */
  *#runsOfMany(nameIds: readonly number[], span: Span): Iterable<Run> {
    for (let first = 0; first < nameIds.length; first += NAMES_A_READ) {
      const entries = nameIds
        .slice(first, first + NAMES_A_READ)
        .flatMap((nameId) => this.#within(nameId, span).filter(({ id }) => this.#mayHaveEvents(id, span)))
      const small = readSmallLeaves(this.#store, entries.filter(isSmall))
      for (const [id, { times }] of small) if (!this.#daysOfSmall.has(id)) this.#daysOfSmall.set(id, daysOf(times))
      for (const entry of entries) yield* this.#runOf(entry, small.get(entry.id) ?? this.#leafOf(entry), span)
    }
  }

  #mayHaveEvents(leafId: number, { from, to }: Span): boolean {
    const days = this.#daysOfSmall.get(leafId)
    return !days || days.some((day) => day >= dayOf(from) && day <= dayOf(to - 1))
  }

  /** What happened on a day, whatever its name, with the events' keys. */
  *piecesOf(day: number): Iterable<DayPiece> {
    for (const { leaf, from, to } of this.runsOf(null, dayAsSpan(day))) {
      const { times, users, contexts } = leaf
      yield { block: { times, users, contexts, keys: leaf.keys() }, from, to }
    }
  }

  /** How many events each name has on a day, where it has any. */
  countsOn(day: number): Map<number, number> {
    const counts = new Map<number, number>()
    for (const nameId of this.#sortedIds()) {
      for (const { from, to } of this.#runsOfName(nameId, dayAsSpan(day))) {
        counts.set(nameId, (counts.get(nameId) ?? 0) + to - from)
      }
    }
    return counts
  }

  hasName(nameId: number): boolean {
    return this.#names.has(nameId)
  }

  /** Another one of the same text was erased, also where its events are still here: a name that is there again has another id. */
  addName(id: number, name: string): void {
    if (this.#names.has(id)) return
    this.#store.run(`update names set name = ${ERASED} where name = ?`, name)
    this.#store.run('insert into names (id, name, leaves, events) values (?, ?, 0, 0)', id, name)
    this.#remember({ id, name })
  }

  /** Puts another text in the place of a name that was erased; none that has events. Runs within a transaction. */
  forgetName(id: number): void {
    this.#store.run(`update names set name = ${ERASED} where id = ? and leaves = 0`, id)
  }

  /** The ids of names that have events, both exclusive. */
  namesBetween(after: number, before: number): number[] {
    return this.#sortedIds().filter((id) => id > after && id < before)
  }

  /** Those of all names that were learned. */
  nameIds(): number[] {
    return this.#store.rows<{ id: number }>('select id from names').map(({ id }) => id)
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

  /** Drops what happened before a moment, from so many leaves. Returns whether there was anything. Runs within a transaction. */
  dropBefore(time: number, { ids, leaves }: Pick<Replacing, 'ids'> & { readonly leaves: number }): boolean {
    const older = [...this.#entries.values()].flatMap((own) => own.filter(({ first }) => first.time < time))
    for (const [nameId, own] of Map.groupBy(older.slice(0, leaves), (entry) => entry.nameId)) {
      const whole = own.filter(({ last }) => last.time < time).length
      this.#carryOut(nameId, { from: 0, to: whole, leaves: [] }, ids)
      const rest = { after: FIRST, upTo: endOf(time - 1), block: NOTHING }
      if (whole < own.length) this.replace(nameId, [rest], { ids, isForced: false })
    }
    return older.length > 0
  }

  #carryOut(
    nameId: number,
    { from, to, leaves }: Pick<Splice, 'from' | 'to' | 'leaves'>,
    ids: ArrayLike<number>,
  ): void {
    const entries = this.#entries.get(nameId) ?? []
    for (const { id } of entries.slice(from, to)) {
      deleteLeaf(this.#store, id)
      this.#daysOfSmall.delete(id)
    }
    const written = leaves.map((block) => writeLeaf(this.#store, block, { id: this.#nextId++, nameId, ids }))
    const now = entries.toSpliced(from, to - from, ...written)
    if (now.length > 0) this.#entries.set(nameId, now)
    else this.#entries.delete(nameId)
    if (entries.length === 0 || now.length === 0) this.#nameIds = null
    this.#store.run('update names set leaves = ?, events = ? where id = ?', now.length, eventsOf(now), nameId)
  }

  #readNames(): NameRow[] {
    return this.#store.rows<NameRow>('select id, name, leaves, events from names')
  }

  #remember({ id, name }: Pick<NameRow, 'id' | 'name'>): void {
    this.#names.set(id, name)
    this.#idsOfNames.set(name, [...(this.#idsOfNames.get(name) ?? []), id])
  }

  #nameOf(id: number): string {
    return this.#names.get(id) as string
  }

  #sortedIds(): readonly number[] {
    this.#nameIds ??= [...this.#entries.keys()].sort((a, b) => a - b)
    return this.#nameIds
  }

  *#runsOfName(nameId: number, span: Span): Iterable<Run> {
    for (const entry of this.#within(nameId, span)) yield* this.#runOf(entry, this.#leafOf(entry), span)
  }

  /** None where the leaf has nothing within the span. */
  *#runOf({ nameId }: LeafEntry, leaf: Leaf, span: Span): Iterable<Run> {
    const { from, to } = placesWithin(leaf.times, span)
    if (to > from) yield { name: this.#nameOf(nameId), leaf, from, to }
  }

  #within(nameId: number, { from, to }: Span): LeafEntry[] {
    const entries = this.#entries.get(nameId) ?? []
    return entries.filter(({ first, last }) => last.time >= from && first.time < to)
  }

  #leafOf(entry: LeafEntry): Leaf {
    const key = `${this.#owner} ${entry.id}`
    return remembered(key, () => new StoredLeaf(this.#store, entry, key), weightOf)
  }
}

function requireAll({ id, leaves, events }: NameRow, entries: readonly LeafEntry[]): void {
  if (entries.length !== leaves || eventsOf(entries) !== events) throw new Damaged(`leaves of the name ${id}`)
}

function eventsOf(entries: readonly LeafEntry[]): number {
  return entries.reduce((sum, { events }) => sum + events, 0)
}

function dayAsSpan(day: number): Span {
  return spanOf({ from: day, to: day })
}

function placesWithin(times: Float64Array, { from, to }: Span): { from: number; to: number } {
  return { from: lowerBound(times, from), to: lowerBound(times, to) }
}

/** Each once. */
function daysOf(times: Float64Array): number[] {
  return [...new Set(Array.from(times, dayOf))]
}

function addDays(days: Set<number>, { block: { times }, from, to }: Piece): void {
  for (let place = from; place < to; ) {
    const day = dayOf(times[place] as number)
    days.add(day)
    place = Math.max(place + 1, lowerBound(times, (day + 1) * MS_PER_DAY))
  }
}
