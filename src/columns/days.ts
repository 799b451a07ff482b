import { type Calendar, spanOf } from '../base/time/calendar.ts'
import { checksumOfRow } from './checksum.ts'
import type { ChunkSlice } from './chunk.ts'
import type { Pairs, Span } from './columns.ts'
import {
  type DaySize,
  daySize,
  mergePairs,
  NO_EVENTS,
  type PairedEvents,
  type StampedPairs,
  toPairs,
} from './day-pairs.ts'
import { FirstDays, type KnownUsers } from './first-days.ts'
import { UpdatedTouches } from './first-touches.ts'
import { lowerBound, total } from './flat-arrays.ts'
import type { RememberedUsers } from './remembered.ts'
import { cachedArray, newOwner } from './segment-cache.ts'
import type { NamedSlice } from './segments.ts'
import { Damaged, requireRow, type Store, toBlob } from './store.ts'
import { fromPages, PAIR_COLUMNS, type PairColumn, StoredPairs, toStored, type WholePairs } from './stored-pairs.ts'
import { type TimelineLimits, Timelines } from './timelines.ts'

/** What remains to be done for a day: rebuild its pairs, write its figures to the database, compare its counts with the database. */
export type Task = 'pairs' | 'figures' | 'comparison'

interface DaySource extends KnownUsers {
  readonly calendar: Calendar
  slicesOf(name: null, span: Span): Iterable<NamedSlice>
  nameOf(nameId: number): string
  /** The number of events of all days. */
  readonly events: number
  readonly contextCount: number
  contextCodes(property: 'startParameter'): Uint32Array
  readonly remembered: RememberedUsers
}

type PageHead = Record<'day' | 'page' | 'pairs' | 'events' | 'sum', number>
type PageRow = Record<'page' | 'pairs', number> & { readonly data: ArrayBuffer }

/** Who was active on each day. A day whose events changed is rebuilt when it is next asked for. */
export class Days {
  readonly #store: Store
  readonly #source: DaySource
  #owner = newOwner()
  readonly #stale: Set<number>
  /** What was added to stale days since their pairs were made; those that are not here are made of all their events. */
  readonly #added = new Map<number, readonly PairedEvents[]>()
  #addedEvents = 0
  /** How often each day was touched since the start, which is part of its cache keys: so outdated entries are not used. */
  readonly #touched = new Map<number, number>()
  readonly #sizes: Map<number, DaySize>
  readonly firstDays: FirstDays
  readonly firstTouches: UpdatedTouches
  readonly timelines: Timelines

  /** Throws `Damaged` if pairs of a day are missing. */
  constructor(store: Store, source: DaySource, limits: Partial<TimelineLimits>) {
    this.#store = store
    this.#source = source
    this.#stale = new Set(this.tasks('pairs'))
    const heads = store.rows<PageHead>('select day, page, pairs, events, sum from days')
    for (const { sum, day, page, pairs, events } of heads) requireRow(sum, 'day', day, page, pairs, events)
    this.#sizes = new Map([...Map.groupBy(heads, ({ day }) => day)].map(([day, pages]) => [day, daySize(pages)]))
    const written = store.note<number>(PAGES) ?? 0
    if (heads.length !== written) throw new Damaged(`${heads.length} of ${written} pages of days`)
    this.firstDays = new FirstDays(this, source)
    this.firstTouches = new UpdatedTouches(source, this)
    this.timelines = new Timelines(store, { days: this, source }, limits)
  }

  /** Days with events, in order. */
  all(): number[] {
    for (const day of this.#stale) this.pairsOf(day)
    return [...this.#sizes.keys()].sort((a, b) => a - b)
  }

  /** The number of events of all days; null while pairs are to be rebuilt. */
  get events(): number | null {
    if (this.#stale.size > 0) return null
    return this.#store.number('select sum(events) from days')
  }

  /** The number of events of a day. */
  eventsOn(day: number): number {
    if (this.#stale.has(day)) this.#make(day)
    return this.#sizeOf(day).events
  }

  #sizeOf(day: number): DaySize {
    return this.#sizes.get(day) ?? NO_EVENTS
  }

  /** Whether no later day has events. */
  isNewest(day: number): boolean {
    return day >= Math.max(...this.#stale, this.#store.number('select max(day) from days'))
  }

  pairsOf(day: number): Pairs {
    if (this.#stale.has(day)) this.#make(day)
    const key = `${this.keyOf(day)} pairs`
    return new StoredPairs(this.#sizeOf(day).pairs, (name) =>
      cachedArray(`${key} ${name}`, () => this.#readColumn(day, name)),
    )
  }

  /** Notes that events of these days were rewritten, or changed, or only that these were added. Runs within a transaction. */
  touch(days: Iterable<number>, tasks: readonly Task[], added: readonly ChunkSlice[] | null = null): void {
    const events = added?.map(toPairedEvents) ?? null
    for (const day of days) {
      for (const task of tasks) this.add(task, day)
      if (!tasks.includes('pairs')) continue
      this.#noteAdded(day, events)
      this.#stale.add(day)
      this.#touched.set(day, (this.#touched.get(day) ?? 0) + 1)
      this.timelines.forget(day)
      this.firstDays.touch(day)
      this.firstTouches.touch(day)
    }
  }

  #noteAdded(day: number, events: readonly PairedEvents[] | null): void {
    const earlier = this.#stale.has(day) ? this.#added.get(day) : []
    if (earlier && events) this.#added.set(day, [...earlier, ...events])
    else this.#added.delete(day)
    this.#addedEvents += events?.reduce((sum, { from, to }) => sum + to - from, 0) ?? 0
    if (this.#addedEvents > MOST_ADDED_EVENTS) this.#forgetAdded()
  }

  #forgetAdded(): void {
    this.#added.clear()
    this.#addedEvents = 0
  }

  /** Adds tasks to all days that have, or had, events. */
  addToAll(tasks: readonly Task[]): void {
    this.touch(this.known(), tasks)
  }

  add(task: Task, day: number): void {
    const sum = checksumOfRow(task, day)
    this.#store.run('insert or ignore into day_tasks (task, day, sum) values (?, ?, ?)', task, day, sum)
  }

  /** Newest first. */
  tasks(task: Task): number[] {
    const rows = this.#store.rows<{ task: string; day: number; sum: number }>('select task, day, sum from day_tasks')
    for (const row of rows) requireRow(row.sum, row.task, row.day)
    const days = rows.filter((row) => row.task === task).map(({ day }) => day)
    return days.sort((a, b) => b - a)
  }

  done(task: Task, days: readonly number[]): void {
    const list = JSON.stringify(days)
    this.#store.run('delete from day_tasks where task = ? and day in (select value from json_each(?))', task, list)
  }

  /** Drops all days before this one, and their tasks. Runs within a transaction. */
  dropBefore(day: number): void {
    this.#store.run('delete from days where day < ?', day)
    this.#store.run('delete from day_tasks where day < ?', day)
    this.#store.run('delete from timelines where day < ?', day)
    this.#store.setNote(PAGES, this.#store.number('select count(*) from days'))
    for (const known of this.#sizes.keys()) if (known < day) this.#sizes.delete(known)
    for (const stale of this.#stale) if (stale < day) this.#stale.delete(stale)
    this.forgetMemory()
    this.firstDays.forget()
  }

  /** Makes cached days unreachable, by a new prefix of their keys. */
  forgetMemory(): void {
    this.#owner = newOwner()
  }

  #make(day: number): void {
    const pairs = this.#pairsNow(day, spanOf(this.#source.calendar, { from: day, to: day }))
    this.#store.transaction(() => {
      this.#store.run('delete from days where day = ?', day)
      const stored = toStored(pairs)
      for (let from = 0; from < pairs.length; from += PAGE_PAIRS) this.#write(day, stored, from)
      this.#store.setNote(PAGES, this.#store.number('select count(*) from days'))
      this.done('pairs', [day])
    })
    const events = total(pairs.counts)
    if (events > 0) this.#sizes.set(day, { pages: Math.ceil(pairs.length / PAGE_PAIRS), pairs: pairs.length, events })
    else this.#sizes.delete(day)
    this.#stale.delete(day)
    this.#added.delete(day)
    if (this.#added.size === 0) this.#forgetAdded()
  }

  #pairsNow(day: number, span: Span): StampedPairs {
    const { contextCount } = this.#source
    const added = this.#added.get(day)
    if (!added) return toPairs(this.#source.slicesOf(null, span), span.from, contextCount)
    const [users, contexts] = [this.#readColumn(day, 'users'), this.#readColumn(day, 'contexts')]
    const [counts, stamps] = [this.#readColumn(day, 'counts'), this.#readColumn(day, 'stamps')]
    const within = added.map(({ segment, from, to }) => ({
      segment,
      from: lowerBound(segment.times, span.from, from, to),
      to: lowerBound(segment.times, span.to, from, to),
    }))
    const known = { length: users.length, users, contexts, counts, stamps }
    return mergePairs(known, toPairs(within, span.from, contextCount), contextCount)
  }

  /** A prefix of the keys of what is cached of a day, as it is now. */
  keyOf(day: number): string {
    return `${this.#owner} ${day} ${this.#touched.get(day) ?? 0}`
  }

  /** Days that have events, or had some until recently. */
  known(): number[] {
    return [...this.#sizes.keys(), ...this.#stale]
  }

  #write(day: number, pairs: WholePairs, from: number): void {
    const to = from + PAGE_PAIRS
    const counts = pairs.counts.subarray(from, to)
    const page = from / PAGE_PAIRS
    const head = [day, page, counts.length, total(counts)]
    this.#store.run(
      'insert into days values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[...head, checksumOfRow('day', ...head)],
      ...PAIR_COLUMNS.map((name) => toBlob(pairs[name].subarray(from, to), labelOf(day, page, name))),
    )
  }

  #readColumn<Name extends PairColumn>(day: number, name: Name): WholePairs[Name] {
    const written = this.#sizeOf(day).pages
    const query = `select page, pairs, ${name} as data from days where day = ? order by page`
    const pages = this.#store.rows<PageRow>(query, day)
    if (pages.length !== written) throw new Damaged(`${pages.length} of ${written} pages of the day ${day}`)
    const blobs = pages.map(({ page, pairs: length, data }) => ({ data, length, label: labelOf(day, page, name) }))
    return fromPages(name, blobs)
  }
}

/** Without parameters, which would take more memory than all the rest. */
function toPairedEvents({ chunk: { times, users, contexts, keys }, from, to }: ChunkSlice): PairedEvents {
  return { segment: { times, users, contexts, keys: () => keys }, from, to }
}

function labelOf(day: number, page: number, what: string): string {
  return `day ${day} ${page} ${what}`
}

/** Added events that are in memory, in a few megabytes. */
const MOST_ADDED_EVENTS = 65_536

/** The note of how many rows all days have. */
const PAGES = 'pages of days'
/** Pairs in one row: its blobs together stay below the 2 MB that a row may have. */
const PAGE_PAIRS = 65_536
