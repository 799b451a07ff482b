import { type Calendar, spanOf } from '../base/time/calendar.ts'
import { checksumOfRow } from './checksum.ts'
import type { Pairs, Span, Timeline, UserRange } from './columns.ts'
import { lowerBound } from './flat-arrays.ts'
import { cachedArray, segmentCache } from './segment-cache.ts'
import type { NamedSlice } from './segments.ts'
import { CODES, Damaged, fromBlob, requireRow, type Store, toBlob } from './store.ts'
import { TIMELINE_EVENT_BYTES, type TimelinePage, toTimelinePages } from './timeline.ts'

interface Days {
  known(): readonly number[]
  pairsOf(day: number): Pairs
  /** The number of events of a day. */
  eventsOn(day: number): number
  /** Whether no later day has events. */
  isNewest(day: number): boolean
  /** A prefix of the keys of what is cached of a day, as it is now. */
  keyOf(day: number): string
}

interface Events {
  readonly calendar: Calendar
  /** The number of events of all days. */
  readonly events: number
  readonly userCount: number
  slicesOf(name: null, span: Span): Iterable<NamedSlice>
  nameOf(nameId: number): string
}

export interface TimelineLimits {
  /** The most events of a page, unless they are those of a single user. */
  readonly pageEvents: number
  /** The most events of days that are made together because they have few. */
  readonly eventsAtOnce: number
  /** The most events that are sorted at once, if a day has more. Sorting takes 40 bytes for each. */
  readonly eventsSorted: number
  /** A row may have 2 MB: a day on which a single user has more events than this is rebuilt each time. */
  readonly storedEvents: number
}

const LIMITS: TimelineLimits = {
  pageEvents: 16_384,
  eventsAtOnce: 65_536,
  eventsSorted: 262_144,
  storedEvents: 65_536,
}

type PageHead = Record<(typeof HEAD)[number] | 'sum', number>

const HEAD = ['day', 'page', 'first_user', 'last_user', 'events', 'names'] as const

/**
 * Everything that happened on each day, user by user. Made of the segments when a day is first asked for, and stored until the day's
 * events change; those of the newest day, which often change, are in memory only.
 */
export class Timelines {
  readonly #store: Store
  readonly #days: Days
  readonly #source: Events
  readonly #limits: TimelineLimits

  constructor(store: Store, { days, source }: { days: Days; source: Events }, limits: Partial<TimelineLimits>) {
    this.#store = store
    this.#days = days
    this.#source = source
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The timelines of a day, for all users or a range of them. Throws `Damaged` if a page is missing. */
  *of(day: number, users: UserRange = EVERYBODY): Iterable<Timeline> {
    if (this.#days.eventsOn(day) === 0) return
    const pages = segmentCache.get<readonly Page[]>(this.#keyOf(day)) ?? this.#stored(day) ?? this.#make(day)
    for (const page of pages) {
      const { from, to } = page.users
      if (from >= users.to || to <= users.from) continue
      const timeline = page.timeline ?? this.#cached(page.head)
      yield from >= users.from && to <= users.to ? timeline : clipped(timeline, users)
    }
  }

  /** Makes those that are not stored, so that no question has to: of one day, or some together, before each yield. */
  *makeMissing(): Generator<void> {
    for (const day of this.#days.known()) {
      if (!this.#isMissing(day) || !this.#isStorable(day)) continue
      this.#make(day)
      yield
    }
  }

  /** The events of a day changed. Runs within a transaction. */
  forget(day: number): void {
    this.#store.run('delete from timelines where day = ?', day)
  }

  /** Null if none are stored. */
  #stored(day: number): readonly Page[] | null {
    const heads = this.#store.rows<PageHead>(`select ${HEAD}, sum from timelines where day = ? order by page`, day)
    if (heads.length === 0) return null
    for (const head of heads) requireRow(head.sum, 'timeline', ...HEAD.map((name) => head[name]))
    const events = heads.reduce((sum, head) => sum + head.events, 0)
    if (events !== this.#days.eventsOn(day)) throw new Damaged(`pages of the timeline ${day}`)
    const pages = heads.map((head): Page => {
      return { users: { from: head.first_user, to: head.last_user + 1 }, head, timeline: null }
    })
    segmentCache.add(this.#keyOf(day), pages, pages.length * PAGE_BYTES)
    return pages
  }

  #cached(head: PageHead): Timeline {
    return segmentCache.getOrAdd(`${this.#keyOf(head.day)} ${head.page}`, () => this.#read(head), weightOf)
  }

  /** Days with few events are made together with some around them. */
  #make(day: number): readonly Page[] {
    if (this.#days.eventsOn(day) > this.#limits.eventsAtOnce) return this.#makeInParts(day)
    let inMemory: readonly Page[] | null = null
    for (const [other, pages] of this.#sort(this.#daysAround(day))) {
      if (this.#isStorable(other)) this.#store.transaction(() => this.#write(other, pages, 0))
      else if (other === day) inMemory = this.#keepInMemory(day, pages)
      else this.#keepInMemory(other, pages)
    }
    return inMemory ?? (this.#stored(day) as readonly Page[])
  }

  /** Makes a day with very many events: sorts those of some users at a time. */
  #makeInParts(day: number): readonly Page[] {
    const pagesOf = (users: UserRange) => this.#sort([day], users).get(day) ?? []
    if (!this.#isStorable(day)) return this.#keepInMemory(day, this.#partsOf(day).flatMap(pagesOf))
    this.#store.transaction(() => {
      let page = 0
      for (const users of this.#partsOf(day)) {
        const pages = pagesOf(users)
        this.#write(day, pages, page)
        page += pages.length
      }
    })
    return this.#stored(day) as readonly Page[]
  }

  #sort(days: readonly number[], { from, to }: UserRange = EVERYBODY): Map<number, TimelinePage[]> {
    const { calendar, userCount } = this.#source
    const slices = this.#source.slicesOf(null, spanOf(calendar, { from: Math.min(...days), to: Math.max(...days) }))
    const wholeDays = days.map((day) => ({ day, ...spanOf(calendar, { from: day, to: day }) }))
    const users = { from, to: Math.min(to, userCount) }
    return toTimelinePages(slices, { days: wholeDays, users, pageEvents: this.#limits.pageEvents })
  }

  /** Returns them, as the cache may have no room. */
  #keepInMemory(day: number, timelines: readonly TimelinePage[]): readonly Page[] {
    const pages = timelines.map((page) => this.#inMemory(page))
    segmentCache.add(this.#keyOf(day), pages, this.#days.eventsOn(day) * TIMELINE_EVENT_BYTES)
    return pages
  }

  #isStorable(day: number): boolean {
    if (this.#days.isNewest(day)) return false
    if (this.#days.eventsOn(day) <= this.#limits.storedEvents) return true
    for (const { events } of this.#usersOn(day)) if (events > this.#limits.storedEvents) return false
    return true
  }

  #partsOf(day: number): UserRange[] {
    const parts: UserRange[] = []
    let [from, sum] = [0, 0]
    for (const { user, events } of this.#usersOn(day)) {
      if (sum > 0 && sum + events > this.#limits.eventsSorted) {
        parts.push({ from, to: user })
        ;[from, sum] = [user, 0]
      }
      sum += events
    }
    return [...parts, { ...EVERYBODY, from }]
  }

  *#usersOn(day: number): Iterable<{ user: number; events: number }> {
    const { users, counts, length } = this.#days.pairsOf(day)
    for (let pair = 0; pair < length; ) {
      const user = users[pair] as number
      let events = 0
      for (; pair < length && users[pair] === user; pair += 1) events += counts[pair] as number
      yield { user, events }
    }
  }

  /** The days around a day that together have about as many events as are sorted at a time. */
  #daysAround(day: number): number[] {
    const eventsADay = this.#source.events / Math.max(1, this.#days.known().length)
    const length = Math.max(
      1,
      Math.min(MAX_DAYS_AT_ONCE, Math.floor(this.#limits.eventsAtOnce / Math.max(1, eventsADay))),
    )
    const first = Math.floor(day / length) * length
    const all = Array.from({ length }, (_, index) => first + index)
    return all.filter((other) => other === day || this.#isMissing(other))
  }

  #isMissing(day: number): boolean {
    if (segmentCache.has(this.#keyOf(day)) || this.#days.eventsOn(day) === 0) return false
    return this.#store.number('select 1 from timelines where day = ? limit 1', day) === 0
  }

  #inMemory({ nameIds, indexes, ...page }: TimelinePage): Page {
    const { users, length } = page
    const names = this.#namesOf(nameIds)
    const timeline = { ...page, names, indexes: () => indexes }
    return { users: { from: users[0] as number, to: (users[length - 1] as number) + 1 }, head: null, timeline }
  }

  /** Runs within a transaction. */
  #write(day: number, pages: readonly TimelinePage[], firstPage: number): void {
    for (const [index, { length, users, times, codes, nameIds, indexes }] of pages.entries()) {
      const page = firstPage + index
      const head = [day, page, users[0] as number, users[length - 1] as number, length, nameIds.length]
      const blobs = Object.entries({ nameIds, users, times, codes, indexes })
      this.#store.run(
        'insert into timelines values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[...head, checksumOfRow('timeline', ...head)],
        ...blobs.map(([name, array]) => toBlob(array, labelOf(day, page, name))),
      )
    }
  }

  /** The indexes are read when they are first asked for: only filters and groups need them. */
  #read({ day, page, events: length, names: count }: PageHead): Timeline {
    const [row] = this.#store.rows<Record<'name_ids' | 'users' | 'times' | 'codes', ArrayBuffer>>(
      'select name_ids, users, times, codes from timelines where day = ? and page = ?',
      ...[day, page],
    )
    const label = (name: string) => labelOf(day, page, name)
    return {
      length,
      users: fromBlob(row?.users, Uint32Array, { length, label: label('users') }),
      times: fromBlob(row?.times, Uint32Array, { length, label: label('times') }),
      codes: fromBlob(row?.codes, CODES, { length, label: label('codes') }),
      names: this.#namesOf(fromBlob(row?.name_ids, Float64Array, { length: count, label: label('nameIds') })),
      indexes: indexesReader(this.#store, `${this.#keyOf(day)} ${page} indexes`, { day, page, length }),
    }
  }

  #namesOf(ids: Float64Array): string[] {
    return Array.from(ids, (id) => this.#source.nameOf(id))
  }

  #keyOf(day: number): string {
    return `${this.#days.keyOf(day)} timeline`
  }
}

/** Cached, so it must not refer to these columns: it would keep them in memory. */
type Page = { readonly users: UserRange } & (
  | { readonly head: PageHead; readonly timeline: null }
  | { readonly head: null; readonly timeline: Timeline }
)

function indexesReader(
  store: Store,
  key: string,
  { day, page, length }: Record<'day' | 'page' | 'length', number>,
): () => Uint32Array {
  const query = 'select indexes from timelines where day = ? and page = ?'
  const read = () => {
    const [row] = store.rows<Record<'indexes', ArrayBuffer>>(query, day, page)
    return fromBlob(row?.indexes, Uint32Array, { length, label: labelOf(day, page, 'indexes') })
  }
  return () => cachedArray(key, read)
}

/** Only the events of these users. */
function clipped(timeline: Timeline, { from, to }: UserRange): Timeline {
  const { users, times, codes, names, indexes } = timeline
  const [first, behind] = [lowerBound(users, from), lowerBound(users, to)]
  return {
    length: behind - first,
    users: users.subarray(first, behind),
    times: times.subarray(first, behind),
    codes: codes.subarray(first, behind),
    names,
    indexes: () => indexes().subarray(first, behind),
  }
}

function weightOf({ length }: Timeline): number {
  return length * (TIMELINE_EVENT_BYTES - Uint32Array.BYTES_PER_ELEMENT)
}

function labelOf(day: number, page: number, what: string): string {
  return `timeline ${day} ${page} ${what}`
}

/** About what a page takes whose events are not read yet. */
const PAGE_BYTES = 500

const EVERYBODY: UserRange = { from: 0, to: Number.POSITIVE_INFINITY }
const MAX_DAYS_AT_ONCE = 32
