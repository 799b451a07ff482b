import { type Calendar, spanOf } from '../base/time/calendar.ts'
import type { Period } from '../base/time/period.ts'
import { checksumOfRow } from './checksum.ts'
import { type ChunkSlice, endOf, FIRST, type Ids, NOTHING, SEGMENT_EVENTS } from './chunk.ts'
import type { NameSpan, Segment, SegmentSlice, Span } from './columns.ts'
import { type DayCut, dayCuts } from './day-cuts.ts'
import { firstIndex, lowerBound } from './flat-arrays.ts'
import { intervalSlices } from './interval-slices.ts'
import { newOwner, segmentCache } from './segment-cache.ts'
import { deleteSegment, readChunk, readEntries, type SegmentEntry, writeSegment } from './segment-store.ts'
import { type Replacement, type Splice, splices } from './splice.ts'
import { Damaged, erasedText, requireRow, type Store } from './store.ts'
import { isSmall, openSegment, readSmallSegments } from './stored-segment.ts'

interface NameRow extends Record<string, SqlStorageValue> {
  id: number
  name: string
  segments: number
  events: number
  /** The checksum of id and name. Everything else is compared with the segments. */
  sum: number
}

export interface SegmentLimits {
  /** From this many names on, small segments are read together and not cached: they would not fit into the cache. */
  readonly manyNames: number
  /** The most events of a segment. */
  readonly segmentEvents: number
}

const LIMITS: SegmentLimits = { manyNames: 4_096, segmentEvents: SEGMENT_EVENTS }

/** A name that was erased and came again has two ids. */
export interface NamedSlice extends SegmentSlice {
  readonly nameId: number
}

const NAMES_A_READ = 256

/** What segments are found and cut by. */
interface SegmentSource {
  readonly calendar: Calendar
  /** Returns messenger ids by users' ordinals. */
  readonly ids: () => Ids
}

/** Finds an application's events: by name, in segments in order of time. */
export class SegmentIndex {
  readonly #store: Store
  readonly #calendar: Calendar
  readonly #days: Parameters<typeof intervalSlices>[0]
  readonly #ids: () => Ids
  readonly #limits: SegmentLimits
  /** The segments of each name, in order, by the name's id. */
  readonly #entries: Map<number, SegmentEntry[]>
  readonly #owner = newOwner()
  readonly #names = new Map<number, string>()
  readonly #idsOfNames = new Map<string, number[]>()
  /** The days with events of small segments that were read, by their ids: on most days they have none. */
  readonly #daysOfSmall = new Map<number, readonly number[]>()
  /** The sorted ids of names that have events; null once they may have changed. */
  #nameIds: readonly number[] | null = null
  #nextId: number

  /** Throws `Damaged` if a segment is missing. */
  constructor(store: Store, { calendar, ids }: SegmentSource, limits: Partial<SegmentLimits>) {
    this.#store = store
    this.#calendar = calendar
    this.#days = { numberOf: calendar.dayOf, startOf: calendar.startOf }
    this.#ids = ids
    this.#limits = { ...LIMITS, ...limits }
    const entries = readEntries(store)
    this.#nextId = Math.max(0, ...entries.map(({ id }) => id)) + 1
    this.#entries = Map.groupBy(entries, ({ nameId }) => nameId)
    for (const row of store.rows<NameRow>('select id, name, segments, events, sum from names')) {
      requireRow(row.sum, row.id, row.name)
      requireAll(row, this.#entries.get(row.id) ?? [])
      this.#remember(row)
    }
    if (this.events !== eventsOf(entries)) throw new Damaged('a name')
  }

  /** The number of events of all names together. */
  get events(): number {
    return this.#store.number('select sum(events) from names')
  }

  /** Names that have events. */
  *names(): Iterable<NameSpan> {
    for (const nameId of this.#sortedIds()) {
      const entries = this.#entries.get(nameId) as SegmentEntry[]
      const [first, last] = [entries[0] as SegmentEntry, entries.at(-1) as SegmentEntry]
      yield { name: this.#names.get(nameId) as string, first: first.first.time, last: last.last.time }
    }
  }

  /** Events of a name, of several, or of all. */
  slicesOf(asked: string | readonly string[] | null, span: Span): Iterable<NamedSlice> {
    return this.#slicesOfIds(this.#idsOf(asked), span)
  }

  #idsOf(asked: string | readonly string[] | null): readonly number[] {
    if (asked === null) return this.#sortedIds()
    const names = typeof asked === 'string' ? [asked] : asked
    return names.flatMap((name) => this.#idsOfNames.get(name) ?? [])
  }

  *#slicesOfIds(nameIds: readonly number[], span: Span): Iterable<NamedSlice> {
    const isMany = nameIds.length >= this.#limits.manyNames
    const days = { from: this.#calendar.dayOf(span.from), to: this.#calendar.dayOf(span.to - 1) }
    for (let first = 0; first < nameIds.length; first += NAMES_A_READ) {
      const entries = nameIds.slice(first, first + NAMES_A_READ).flatMap((nameId) => this.#within(nameId, span, days))
      const small = isMany ? this.#readSmall(entries) : null
      for (const entry of entries) {
        const segment = small?.get(entry.id) ?? this.#segmentOf(entry)
        // Times of a segment that lies within the span as a whole are not read.
        const from = entry.first.time >= span.from ? 0 : this.#firstAt(entry, segment, span.from)
        const to = entry.last.time < span.to ? entry.events : this.#firstAt(entry, segment, span.to)
        const { nameId } = entry
        if (to > from) yield { name: this.#names.get(nameId) as string, nameId, segment, from, to }
      }
    }
  }

  /** The index of the first event that is not before a moment. */
  #firstAt(entry: SegmentEntry, segment: Segment, time: number): number {
    const day = this.#calendar.dayOf(time)
    if (isSmall(entry) || this.#calendar.startOf(day) !== time) return lowerBound(segment.times, time)
    const cuts = dayCuts(this.#calendar, segment)
    return cuts[firstIndex(cuts.length, (index) => (cuts[index] as DayCut).day >= day)]?.from ?? entry.events
  }

  /** The segments of a name that may have events within a span. */
  #within(nameId: number, span: Span, days: Period): SegmentEntry[] {
    const entries = this.#entries.get(nameId) ?? []
    return entries.filter(
      ({ id, first, last }) => last.time >= span.from && first.time < span.to && this.#mayHaveEvents(id, days),
    )
  }

  /** Small segments are read many at a time. */
  #readSmall(entries: readonly SegmentEntry[]): Map<number, Segment> {
    const small = readSmallSegments(this.#store, entries.filter(isSmall), this.#keyOf)
    for (const [id, { times }] of small) if (!this.#daysOfSmall.has(id)) this.#daysOfSmall.set(id, this.#daysOf(times))
    return small
  }

  #mayHaveEvents(segmentId: number, { from, to }: Period): boolean {
    const days = this.#daysOfSmall.get(segmentId)
    return !days || days.some((day) => day >= from && day <= to)
  }

  /** The number of events of each name that has any on a day. */
  countsOn(day: number): Map<number, number> {
    const counts = new Map<number, number>()
    const span = spanOf(this.#calendar, { from: day, to: day })
    for (const { nameId, from, to } of this.#slicesOfIds(this.#sortedIds(), span)) {
      counts.set(nameId, (counts.get(nameId) ?? 0) + to - from)
    }
    return counts
  }

  /** The distinct days of these times. */
  #daysOf(times: Float64Array): number[] {
    return Array.from(intervalSlices(this.#days, times), ({ number: day }) => day)
  }

  #addDays(days: Set<number>, { chunk: { times }, from, to }: ChunkSlice): void {
    for (const { number: day } of intervalSlices(this.#days, times, { from, to })) days.add(day)
  }

  nameOf(nameId: number): string {
    return this.#names.get(nameId) as string
  }

  hasName(nameId: number): boolean {
    return this.#names.has(nameId)
  }

  /** Erases another name of the same text, even while its events are still here: a name that returns has a new id. */
  addName(id: number, name: string): void {
    if (this.#names.has(id)) return
    for (const other of this.#store.numbers('select id from names where name = ?', name)) this.#eraseName(other)
    const sum = checksumOfRow(id, name)
    this.#store.run('insert into names (id, name, segments, events, sum) values (?, ?, 0, 0, ?)', id, name, sum)
    this.#remember({ id, name })
  }

  /** Replaces the text of a name that was erased, unless it has events. Runs within a transaction. */
  forgetName(id: number): void {
    if (this.#store.number('select 1 from names where id = ? and segments = 0', id) === 1) this.#eraseName(id)
  }

  #eraseName(id: number): void {
    const name = erasedText(id)
    this.#store.run('update names set name = ?, sum = ? where id = ?', name, checksumOfRow(id, name), id)
  }

  /** The ids of names that have events; both ends are exclusive. */
  namesBetween(after: number, before: number): number[] {
    return this.#sortedIds().filter((id) => id > after && id < before)
  }

  /** The ids of names that have events. */
  usedNameIds(): readonly number[] {
    return this.#sortedIds()
  }

  /**
   * Carries out replacements of a name; returns the days whose events were rewritten, and the events that were added: null if others
   * are gone, or all were to be rewritten. Runs within a transaction.
   */
  replace(nameId: number, replacements: readonly Replacement[], isForced = false) {
    const days = { changed: new Set<number>(), rewritten: new Set<number>() }
    let added: ChunkSlice[] | null = isForced ? null : []
    const splicing = {
      entries: () => this.#entries.get(nameId) ?? [],
      load: (entry: SegmentEntry) => readChunk(this.#store, entry),
      ids: this.#ids(),
      isForced,
      segmentEvents: this.#limits.segmentEvents,
    }
    for (const splice of splices(replacements, splicing)) {
      this.#carryOut(nameId, splice)
      for (const slice of [...splice.removed, ...splice.added]) {
        this.#addDays(splice.fresh?.length === 0 ? days.rewritten : days.changed, slice)
      }
      added = added && splice.fresh && [...added, ...splice.fresh]
    }
    return { ...days, added }
  }

  /** Drops events before a time from at most this many segments. Returns whether there were any. Runs within a transaction. */
  dropBefore(time: number, segments: number): boolean {
    const older = [...this.#entries.values()].flatMap((own) => own.filter(({ first }) => first.time < time))
    for (const [nameId, own] of Map.groupBy(older.slice(0, segments), (entry) => entry.nameId)) {
      const whole = own.filter(({ last }) => last.time < time).length
      this.#carryOut(nameId, { from: 0, to: whole, segments: [] })
      const rest = { after: FIRST, upTo: endOf(time - 1), chunk: NOTHING }
      if (whole < own.length) this.replace(nameId, [rest])
    }
    return older.length > 0
  }

  #carryOut(nameId: number, { from, to, segments }: Pick<Splice, 'from' | 'to' | 'segments'>): void {
    const entries = this.#entries.get(nameId) ?? []
    for (const { id } of entries.slice(from, to)) {
      deleteSegment(this.#store, id)
      this.#daysOfSmall.delete(id)
    }
    const ids = this.#ids()
    const written = segments.map((chunk) => writeSegment(this.#store, chunk, { id: this.#nextId++, nameId, ids }))
    const now = entries.toSpliced(from, to - from, ...written)
    if (now.length > 0) this.#entries.set(nameId, now)
    else this.#entries.delete(nameId)
    if (entries.length === 0 || now.length === 0) this.#nameIds = null
    this.#store.run('update names set segments = ?, events = ? where id = ?', now.length, eventsOf(now), nameId)
  }

  #remember({ id, name }: Pick<NameRow, 'id' | 'name'>): void {
    this.#names.set(id, name)
    this.#idsOfNames.set(name, [...(this.#idsOfNames.get(name) ?? []), id])
  }

  #sortedIds(): readonly number[] {
    this.#nameIds ??= [...this.#entries.keys()].sort((a, b) => a - b)
    return this.#nameIds
  }

  readonly #keyOf = ({ id }: Pick<SegmentEntry, 'id'>): string => `${this.#owner} ${id}`

  #segmentOf(entry: SegmentEntry): Segment {
    const key = this.#keyOf(entry)
    return segmentCache.getOrAdd(
      key,
      () => openSegment(this.#store, entry, key),
      () => 0,
    )
  }
}

function requireAll({ id, segments, events }: NameRow, entries: readonly SegmentEntry[]): void {
  if (entries.length !== segments || eventsOf(entries) !== events) throw new Damaged(`segments of the name ${id}`)
}

function eventsOf(entries: readonly SegmentEntry[]): number {
  return entries.reduce((sum, { events }) => sum + events, 0)
}
