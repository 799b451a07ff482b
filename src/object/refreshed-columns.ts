import { keptFromIn } from '../accounts/applications/kept.ts'
import { logError, logInfo } from '../base/log.ts'
import { calendarOf, UTC_NAME } from '../base/time/calendar.ts'
import { withTimeout } from '../base/time/with-timeout.ts'
import { type Activity, TIME_ZONE } from '../columns/activity.ts'
import { Damaged, Outdated, Store } from '../columns/store.ts'
import type { Question, Reply } from '../questions/engine/report.ts'
import { bindingOf, databaseOf } from '../storage/activity.ts'
import { openDatabase } from '../storage/database.ts'
import { generationOf, type ObjectKey } from '../storage/object-name.ts'
import type { Alarms } from './alarms.ts'
import { answer, replyTo, searchNames, TooLong } from './answering.ts'
import { ColumnsSync, type SyncRun } from './columns-sync.ts'
import { FairQueue, OWN_WORK } from './fair-queue.ts'
import { selectSurroundings } from './sql.ts'
import { WaitingLists } from './waiting-lists.ts'

/** Between runs, so that a burst of deliveries costs few of them. */
const PAUSE_MS = 1_500
/** A run takes from collection what the machine and the database have: after a long one, several times as long a pause. */
const PAUSE_SHARE = 3
const LONGEST_REST_MS = 5_000
/** Columns that heard of no changes for so long look for some before they answer: a wake-up may have been lost. */
const OLD_AFTER_MS = 10_000
/** How long a question waits for that. */
const LOOK_TIMEOUT_MS = 1_000
/** The timeout if there are no columns yet. */
const FILL_TIMEOUT_MS = 8_000
/** The longest wait for a turn. Callers that wait longer get `busy`; by then they have retried or given up. */
const LONGEST_WAIT_MS = 5_000
/** What SQLite says of an object's own file; what it says of D1 begins with other words. */
const BROKEN_FILE = /^(database disk image is malformed|file is not a database)\b/

const FILLING: Reply = { kind: 'filling' }
const BUSY: Reply = { kind: 'busy' }

interface Surroundings {
  readonly storage: DurableObjectStorage
  readonly env: () => Env
  readonly alarms: Alarms
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
}

interface Runs {
  readonly runs: number
  /** Whether there is more to be read. */
  readonly more: boolean
}

/**
 * The columns of one object: refreshed by one run at a time, asked in turns, and dropped and filled again where they cannot be used:
 * the database has everything.
 */
export class RefreshedColumns {
  readonly #queue = new FairQueue()
  readonly #around: Surroundings
  #store: Store | null = null
  #sync: ColumnsSync | null = null
  #running: Promise<boolean> | null = null
  /** When it last tried to look for changes, and until when it rests after a run: milliseconds since 1970 UTC. */
  #lookedAt = 0
  readonly #lists = new WaitingLists()
  #restsUntil = 0

  constructor(around: Surroundings) {
    this.#around = around
  }

  wake(key: ObjectKey): Promise<void> {
    return this.#mending(key, () => this.#wake(key))
  }

  #wake(key: ObjectKey): Promise<void> {
    return this.#around.alarms.ringForColumns(key, this.#restsUntil)
  }

  ask(key: ObjectKey, question: Question): Promise<Reply> {
    return this.#mending<Reply>(key, () => this.#ask(key, question), FILLING)
  }

  async #ask(key: ObjectKey, question: Question): Promise<Reply> {
    const { now } = this.#around
    // A Worker of the release before does not say who asks.
    const { caller = '' }: Partial<Question> = question
    if (!this.#lists.hasRoomFor(question)) return BUSY
    try {
      await this.#look(key)
      if (this.#queue.isFullFor(caller)) return BUSY
      const arrived = now()
      const isTooLate = () => now() - arrived > LONGEST_WAIT_MS
      return await this.#queue.run(caller, () => (isTooLate() ? BUSY : this.#answer(key, question)))
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      // A new sync looks at everything that this one took for sound.
      this.#sync = null
      await this.#wake(key)
      return FILLING
    } finally {
      this.#lists.leave(question)
    }
  }

  async #answer(key: ObjectKey, question: Question): Promise<Reply> {
    const { asOf, since, activity, store } = this.#syncOf(key)
    if (asOf === null) return FILLING
    try {
      const pace = { now: this.#around.now, pause: (milliseconds: number) => scheduler.wait(milliseconds) }
      const part = await answer(question, activity, pace)
      return { kind: 'answer', part, asOf, since, unknown: await searchNames(question, activity, pace) }
    } catch (error) {
      if (error instanceof TooLong)
        logError('question stopped', error, { application: key.applicationId, part: key.part })
      const reply = replyTo(error)
      if (reply) return reply
      if (!(error instanceof Damaged)) throw error
      this.#startAnew(error, store, key)
      await this.wake(key)
      return FILLING
    }
  }

  /** Waits until columns are there and as fresh as they should be. The alarm tries again what fails here. */
  async #look(key: ObjectKey): Promise<void> {
    const { asOf } = this.#syncOf(key)
    const now = this.#around.now()
    if (asOf === null) {
      await waitFor(this.#fill(key), FILL_TIMEOUT_MS)
      if (this.#syncOf(key).asOf === null) await this.wake(key)
      return
    }
    if (now - Math.max(asOf, this.#lookedAt) < OLD_AFTER_MS) return
    this.#lookedAt = now
    await waitFor(this.#run(key), LOOK_TIMEOUT_MS)
  }

  async #fill(key: ObjectKey): Promise<void> {
    while (this.#syncOf(key).asOf === null && (await this.#run(key)));
  }

  /** Reads what changed, in this many runs at most, and only while it may continue. */
  refresh(key: ObjectKey, mostRuns = Number.POSITIVE_INFINITY, mayContinue = () => true): Promise<Runs> {
    return this.#mending(key, () => this.#refresh(key, mostRuns, mayContinue), { runs: 0, more: true })
  }

  async #refresh(key: ObjectKey, mostRuns: number, mayContinue: () => boolean): Promise<Runs> {
    // The current run may have begun before there was what this one is to find.
    await this.endOfRun()
    let [runs, more] = [1, await this.#run(key)]
    for (; more && runs < mostRuns && mayContinue(); runs += 1) more = await this.#run(key)
    return { runs, more }
  }

  /** Returns once the current run has ended, if there is one. */
  async endOfRun(): Promise<void> {
    await this.#running?.catch(() => {})
  }

  /** One run at a time: callers that come meanwhile wait for the current one. */
  #run(key: ObjectKey): Promise<boolean> {
    const { now } = this.#around
    const began = now()
    this.#running ??= this.#runOnce(key).finally(() => {
      this.#running = null
      const ended = now()
      const rest = Math.min((ended - began) * PAUSE_SHARE, LONGEST_REST_MS)
      this.#restsUntil = ended + Math.max(PAUSE_MS, rest)
    })
    return this.#running
  }

  async #runOnce(key: ObjectKey): Promise<boolean> {
    const opened = await this.#open(key)
    // Nobody asks a partitioning that was dropped, and without its zone it must not count.
    if (opened === null) return false
    const { timeZone, ...run } = opened
    const sync = this.#syncIn(timeZone, key)
    try {
      return (await sync.run(run)) || (await sync.compare(run))
    } catch (error) {
      if (error instanceof Damaged) this.#startAnew(error, sync.store, key)
      if (error instanceof Outdated) return true
      throw error
    }
  }

  /** Each run asks again: what is read where an application was before would be taken for everything. */
  async #open(key: ObjectKey): Promise<(SyncRun & { readonly timeZone: string }) | null> {
    const { env, now } = this.#around
    const directory = openDatabase(env().DB)
    const [found] = await selectSurroundings(directory, key)
    const timeZone = generationOf(key.objects) === 0 ? UTC_NAME : found?.ownZone
    if (!timeZone) return null
    // An application that is gone is in the first database.
    const number = databaseOf(found?.databases ?? [1], key.part)
    const db = number === 1 ? directory : openDatabase(bindingOf(env(), number))
    const keptFrom = found ? keptFromIn(calendarOf(timeZone), found) : null
    return { db, number, directory, keptFrom, timeZone, now: now() }
  }

  /** A new object learns its time zone before it reads anything. What it knows by the days of another one is of no use. */
  #syncIn(timeZone: string, key: ObjectKey): ColumnsSync {
    const sync = this.#syncOf(key)
    const { activity, store } = sync
    if (activity.calendar.timeZone === timeZone) return sync
    if (activity.userCount > 0)
      logInfo('columns of another time zone are made anew', { application: key.applicationId })
    store.clear()
    store.setNote(TIME_ZONE, timeZone)
    this.#close()
    return this.#syncOf(key)
  }

  /** The events that the columns hold. */
  heldEvents(key: ObjectKey): Promise<number> {
    return this.#mending(key, async () => this.#syncOf(key).activity.events)
  }

  /** Forgets something while nothing else looks at the columns. Nothing of it is left in memory. */
  async forget(key: ObjectKey, forget: (activity: Activity) => void): Promise<void> {
    while (this.#running) await this.endOfRun()
    const forgetting = this.#queue.run(OWN_WORK, () => {
      forget(this.#syncOf(key).activity)
      this.#sync = null
      return false
    })
    this.#running = forgetting.finally(() => {
      this.#running = null
    })
    await this.#running
  }

  drop(): void {
    this.#store ??= new Store(this.#around.storage)
    this.#store.drop()
    this.#close()
  }

  /** Runs something. If the object's own storage fails, drops that and returns `instead`, or runs it again. */
  async #mending<T>(key: ObjectKey, work: () => Promise<T>, instead?: T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && BROKEN_FILE.test(error.message))) throw error
      this.#close()
      await this.#dropStorage(error, key.applicationId)
      await this.#wake(key)
      return instead ?? work()
    }
  }

  /** The database has everything but the day's quotas, and cron tells of jobs. */
  async #dropStorage(error: unknown, application: number): Promise<void> {
    logError('storage of an object is damaged and made anew', error, { application })
    try {
      await this.#around.storage.deleteAll()
    } catch (failure) {
      const problem = 'storage of an object cannot be dropped: restart the service, or "npm run account -- rebuild"'
      logError(problem, failure, { application })
      throw failure
    }
  }

  #close(): void {
    this.#store?.close()
    this.#store = null
    this.#sync = null
  }

  #syncOf(key: ObjectKey): ColumnsSync {
    if (!this.#sync?.isSound) this.#sync = this.#newSync(key)
    return this.#sync
  }

  #newSync(key: ObjectKey): ColumnsSync {
    this.#store ??= new Store(this.#around.storage)
    try {
      return new ColumnsSync({ store: this.#store, key, queue: this.#queue })
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      this.#startAnew(error, this.#store, key)
      return this.#newSync(key)
    }
  }

  #startAnew(error: Damaged, store: Store, { applicationId: application }: ObjectKey): void {
    if (store !== this.#store) return
    if (error instanceof Outdated) logInfo('columns are of another time and made anew', { application })
    else if (store.isWritten()) logError('columns are made anew', error, { application })
    store.clear()
    this.#close()
  }
}

async function waitFor(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const ended = work.catch((error) => logError('columns not refreshed', error))
  await withTimeout(ended, timeoutMs).catch(() => 'it continues without a caller')
}
