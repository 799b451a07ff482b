import { DurableObject } from 'cloudflare:workers'
import { makeKeyPair } from '../accounts/applications/first-key-pair.ts'
import { type EventOfKey, MAX_NEW_KEYS } from '../accounts/new-keys.ts'
import { type Counting, countUnopenedSeals, countUse, findQuotasUsed } from '../accounts/quotas/ledger.ts'
import { type QuotaName, quotasOf, type Use } from '../accounts/quotas/quota.ts'
import type { Activity } from '../columns/activity.ts'
import { deleteWork } from '../lifecycle/deletion/delete.ts'
import { eraseWork } from '../lifecycle/erasure/job.ts'
import { type ExportSlot, ExportSlots, type SlotRefusal } from '../lifecycle/export/slots.ts'
import { runJobs, type Works } from '../lifecycle/jobs/jobs.ts'
import { move } from '../lifecycle/moves/move.ts'
import { retain } from '../lifecycle/retention/retain.ts'
import type { Question, Reply } from '../questions/engine/report.ts'
import { inJurisdiction } from '../storage/application-objects.ts'
import { openDatabase } from '../storage/database.ts'
import { EntryCache } from '../storage/memory.ts'
import type { ObjectKey } from '../storage/object-name.ts'
import { Alarms } from './alarms.ts'
import { KeptCounts } from './kept-counts.ts'
import { RefreshedColumns } from './refreshed-columns.ts'
import { selectIsWanted } from './sql.ts'

/** The most runs of one alarm; with a backlog, each reads some 16,000 events. */
const RUNS_AN_ALARM = 50

/** The work of each kind of job. */
export const WORKS: Works = { delete: deleteWork, erase: eraseWork, move, retain }

/** The application whose use is counted, and the day by the caller's clock. */
type Counter = Omit<Counting, 'storage'>

/**
 * An application's object, or one of several that its users are spread over. It holds their activity as columns, answers questions
 * from them, and writes daily figures (`refreshed-columns.ts`). The main one, which is named like its application, also runs jobs,
 * counts what is used of quotas, remembers the latest events of new keys and makes the application's key pair; the one called `exports` counts
 * exports, the one called `metrics` keeps counters. The database says what is left to do (changes and jobs), so a lost object, alarm (`alarms.ts`) or run loses nothing.
 *
 * `storage/application-objects.ts` calls these methods.
 */
export class ApplicationObject extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, inJurisdiction(env))
  }

  readonly #now = () => Date.now()
  readonly #alarms: Alarms = new Alarms(this.ctx.storage, {
    refresh: (key, mayContinue) => this.#columns.refresh(key, RUNS_AN_ALARM, mayContinue),
    workOnJobs: (applicationId, forMs) => this.#runJobs(applicationId, forMs),
    now: this.#now,
  })
  readonly #columns = new RefreshedColumns({
    storage: this.ctx.storage,
    env: () => this.env,
    alarms: this.#alarms,
    now: this.#now,
  })
  readonly #exports = new ExportSlots()
  readonly #counts = new KeptCounts(this.ctx.storage)
  readonly #eventsOfKeys = new EntryCache<EventOfKey>(MAX_NEW_KEYS)
  /** The public key of the pair that is being made. */
  #keyPair: Promise<string> | null = null

  /** Tells it that there are changes. */
  wake(key: ObjectKey): Promise<void> {
    return this.#columns.wake(key)
  }

  /** How many events its columns hold: while it is being filled, how far it is. */
  heldEvents(key: ObjectKey): Promise<number> {
    return this.#columns.heldEvents(key)
  }

  /** Answers a question, as far as this object's users go. */
  ask(key: ObjectKey, question: Question): Promise<Reply> {
    return this.#columns.ask(key, question)
  }

  /** Reads all changes; for commands and tests that want to see it done. */
  async readChanges(key: ObjectKey): Promise<void> {
    await this.#columns.refresh(key)
  }

  /** Returns once no run reads where the application was before it was moved. */
  awaitMove(): Promise<void> {
    return this.#columns.endOfRun()
  }

  /**
   * Drops the columns, if their partitioning was retired: a call that comes late may find it in use again. What else the application's
   * object keeps stays.
   */
  async retire(key: ObjectKey): Promise<void> {
    await this.#columns.endOfRun()
    const [partitioning] = await selectIsWanted(openDatabase(this.env.DB), key)
    if (partitioning?.isWanted) return
    this.#columns.drop()
    await this.#alarms.forgetColumns()
  }

  /** Drops everything, if the application is gone. */
  async drop(key: ObjectKey): Promise<void> {
    await this.retire(key)
    const [partitioning] = await selectIsWanted(openDatabase(this.env.DB), key)
    if (!partitioning?.isThere) await this.ctx.storage.delete('quotas')
  }

  /**
   * Reads what changed, then forgets the messenger id of somebody who was erased, unless they came back. Returns false if there
   * is more to be read: ask again.
   */
  async forgetUser(key: ObjectKey, telegramId: number): Promise<boolean> {
    const isRead = await this.#readChanges(key)
    if (isRead) await this.#columns.forget(key, (activity) => activity.forgetUser(telegramId))
    return isRead
  }

  /** Replaces the id of somebody who was erased in the start parameters of others. */
  async forgetReferrer(key: ObjectKey, telegramId: number): Promise<void> {
    await this.#columns.forget(key, (activity) => activity.contexts.eraseId('startParameter', telegramId))
  }

  /** Forgets the texts of names and contexts that were erased, by their ids. */
  async forgetTexts(key: ObjectKey, texts: Parameters<Activity['forgetTexts']>[0]): Promise<void> {
    await this.#columns.forget(key, (activity) => activity.forgetTexts(texts))
  }

  /**
   * Reads what changed, then drops the events of days that the application no longer keeps. Returns false if there is more to be
   * done: ask again.
   */
  keepFrom(key: ObjectKey): Promise<boolean> {
    return this.#readChanges(key)
  }

  async #readChanges(key: ObjectKey): Promise<boolean> {
    const { more } = await this.#columns.refresh(key, RUNS_AN_ALARM)
    return !more
  }

  /** Tells the application's main object that there are jobs. */
  async workOnJobs(applicationId: number): Promise<void> {
    // One of them may erase somebody.
    this.#eventsOfKeys.clear()
    await this.#alarms.ringForJobs(applicationId)
  }

  /** Counts what was used of today's quotas; returns those that are spent. */
  countUse(counter: Counter, use: Use): Promise<readonly QuotaName[]> {
    return countUse(use, quotasOf(this.env), { ...counter, storage: this.ctx.storage })
  }

  /** The quotas of which so much is used today. */
  quotasUsed(counter: Counter, percent: number): Promise<readonly QuotaName[]> {
    return findQuotasUsed(percent, quotasOf(this.env), { ...counter, storage: this.ctx.storage })
  }

  /** Counts seals that did not open; returns whether the sender of the last one gets an error. */
  countUnopenedSeals(counter: Counter, seals: number): Promise<boolean> {
    return countUnopenedSeals(seals, { ...counter, storage: this.ctx.storage })
  }

  /** Makes the application's key pair, unless it has one; returns its public key. Calls at the same time are one. */
  async makeKeyPair(applicationId: number): Promise<string> {
    const making = { db: openDatabase(this.env.DB), secrets: this.env.KEY_SEALING_SECRET }
    this.#keyPair ??= makeKeyPair(applicationId, making).finally(() => {
      this.#keyPair = null
    })
    return this.#keyPair
  }

  noteEventOfKey(keyId: string, event: EventOfKey): void {
    this.#eventsOfKeys.set(keyId, event)
  }

  /** Null if none has come since the object began. */
  latestEventOfKey(keyId: string): EventOfKey | null {
    return this.#eventsOfKeys.get(keyId) ?? null
  }

  /** Takes a slot for an export, or keeps it; returns why there is none, otherwise null. */
  takeExportSlot(slot: ExportSlot): SlotRefusal | null {
    return this.#exports.take(slot, Date.now())
  }

  giveBackExportSlot(id: string): void {
    this.#exports.giveBack(id)
  }

  /** Adds to what isolates have counted; returns all of it. */
  addCounts(counts: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> {
    return this.#counts.add(counts)
  }

  override alarm(): Promise<void> {
    return this.#alarms.ring()
  }

  #runJobs(applicationId: number, forMs: number): Promise<{ steps: number; more: boolean }> {
    const working = { env: this.env, db: openDatabase(this.env.DB), now: Date.now }
    const pause = (ms: number) => scheduler.wait(ms)
    return runJobs(applicationId, { ...working, works: WORKS, pause, forMs })
  }
}
