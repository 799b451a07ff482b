import type { PropertyName } from '../base/event.ts'
import { type Calendar, calendarOf } from '../base/time/calendar.ts'
import { type Chunk, FIRST, type KeyRange, LAST, NOTHING } from './chunk.ts'
import type { Columns, FirstTouches, NameSpan, Pairs, Span, Timeline, UserRange, Values } from './columns.ts'
import { type ContextRow, Contexts } from './contexts.ts'
import { Days } from './days.ts'
import { KnownBefore } from './known-before.ts'
import { StoredOrdinals } from './ordinals.ts'
import { type RememberedRows, RememberedUsers } from './remembered.ts'
import { type NamedSlice, SegmentIndex, type SegmentLimits } from './segments.ts'
import type { Replacement } from './splice.ts'
import { Damaged, type Store } from './store.ts'
import type { TimelineLimits } from './timelines.ts'

/** What the database has in a key range, by the names' ids. */
export interface RangeContents extends KeyRange {
  readonly chunks: ReadonlyMap<number, Chunk>
}

/** Whether each user was there before the first day that is kept: 1 or 0, by messenger id. */
export type KnownMarks = ReadonlyMap<number, number>

const USER_IDS = 'user ids'
/** The note that says whose days these columns count by; without it they are those of UTC. */
export const TIME_ZONE = 'time zone'
const KEPT_FROM = 'kept from'
/** Whether there may still be older events. */
const DROPPING = 'dropping'
/** Segments dropped in one turn, which takes about ten milliseconds. */
const DROPPED_AT_ONCE = 32
/** Forgotten users have different numbers from here down instead of a messenger id, which is 1 or more. */
const NO_MESSENGER_ID = -1

interface HowToReplace {
  /** Whether to rewrite even what did not change. */
  readonly isForced?: boolean
  /** Marks for the users of the ranges. */
  readonly known?: KnownMarks | undefined
  /** What the database remembers of those users who are new here. */
  readonly remembered?: RememberedRows
}

/** An application's activity as columns, in its object's storage. */
export class Activity implements Columns {
  readonly #store: Store
  readonly #users: StoredOrdinals
  readonly calendar: Calendar
  #keptFrom: number | null
  readonly #knownBefore: KnownBefore
  readonly remembered: RememberedUsers
  readonly segments: SegmentIndex
  readonly contexts: Contexts
  readonly days: Days

  /** Throws `Damaged` if anything is missing. Tests have smaller limits. */
  constructor(store: Store, limits: Partial<SegmentLimits & TimelineLimits> = {}) {
    store.requireThisVersion()
    this.#store = store
    this.calendar = calendarOf(store.note<string>(TIME_ZONE) ?? undefined)
    this.#users = new StoredOrdinals(store, USER_IDS)
    this.#keptFrom = store.note<number>(KEPT_FROM)
    this.#knownBefore = new KnownBefore(store, this.#keptFrom === null ? 0 : this.userCount)
    this.remembered = new RememberedUsers(store, this.userCount)
    this.segments = new SegmentIndex(store, { calendar: this.calendar, ids: () => this.#users.all.ids }, limits)
    this.contexts = new Contexts(store)
    this.days = new Days(store, this, limits)
    const { events } = this.days
    if (this.segments.events > 0 && this.userCount * this.contextCount === 0) throw new Damaged('no users or contexts')
    if (!this.isDropping && events !== null && events !== this.segments.events)
      throw new Damaged(`${events} events in days`)
  }

  /** Users whose events are stored. */
  get userCount(): number {
    return this.#users.count
  }

  /** The first day that is kept, in whole days since 1970; null if all are. */
  get keptFrom(): number | null {
    return this.#keptFrom
  }

  /** Whether events of earlier days may still be here. */
  get isDropping(): boolean {
    return this.#store.note<boolean>(DROPPING) === true
  }

  isKnownBefore(user: number): boolean {
    return this.#keptFrom !== null && this.#knownBefore.has(user)
  }

  /** Whether the database may remember first events of users that are not stored. */
  get remembers(): boolean {
    return this.#keptFrom !== null || this.remembered.isUsed
  }

  readFirstTouches(): Generator<void> {
    return this.days.firstTouches.update()
  }

  get firstTouches(): FirstTouches {
    return this.days.firstTouches
  }

  /** The number of events of all names. */
  get events(): number {
    return this.segments.events
  }

  get contextCount(): number {
    return this.contexts.count
  }

  names(): Iterable<NameSpan> {
    return this.segments.names()
  }

  slicesOf(asked: string | readonly string[] | null, span: Span): Iterable<NamedSlice> {
    return this.segments.slicesOf(asked, span)
  }

  pairsOf(day: number): Pairs {
    return this.days.pairsOf(day)
  }

  eventsOn(day: number): number {
    return this.days.eventsOn(day)
  }

  timelinesOf(day: number, users?: UserRange): Iterable<Timeline> {
    return this.days.timelines.of(day, users)
  }

  nameOf(nameId: number): string {
    return this.segments.nameOf(nameId)
  }

  *firstDays(): Generator<void, Int32Array> {
    yield* this.days.firstDays.update()
    return this.days.firstDays.days
  }

  contextCodes(property: PropertyName): Uint32Array {
    return this.contexts.codes(property)
  }

  contextValues(property: PropertyName): Values {
    return this.contexts.values(property)
  }

  /** Learns the missing properties of contexts from those that have a value for one. */
  learnProperties(saying: readonly ContextRow[]): void {
    this.#store.transaction(() => this.contexts.learnMissing(saying))
  }

  telegramIds(): Float64Array {
    return this.#users.ids
  }

  /** Adds names and contexts before events refer to them. */
  learn(names: readonly { id: number; name: string }[], contexts: readonly ContextRow[]): void {
    this.#store.transaction(() => {
      for (const { id, name } of names) this.segments.addName(id, name)
      this.contexts.add(contexts)
    })
  }

  telegramIdOf(user: number): number {
    return this.#users.all.ids[user] as number
  }

  userOf(telegramId: number): number | null {
    const user = this.#users.all.find(telegramId)
    return user !== null && user < this.userCount ? user : null
  }

  /** The ordinal of a messenger id. A new user gets a new one, which the next `replace` stores. */
  userOrdinal(telegramId: number): number {
    return this.#users.all.of(telegramId)
  }

  /**
   * Forgets what is remembered of a user, and the messenger id of one without events; the ordinal stays. With a later event the same person is a new user. Do not
   * use this instance afterwards: a new one reads what is stored.
   */
  forgetUser(telegramId: number): void {
    const user = this.userOf(telegramId)
    if (user === null) return
    this.#store.transaction(() => this.remembered.learn([[user, null]], this.userCount))
    const { firstDays } = this.days
    for (const day of firstDays.update()) void day
    if (!firstDays.isNever(user)) return
    const ids = this.telegramIds().slice()
    ids[user] = NO_MESSENGER_ID - user
    this.#store.rewriteItems(USER_IDS, ids, [user])
  }

  /** Forgets the texts of these names, which have no events, and of these contexts. Do not use this instance afterwards. */
  forgetTexts({ names, contexts }: { readonly names: readonly number[]; readonly contexts: readonly number[] }): void {
    this.#store.transaction(() => {
      for (const id of names) this.segments.forgetName(id)
      this.contexts.forgetTexts(contexts)
    })
  }

  /**
   * Forgets the days before this one, but not the first events of users; call `readFirstTouches` before and `dropOlder` next. `marks`
   * has a 1 for each user who was there before.
   */
  keepFrom(day: number, marks: Uint8Array): void {
    for (const step of this.readFirstTouches()) void step
    const remembered = this.days.firstTouches.before(this.calendar.startOf(day))
    this.#store.transaction(() => {
      this.remembered.learn(remembered, this.userCount)
      this.#store.setNote(KEPT_FROM, day)
      this.#store.setNote(DROPPING, true)
      this.#knownBefore.learn(marks.entries(), this.userCount)
      this.days.dropBefore(day)
    })
    this.#keptFrom = day
  }

  /** Drops some of the events of earlier days. Returns whether there may be more. */
  dropOlder(segments = DROPPED_AT_ONCE): boolean {
    return this.#store.transaction(() => {
      const found = this.segments.dropBefore(this.calendar.startOf(this.#keptFrom ?? 0), segments)
      if (found) return true
      this.#store.setNote(DROPPING, false)
      // Questions answered in the meantime cached some of these events.
      this.days.forgetMemory()
      return false
    })
  }

  /**
   * Replaces what was known of these ranges, all or nothing. They are in order and do not overlap. After an error, do not use this
   * instance: a new one reads what is stored.
   */
  replace(
    ranges: readonly RangeContents[],
    { isForced, known = new Map(), remembered = new Map() }: HowToReplace = {},
  ): void {
    this.#store.transaction(() => {
      this.#users.store()
      this.remembered.learnRows(remembered, this)
      if (this.#keptFrom !== null) this.#learnKnown(known)
      for (const [nameId, replacements] of this.#byName(ranges)) {
        const { changed, rewritten, added } = this.segments.replace(nameId, replacements, isForced)
        this.days.touch(changed, ['pairs', 'figures', 'comparison'], added)
        this.days.touch(rewritten, ['pairs'])
      }
    })
  }

  /** Learns what the database remembers of users, which may be less than what is known here. From then on it is asked about new users. */
  remember(rows: RememberedRows): void {
    this.#store.transaction(() => {
      this.remembered.begin(this.userCount)
      this.remembered.learnRows(rows, this)
    })
    if (rows.size > 0) this.days.firstTouches.forget()
  }

  #learnKnown(known: KnownMarks): void {
    const marks = [...known].flatMap(([telegramId, mark]) => {
      const user = this.userOf(telegramId)
      return user === null ? [] : [[user, mark] as const]
    })
    if (this.#knownBefore.learn(marks, this.userCount)) this.days.firstDays.forget()
  }

  #byName(ranges: readonly RangeContents[]): Map<number, Replacement[]> {
    const byName = new Map<number, Replacement[]>()
    for (const range of ranges) {
      for (const nameId of this.#namesWithin(range)) {
        const list = byName.get(nameId) ?? []
        list.push(replacementOf(range, nameId))
        byName.set(nameId, list)
      }
    }
    return byName
  }

  /** The names with events in a range, here or in the database. */
  #namesWithin({ after, upTo, chunks }: RangeContents): Set<number> {
    if (after.nameId === upTo.nameId) return new Set([after.nameId])
    const between = this.segments.namesBetween(after.nameId, upTo.nameId)
    return new Set([after.nameId, ...between, ...chunks.keys(), upTo.nameId])
  }
}

function replacementOf({ after, upTo, chunks }: RangeContents, nameId: number): Replacement {
  return {
    after: nameId === after.nameId ? after : FIRST,
    upTo: nameId === upTo.nameId ? upTo : LAST,
    chunk: chunks.get(nameId) ?? NOTHING,
  }
}
