import type { PropertyName } from '../collection/event.ts'
import { MS_PER_DAY } from '../time/days.ts'
import { type Block, FIRST, LAST, NOTHING, type Position } from './block.ts'
import type { Columns, NameSpan, Pairs, Run, Span, Timeline, Values } from './columns.ts'
import { type ContextRow, Contexts } from './contexts.ts'
import { Days } from './days.ts'
import { KnownBefore } from './known-before.ts'
import { Leaves, type Replacing } from './leaves.ts'
import { Ordinals } from './ordinals.ts'
import type { Replacement } from './splice.ts'
import { Damaged, type Store } from './store.ts'

/** Where an event stands among all of an application. */
export interface Place extends Position {
  readonly nameId: number
}

/** What the database has of a stretch of events, in its order: names, and within each time, messenger id and event key. */
export interface Stretch {
  readonly after: Place
  readonly upTo: Place
  readonly blocks: ReadonlyMap<number, Block>
}

/** Of each user that was looked for, by messenger id, 1 where they were there before the first day that is kept, else 0. */
export type KnownMarks = ReadonlyMap<number, number>

const USER_IDS = 'user ids'
const KEPT_FROM = 'kept from'
/** Whether there may still be something older. */
const DROPPING = 'dropping'
/** Leaves that make way in one go, for some ten milliseconds. */
const DROPPED_AT_ONCE = 32
/** Messenger ids are 1 or more: numbers from here downwards, a different one for each user who was forgotten. */
const NO_MESSENGER_ID = -1

interface HowToReplace extends Partial<Omit<Replacing, 'ids'>> {
  /** Of the users of these stretches. */
  readonly known?: KnownMarks
}

const NOBODY: KnownMarks = new Map()

/** An application's activity as columns, in its object's storage. */
export class Activity implements Columns {
  readonly #store: Store
  readonly #leaves: Leaves
  readonly #contexts: Contexts
  #users: Ordinals | undefined
  #userCount: number
  #keptFrom: number | null
  readonly #knownBefore: KnownBefore
  readonly days: Days

  /** Throws `Damaged` if something is missing. */
  constructor(store: Store, how: { readonly manyNames?: number } = {}) {
    store.requireThisVersion()
    this.#store = store
    this.#userCount = store.note<number>(USER_IDS) ?? 0
    store.requireLength(USER_IDS, Float64Array, this.#userCount)
    this.#keptFrom = store.note<number>(KEPT_FROM)
    this.#knownBefore = new KnownBefore(store, this.#keptFrom === null ? 0 : this.#userCount)
    this.#leaves = new Leaves(store, how)
    this.#contexts = new Contexts(store)
    this.days = new Days(store, this)
    const { events } = this.days
    if (this.#leaves.events > 0 && this.#userCount * this.contextCount === 0) throw new Damaged('no users or contexts')
    if (!this.isDropping && events !== null && events !== this.#leaves.events)
      throw new Damaged(`${events} events in days`)
  }

  /** Those whose events are stored. */
  get userCount(): number {
    return this.#userCount
  }

  /** The first day that is kept, in whole days since 1970; null where all are. */
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

  /** Of all names. */
  get events(): number {
    return this.#leaves.events
  }

  get contextCount(): number {
    return this.#contexts.count
  }

  names(): Iterable<NameSpan> {
    return this.#leaves.names()
  }

  runsOf(asked: string | readonly string[] | null, span: Span): Iterable<Run> {
    return this.#leaves.runsOf(asked, span)
  }

  piecesOf(day: number) {
    return this.#leaves.piecesOf(day)
  }

  /** How many events each name has on a day, by the names' ids. */
  countsOn(day: number): Map<number, number> {
    return this.#leaves.countsOn(day)
  }

  pairsOf(day: number): Pairs {
    return this.days.pairsOf(day)
  }

  timelineOf(day: number): Timeline {
    return this.days.timelineOf(day)
  }

  *firstDays(): Generator<void, Int32Array> {
    yield* this.days.firstDays.update()
    return this.days.firstDays.days
  }

  contextCodes(property: PropertyName): Uint32Array {
    return this.#contexts.codes(property)
  }

  contextValues(property: PropertyName): Values {
    return this.#contexts.values(property)
  }

  /** Properties of contexts that an older release did not know: nothing can be asked about them yet. */
  get missingProperties(): readonly PropertyName[] {
    return this.#contexts.missing
  }

  /** Learns them by the contexts that say one. */
  learnProperties(saying: readonly ContextRow[]): void {
    this.#store.transaction(() => this.#contexts.learnMissing(saying))
  }

  nameIds(): readonly number[] {
    return this.#leaves.nameIds()
  }

  contextIds(): Float64Array {
    return this.#contexts.ordinals.ids.subarray(0, this.contextCount)
  }

  telegramIds(): Float64Array {
    return this.#userOrdinals.ids.subarray(0, this.userCount)
  }

  hasName(nameId: number): boolean {
    return this.#leaves.hasName(nameId)
  }

  hasContext(id: number): boolean {
    return this.#contexts.ordinals.has(id)
  }

  /** Adds names and contexts that events are about to point at. */
  learn(names: readonly { id: number; name: string }[], contexts: readonly ContextRow[]): void {
    this.#store.transaction(() => {
      for (const { id, name } of names) this.#leaves.addName(id, name)
      this.#contexts.add(contexts)
    })
  }

  contextOrdinal(id: number): number {
    if (!this.hasContext(id)) throw new Error(`The context ${id} is not known`)
    return this.#contexts.ordinals.of(id)
  }

  telegramIdOf(user: number): number {
    return this.#userOrdinals.ids[user] as number
  }

  userOf(telegramId: number): number | null {
    const user = this.#userOrdinals.find(telegramId)
    return user !== null && user < this.#userCount ? user : null
  }

  /** By messenger id; a new one where the user was never seen. It is stored with the next stretch. */
  userOrdinal(telegramId: number): number {
    return this.#userOrdinals.of(telegramId)
  }

  /**
   * Forgets the messenger id of a user who has no event any more; the ordinal stays. With a later event the same person is a new
   * user. This object is of no use any more afterwards: a new one reads what is stored.
   */
  forgetUser(telegramId: number): void {
    const user = this.userOf(telegramId)
    if (user === null) return
    const { firstDays } = this.days
    for (const day of firstDays.update()) void day
    if (!firstDays.isNever(user)) return
    const item = NO_MESSENGER_ID - user
    this.#store.transaction(() =>
      this.#store.replaceItem(USER_IDS, Float64Array, { place: user, length: this.#userCount, item }),
    )
  }

  /** Forgets the texts of names without events and of contexts, by their ids; nothing else may have them. Also the last thing to do. */
  forgetTexts({ names, contexts }: { readonly names: readonly number[]; readonly contexts: readonly number[] }): void {
    this.#store.transaction(() => {
      for (const id of names) this.#leaves.forgetName(id)
      this.#contexts.forgetTexts(contexts)
    })
  }

  /** Forgets the days before this one. By user there is a mark for those who were known before; then `dropOlder` is to be called. */
  keepFrom(day: number, marks: Uint8Array): void {
    this.#store.transaction(() => {
      this.#store.setNote(KEPT_FROM, day)
      this.#store.setNote(DROPPING, true)
      this.#knownBefore.learn(marks.entries(), this.#userCount)
      this.days.dropBefore(day)
    })
    this.#keptFrom = day
  }

  /** Drops some of the events of earlier days. Returns whether there may be more. */
  dropOlder(leaves = DROPPED_AT_ONCE): boolean {
    const { ids } = this.#userOrdinals
    return this.#store.transaction(() => {
      const found = this.#leaves.dropBefore((this.#keptFrom ?? 0) * MS_PER_DAY, { ids, leaves })
      if (found) return true
      this.#store.setNote(DROPPING, false)
      // Questions that were answered meanwhile have met some of them.
      this.days.forgetMemory()
      return false
    })
  }

  /**
   * Puts stretches in the place of what was known of them, all or nothing. They are in order and do not overlap. After an error
   * this object is of no use any more: a new one reads what is stored.
   */
  replace(stretches: readonly Stretch[], { isForced = false, known = NOBODY, ...how }: HowToReplace = {}): void {
    this.#store.transaction(() => {
      this.#storeUsers()
      if (this.#keptFrom !== null) this.#learnKnown(known)
      const { ids } = this.#userOrdinals
      for (const [nameId, replacements] of this.#byName(stretches)) {
        const { changed, rewritten } = this.#leaves.replace(nameId, replacements, { ...how, ids, isForced })
        this.days.touch(changed, ['pairs', 'figures', 'comparison'])
        this.days.touch(rewritten, ['pairs'])
      }
    })
  }

  get #userOrdinals(): Ordinals {
    this.#users ??= new Ordinals(this.#store.readArray(USER_IDS, Float64Array, this.userCount))
    return this.#users
  }

  #storeUsers(): void {
    const { ids, count } = this.#userOrdinals
    const stored = this.#userCount
    if (count === stored) return
    this.#store.appendArray(USER_IDS, stored, ids.slice(stored, count))
    this.#store.setNote(USER_IDS, count)
    this.#userCount = count
  }

  #learnKnown(known: KnownMarks): void {
    const marks = [...known].flatMap(([telegramId, mark]) => {
      const user = this.userOf(telegramId)
      return user === null ? [] : [[user, mark] as const]
    })
    if (this.#knownBefore.learn(marks, this.#userCount)) this.days.firstDays.forget()
  }

  #byName(stretches: readonly Stretch[]): Map<number, Replacement[]> {
    const byName = new Map<number, Replacement[]>()
    for (const stretch of stretches) {
      for (const nameId of this.#namesWithin(stretch)) {
        const list = byName.get(nameId) ?? []
        list.push(replacementOf(stretch, nameId))
        byName.set(nameId, list)
      }
    }
    return byName
  }

  /** The names of which something lies in a stretch, here or in the database. */
  #namesWithin({ after, upTo, blocks }: Stretch): Set<number> {
    if (after.nameId === upTo.nameId) return new Set([after.nameId])
    const between = this.#leaves.namesBetween(after.nameId, upTo.nameId)
    return new Set([after.nameId, ...between, ...blocks.keys(), upTo.nameId])
  }
}

function replacementOf({ after, upTo, blocks }: Stretch, nameId: number): Replacement {
  return {
    after: nameId === after.nameId ? after : FIRST,
    upTo: nameId === upTo.nameId ? upTo : LAST,
    block: blocks.get(nameId) ?? NOTHING,
  }
}
