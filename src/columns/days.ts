import { spanOf } from '../time/period.ts'
import type { Pairs, Run, Span, Timeline } from './columns.ts'
import { type DayPiece, toPairs } from './day-pairs.ts'
import { FirstDays } from './first-days.ts'
import { isRemembered, newOwner, recall, remember, remembered } from './leaf-cache.ts'
import { Damaged, fromBlob, type Store, toBlob } from './store.ts'
import { TIMELINE_EVENT_BYTES, toTimelines } from './timeline.ts'

/** What is still to be done about a day: make its pairs anew, write its figures to the database, compare its counts with it. */
export type Task = 'pairs' | 'figures' | 'comparison'

export interface DaySource {
  /** Everything that happened on a day. */
  piecesOf(day: number): Iterable<DayPiece>
  runsOf(name: null, span: Span): Iterable<Run>
  /** Of all days. */
  readonly events: number
  readonly userCount: number
  readonly contextCount: number
  /** Whether a user was there before the first day that is kept. */
  isKnownBefore(user: number): boolean
}

type PageRow = Record<'pairs', number> & Record<'users' | 'contexts' | 'counts' | 'stamps', ArrayBuffer>

/** Who was active on each day. A day whose events changed is made anew when it is next asked for. */
export class Days {
  readonly #store: Store
  readonly #source: DaySource
  #owner = newOwner()
  readonly #stale: Set<number>
  /** How often each day was touched since the start: what memory has of older events is of no use. */
  readonly #touched = new Map<number, number>()
  readonly firstDays: FirstDays

  /** Throws `Damaged` if pairs of a day are missing. */
  constructor(store: Store, source: DaySource) {
    this.#store = store
    this.#source = source
    this.#stale = new Set(this.tasks('pairs'))
    const [found, written] = [this.#countPages(), store.note<number>(PAGES) ?? 0]
    if (found !== written) throw new Damaged(`${found} of ${written} pages of days`)
    this.firstDays = new FirstDays({
      pairsOf: (day) => this.pairsOf(day),
      known: () => this.#known(),
      isKnownBefore: (user) => source.isKnownBefore(user),
      get userCount() {
        return source.userCount
      },
    })
  }

  /** Days on which something happened, in order. */
  all(): number[] {
    for (const day of this.#stale) this.pairsOf(day)
    return this.#store.rows<{ day: number }>('select distinct day from days order by day').map(({ day }) => day)
  }

  /** Events of all days whose pairs are not to be made anew; null while there are others. */
  get events(): number | null {
    if (this.#stale.size > 0) return null
    return this.#store.rows<{ events: number }>('select coalesce(sum(events), 0) as events from days')[0]?.events ?? 0
  }

  pairsOf(day: number): Pairs {
    if (this.#stale.has(day)) this.#make(day)
    return remembered(
      `${this.#keyOf(day)} pairs`,
      () => this.#read(day),
      ({ length }) => length * PAIR_BYTES,
    )
  }

  /** Not stored: it is made of the leaves in a few milliseconds, together with those of some days around it. */
  timelineOf(day: number): Timeline {
    const known = recall<Timeline>(this.#timelineKey(day))
    if (known) return known
    const days = this.#daysAround(day).filter((other) => !isRemembered(this.#timelineKey(other)))
    const span = spanOf({ from: days[0] as number, to: days.at(-1) as number })
    const timelines = toTimelines(this.#source.runsOf(null, span), days, this.#source.userCount)
    for (const [other, timeline] of timelines) {
      remember(this.#timelineKey(other), timeline, timeline.length * TIMELINE_EVENT_BYTES)
    }
    return timelines.get(day) as Timeline
  }

  /** As many as have about so many events together as are sorted at once. */
  #daysAround(day: number): number[] {
    const eventsADay = this.#source.events / Math.max(1, this.#known().length)
    const length = Math.max(1, Math.min(MAX_DAYS_AT_ONCE, Math.floor(EVENTS_AT_ONCE / Math.max(1, eventsADay))))
    const first = Math.floor(day / length) * length
    return Array.from({ length }, (_, place) => first + place)
  }

  /** Notes that these days' events were written anew, or changed. Runs within a transaction. */
  touch(days: Iterable<number>, tasks: readonly Task[]): void {
    for (const day of days) {
      for (const task of tasks) this.add(task, day)
      if (!tasks.includes('pairs')) continue
      this.#stale.add(day)
      this.#touched.set(day, (this.#touched.get(day) ?? 0) + 1)
      this.firstDays.touch(day)
    }
  }

  /** For all days on which something happens, or happened. */
  addToAll(tasks: readonly Task[]): void {
    this.touch(this.#known(), tasks)
  }

  add(task: Task, day: number): void {
    this.#store.run('insert or ignore into day_tasks (task, day) values (?, ?)', task, day)
  }

  /** Newest first. */
  tasks(task: Task): number[] {
    const rows = this.#store.rows<{ day: number }>('select day from day_tasks where task = ? order by day desc', task)
    return rows.map(({ day }) => day)
  }

  done(task: Task, days: readonly number[]): void {
    const list = JSON.stringify(days)
    this.#store.run('delete from day_tasks where task = ? and day in (select value from json_each(?))', task, list)
  }

  /** Drops all days before one, and what was to be done about them. Runs within a transaction. */
  dropBefore(day: number): void {
    this.#store.run('delete from days where day < ?', day)
    this.#store.run('delete from day_tasks where day < ?', day)
    this.#store.setNote(PAGES, this.#countPages())
    for (const stale of this.#stale) if (stale < day) this.#stale.delete(stale)
    this.forgetMemory()
    this.firstDays.forget()
  }

  /** What memory has of days, it has under the old one. */
  forgetMemory(): void {
    this.#owner = newOwner()
  }

  #make(day: number): void {
    const pairs = toPairs(this.#source.piecesOf(day), day, this.#source.contextCount)
    this.#store.transaction(() => {
      this.#store.run('delete from days where day = ?', day)
      for (let from = 0; from < pairs.length; from += PAGE_PAIRS) this.#write(day, pairs, from)
      this.#store.setNote(PAGES, this.#countPages())
      this.done('pairs', [day])
    })
    this.#stale.delete(day)
  }

  #timelineKey(day: number): string {
    return `${this.#keyOf(day)} timeline`
  }

  #keyOf(day: number): string {
    return `${this.#owner} ${day} ${this.#touched.get(day) ?? 0}`
  }

  /** Days on which something happened, or happened until lately. */
  #known(): number[] {
    const stored = this.#store.rows<{ day: number }>('select distinct day from days').map(({ day }) => day)
    return [...stored, ...this.#stale]
  }

  #write(day: number, { users, contexts, counts, stamps }: Pairs, from: number): void {
    const to = from + PAGE_PAIRS
    const page = [users, contexts, counts, stamps].map((array) => array.subarray(from, to))
    const events = counts.subarray(from, to).reduce((sum, count) => sum + count, 0)
    this.#store.run(
      'insert into days values (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[day, from / PAGE_PAIRS, page[0]?.length, events],
      ...page.map(toBlob),
    )
  }

  #countPages(): number {
    return this.#store.rows<{ pages: number }>('select count(*) as pages from days')[0]?.pages ?? 0
  }

  #read(day: number): Pairs {
    const pages = this.#store.rows<PageRow>(
      'select pairs, users, contexts, counts, stamps from days where day = ? order by page',
      day,
    )
    const length = pages.reduce((sum, { pairs }) => sum + pairs, 0)
    const [users, contexts] = [new Uint32Array(length), new Uint32Array(length)]
    const [counts, stamps] = [new Uint32Array(length), new Float64Array(length)]
    let offset = 0
    for (const page of pages) {
      users.set(fromBlob(page.users, Uint32Array, page.pairs), offset)
      contexts.set(fromBlob(page.contexts, Uint32Array, page.pairs), offset)
      counts.set(fromBlob(page.counts, Uint32Array, page.pairs), offset)
      stamps.set(fromBlob(page.stamps, Float64Array, page.pairs), offset)
      offset += page.pairs
    }
    return { length, users, contexts, counts, stamps }
  }
}

/** How many rows the days have. */
const PAGES = 'pages of days'
/** Pairs in one row: its blobs together stay below the 2 MB that a row may have. */
const PAGE_PAIRS = 65_536
const PAIR_BYTES = 20
/** Of timelines. */
const EVENTS_AT_ONCE = 65_536
const MAX_DAYS_AT_ONCE = 32
