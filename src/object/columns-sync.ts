import { dataSince } from '../accounts/applications/kept.ts'
import { utcDayOf } from '../base/time/days.ts'
import { Activity } from '../columns/activity.ts'
import type { EventCursor } from '../columns/chunk.ts'
import {
  hasAllIds,
  learnProperties,
  learnWhetherRemembered,
  type Refreshing,
  readKnownBefore,
  refreshAfter,
  refreshSpans,
  rememberUsers,
  START,
} from '../columns/refresh.ts'
import { REMEMBERED } from '../columns/remembered.ts'
import { Damaged, Outdated, type Store } from '../columns/store.ts'
import { FORGETTING, isOfAllTime, namesOf, readChanges, type StoredChange } from '../questions/rollups/changes.ts'
import { FiguresWriter } from '../questions/rollups/figures-writer.ts'
import type { BatchDatabase } from '../storage/database.ts'
import type { ObjectKey } from '../storage/object-name.ts'
import { compare } from './comparison.ts'
import { type FairQueue, OWN_WORK } from './fair-queue.ts'
import { selectIsWanted, selectWhetherCounted } from './sql.ts'

interface SyncedColumns {
  readonly store: Store
  readonly key: ObjectKey
  readonly queue: FairQueue
}

export interface SyncRun {
  /** The activity database that has the object's users, and its number. */
  readonly db: BatchDatabase
  readonly number: number
  /** The control database: the same as `db` if that is the first activity database. */
  readonly directory: BatchDatabase
  /** The first day that the application keeps, in the object's own calendar; null if it keeps all. */
  readonly keptFrom: number | null
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** How far a pass over all names and all time has come, and the mark of the change that asked for it. */
interface Scan {
  readonly after: EventCursor
  readonly mark: number
}

/** Changes that one run works off. */
const CHANGES = 5_000

/** Keeps an object's columns equal to the database, and the daily figures there equal to the columns. */
export class ColumnsSync {
  readonly #synced: SyncedColumns
  readonly #activity: Activity
  readonly #figures: FiguresWriter
  #isSound = true

  /** Throws `Damaged` if what is stored cannot be used. */
  constructor(synced: SyncedColumns) {
    this.#synced = synced
    this.#activity = new Activity(synced.store)
    this.#figures = new FiguresWriter({ ...synced, activity: this.#activity, exclusively: this.#exclusively })
  }

  /** False once something failed half-way: what is in memory may not be what is stored. A new sync is needed then. */
  get isSound(): boolean {
    return this.#isSound
  }

  get store(): Store {
    return this.#synced.store
  }

  /** What questions are answered from, within the queue. */
  get activity(): Activity {
    return this.#activity
  }

  /** Every event that was stored until then is in the columns: milliseconds since 1970 UTC; null while they are being filled. */
  get asOf(): number | null {
    return this.#activity.contexts.missing.length > 0 ? null : this.#synced.store.note('as of')
  }

  /** The first day about which everything is known, in whole days since 1970; null if all is kept. */
  get since(): number | null {
    const { keptFrom } = this.#activity
    return keptFrom === null ? null : dataSince(keptFrom)
  }

  /**
   * Works off changes: the newest first, and a portion of the pass over everything if there is one. Returns whether there is
   * more to be done.
   */
  async run(running: SyncRun): Promise<boolean> {
    const { store, key } = this.#synced
    const { db, now } = running
    await this.#requireSameIds(running)
    await this.#drop()
    const changes = await readChanges(db, key, CHANGES)
    const all = changes.find(isOfAllTime)
    if (all?.from === FORGETTING) this.#requireForgotten(all)
    await learnProperties(this.#refreshing(db))
    const spans = changes.filter((change) => !isOfAllTime(change))
    if (!this.#isFilled) return this.#fill(all, running)
    const [remembered, events] = [spans.filter(isOfUsers), spans.filter((span) => !isOfUsers(span))]
    await refreshSpans(events.flatMap(toSpans), this.#refreshing(db))
    for (const users of remembered) await rememberUsers(this.#refreshing(db), users)
    if (!all) this.#forgetScan()
    const isScanned = !all || store.note('scanned') === all.mark || (await this.#scan(all, db))
    const isUpToDate = isScanned && changes.length < CHANGES
    if (isUpToDate) store.setNote('as of', now)
    await this.#figures.write(all && isUpToDate ? [...spans, all] : spans, running)
    if (isUpToDate) {
      this.#forgetScan()
      // Not before: the figures of days that go are as they are to stay.
      await this.#keep(running)
    }
    return !isUpToDate
  }

  /**
   * Once a day, and after a pass over everything. Makes the timelines of the days that are over, too. Returns whether something is to
   * be read again.
   */
  async compare({ db, now }: SyncRun): Promise<boolean> {
    const { store } = this.#synced
    if (this.asOf === null || store.note('compared on') === utcDayOf(now)) return false
    const different = await compare({ ...this.#refreshing(db), now })
    const timelines = this.#activity.days.timelines.makeMissing()
    while (!(await this.#exclusively(() => timelines.next().done)));
    store.setNote('compared on', utcDayOf(now))
    return different > 0
  }

  /** Throws `Outdated` where something is known from before this change. */
  #requireForgotten({ mark }: StoredChange): void {
    const { store } = this.#synced
    if (store.note('begun for') === mark) return
    if (this.#isFilled || store.note('scan') !== null) throw new Outdated('the database is of another time')
    store.setNote('begun for', mark)
  }

  /** Whether a pass over everything has come to its end. */
  get #isFilled(): boolean {
    return this.#synced.store.note('scanned') !== null
  }

  /**
   * An application that was moved has the same names and contexts there by the same ids, but for those that were in two databases
   * and are in one now. Then what is known by the others is of no use: throws `Damaged`.
   */
  async #requireSameIds({ db, number }: SyncRun): Promise<void> {
    const { store } = this.#synced
    const known = store.note<number>('database') ?? 1
    if (known === number) return
    if (!(await hasAllIds(this.#refreshing(db)))) throw new Damaged('other ids after a move')
    store.setNote('database', number)
  }

  #refreshing(db: BatchDatabase): Refreshing {
    return { db, key: this.#synced.key, activity: this.#activity, exclusively: this.#exclusively }
  }

  /** Drops what is older than the application keeps. */
  async #keep({ db, keptFrom }: SyncRun): Promise<void> {
    const activity = this.#activity
    if (keptFrom === null || keptFrom <= (activity.keptFrom ?? 0)) return
    const marks = await readKnownBefore(this.#refreshing(db), keptFrom)
    // A day in a turn, so that questions get theirs.
    const touches = activity.readFirstTouches()
    while (!(await this.#exclusively(() => touches.next().done)));
    await this.#exclusively(() => {
      activity.keepFrom(keptFrom, marks)
      this.#figures.forgetBefore(keptFrom)
    })
    await this.#drop()
  }

  /** Drops a stretch in a turn, so that questions get theirs. If this is interrupted, the next run continues. */
  async #drop(): Promise<void> {
    const activity = this.#activity
    while (activity.isDropping) await this.#exclusively(() => activity.dropOlder())
  }

  /** A retired partitioning is not filled again: its objects are woken by what comes late. Returns whether there is more to be done. */
  async #fill(all: StoredChange | undefined, running: SyncRun): Promise<boolean> {
    const { db, directory, keptFrom } = running
    const { key } = this.#synced
    await learnWhetherRemembered(this.#refreshing(db))
    const [counted] = keptFrom === null ? [] : await selectWhetherCounted(directory, key)
    // Otherwise it reads everything first: figures of days that go are to stay.
    if (counted) await this.#keep(running)
    const [partitioning] = await selectIsWanted(directory, key)
    if (!partitioning?.isWanted) return false
    await this.#scan(all, db)
    return true
  }

  readonly #exclusively = <T>(work: () => T): Promise<T> =>
    this.#synced.queue.run(OWN_WORK, () => {
      try {
        return work()
      } catch (error) {
        this.#isSound = false
        throw error
      }
    })

  /** A change that is made after the last one was acknowledged has its marks from the beginning. */
  #forgetScan(): void {
    const { store } = this.#synced
    if (store.note('scanned') !== 0) store.setNote('scanned', 0)
  }

  /** Goes on with the pass over everything, from its beginning if it was requested again. Returns whether it is over. */
  async #scan(all: StoredChange | undefined, db: BatchDatabase): Promise<boolean> {
    const { store } = this.#synced
    const known = store.note<Scan>('scan')
    const mark = all?.mark ?? 0
    const after = await refreshAfter(known && known.mark === mark ? known.after : START, this.#refreshing(db))
    store.transaction(() => {
      store.setNote('scan', after && { after, mark })
      if (after) return
      store.setNote('scanned', mark)
      store.setNote('compared on', null)
      this.#activity.days.addToAll(['figures', 'comparison'])
    })
    return after === null
  }
}

function isOfUsers({ nameId }: StoredChange): boolean {
  return nameId === REMEMBERED
}

function toSpans(change: StoredChange) {
  return namesOf(change).map((nameId) => ({ nameId, fromTime: change.from, toTime: change.to }))
}
