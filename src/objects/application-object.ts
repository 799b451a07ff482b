import { DurableObject } from 'cloudflare:workers'
import { Damaged, Store } from '../columns/store.ts'
import { logError, logJob } from '../log.ts'
import { type Counting, countUnopenedSeals, countUse } from '../quotas/ledger.ts'
import { type QuotaName, quotasOf, type Use } from '../quotas/quota.ts'
import { openDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { answer, inTurn, type Question, type Reply, TooLong } from './answering.ts'
import { ColumnsKeeper } from './columns-keeper.ts'
import { Line } from './line.ts'
import type { ObjectKey } from './object-name.ts'
import { selectIsWanted } from './sql.ts'

/** Between runs, so that a burst of deliveries costs few of them. */
const PAUSE_MS = 1_500
/** A run takes from collection what the machine and the database have: after a long one, several times as long a pause. */
const PAUSE_SHARE = 3
const LONGEST_REST_MS = 5_000
/** Of some 16,000 events each, where there is a backlog. */
const RUNS_AN_ALARM = 50
/** Between runs that fail. */
const LONGEST_PAUSE_MS = 60_000
/** Columns that nobody told of changes for so long look for some before they answer: a wake-up may have been lost. */
const OLD_AFTER_MS = 10_000
/** For so long a question waits for that. */
const LOOK_TIMEOUT_MS = 1_000
/** And for so long if there are no columns yet. */
const FILL_TIMEOUT_MS = 8_000

interface State {
  readonly key: ObjectKey
  /** How many runs in a row have failed. */
  readonly failures: number
}

/** Who counts: an application, and the day by the caller's clock. */
type Counter = Omit<Counting, 'storage'>

/**
 * An application's object, or one of several that its users are spread over. It holds their activity as columns, answers questions
 * from them, and writes daily figures. What it has to do stands in the database as changes, so a lost object, alarm or run
 * loses nothing. The one that is named like its application also counts what is used of quotas.
 */
export class ApplicationObject extends DurableObject<Env> {
  readonly #line = new Line()
  #store: Store | null = null
  #keeper: ColumnsKeeper | null = null
  #running: Promise<boolean> | null = null
  /** When it last tried to look for changes, and until when it rests after a run: milliseconds since 1970 UTC. */
  #lookedAt = 0
  #restsUntil = 0

  /** Tells it that there are changes. */
  async wake(key: ObjectKey): Promise<void> {
    const { storage } = this.ctx
    const [state, alarm] = await Promise.all([storage.get<State>('state'), storage.getAlarm()])
    if (!state?.key) await storage.put<State>('state', { key, failures: 0 })
    const soon = Math.max(Date.now(), this.#restsUntil)
    if (alarm === null || alarm > soon) await storage.setAlarm(soon)
  }

  /** Answers a question, as far as this object's users go. */
  async ask(key: ObjectKey, question: Question): Promise<Reply> {
    await this.#look(key)
    const reply = await inTurn(() => this.#answer(key, question), { line: this.#line, now: Date.now })
    return reply ?? { kind: 'busy' }
  }

  /** Works off what there is to be done; for commands and tests that want to see it done. */
  async settle(key: ObjectKey): Promise<void> {
    await this.#work(key)
  }

  /**
   * Drops the columns, if their layout was retired: a call that comes late may find it in use again. What else the application's
   * object keeps stays.
   */
  async retire(key: ObjectKey): Promise<void> {
    const [layout] = await selectIsWanted(openDatabase(this.env.DB), key)
    if (layout?.isWanted) return
    const store = this.#store ?? new Store(this.ctx.storage)
    store.drop()
    this.#store = null
    this.#keeper = null
    await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.delete('state')])
  }

  /** Counts what was used of today's quotas; returns the one that is spent, if any. */
  countUse(counter: Counter, use: Use): Promise<QuotaName | null> {
    return countUse(use, quotasOf(this.env), { ...counter, storage: this.ctx.storage })
  }

  /** Counts seals that did not open; returns whether the sender of the last one is told. */
  countUnopenedSeals(counter: Counter, seals: number): Promise<boolean> {
    return countUnopenedSeals(seals, { ...counter, storage: this.ctx.storage })
  }

  override async alarm(): Promise<void> {
    const state = await this.ctx.storage.get<State>('state')
    if (!state?.key) return
    const { key, failures } = state
    try {
      await logJob('columns', () => this.#workOn(key), { application: key.applicationId, part: key.part, failures })
      if (failures > 0) await this.ctx.storage.put<State>('state', { key, failures: 0 })
    } catch {
      await this.ctx.storage.put<State>('state', { key, failures: failures + 1 })
      await this.ctx.storage.setAlarm(Date.now() + Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))
    }
  }

  /** What is left over is for the next alarm: the platform bounds the time of each. */
  async #workOn(key: ObjectKey): Promise<{ runs: number; more: boolean }> {
    const done = await this.#work(key, RUNS_AN_ALARM)
    if (done.more) await this.ctx.storage.setAlarm(Date.now())
    return done
  }

  async #work(key: ObjectKey, mostRuns = Number.POSITIVE_INFINITY): Promise<{ runs: number; more: boolean }> {
    // A run that is going on may have begun before there was what this one is to find.
    await this.#running?.catch(() => {})
    let [runs, more] = [1, await this.#run(key)]
    for (; more && runs < mostRuns; runs += 1) more = await this.#run(key)
    return { runs, more }
  }

  async #answer(key: ObjectKey, question: Question): Promise<Reply> {
    const { asOf, activity, store } = this.#keeperOf(key)
    if (asOf === null) return { kind: 'filling' }
    try {
      return { kind: 'answer', part: await answer(question, activity, Date.now), asOf }
    } catch (error) {
      if (error instanceof TooLong) {
        logError('question stopped', error, { application: key.applicationId, part: key.part })
        return { kind: 'busy' }
      }
      if (!(error instanceof Damaged)) throw error
      this.#startAnew(error, store, key)
      await this.wake(key)
      return { kind: 'filling' }
    }
  }

  /** Waits for columns to be there, and to be no older than they should be. What fails here is tried again by the alarm. */
  async #look(key: ObjectKey): Promise<void> {
    const { asOf } = this.#keeperOf(key)
    const now = Date.now()
    if (asOf === null) {
      await this.#wait(this.#fill(key), FILL_TIMEOUT_MS)
      if (this.#keeperOf(key).asOf === null) await this.wake(key)
      return
    }
    if (now - Math.max(asOf, this.#lookedAt) < OLD_AFTER_MS) return
    this.#lookedAt = now
    await this.#wait(this.#run(key), LOOK_TIMEOUT_MS)
  }

  async #fill(key: ObjectKey): Promise<void> {
    while (this.#keeperOf(key).asOf === null && (await this.#run(key)));
  }

  async #wait(work: Promise<unknown>, timeoutMs: number): Promise<void> {
    const ended = work.catch((error) => logError('columns not refreshed', error))
    await withTimeout(ended, timeoutMs).catch(() => 'it goes on without anybody waiting')
  }

  /** One run at a time: whoever comes meanwhile waits for the one that is going on. */
  #run(key: ObjectKey): Promise<boolean> {
    const began = Date.now()
    this.#running ??= this.#runOnce(key).finally(() => {
      this.#running = null
      const ended = Date.now()
      const rest = Math.min((ended - began) * PAUSE_SHARE, LONGEST_REST_MS)
      this.#restsUntil = ended + Math.max(PAUSE_MS, rest)
    })
    return this.#running
  }

  async #runOnce(key: ObjectKey): Promise<boolean> {
    const keeper = this.#keeperOf(key)
    const running = { db: openDatabase(this.env.DB), now: Date.now() }
    try {
      return (await keeper.run(running)) || (await keeper.compare(running))
    } catch (error) {
      if (error instanceof Damaged) this.#startAnew(error, keeper.store, key)
      throw error
    }
  }

  #keeperOf(key: ObjectKey): ColumnsKeeper {
    if (!this.#keeper?.isSound) this.#keeper = this.#newKeeper(key)
    return this.#keeper
  }

  #newKeeper(key: ObjectKey): ColumnsKeeper {
    this.#store ??= new Store(this.ctx.storage)
    try {
      return new ColumnsKeeper({ store: this.#store, key, line: this.#line })
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      this.#startAnew(error, this.#store, key)
      return this.#newKeeper(key)
    }
  }

  /** The database has everything: what cannot be used is dropped and filled again. */
  #startAnew(error: Damaged, store: Store, { applicationId }: ObjectKey): void {
    if (store !== this.#store) return
    if (store.isWritten()) logError('columns are made anew', error, { application: applicationId })
    store.clear()
    store.close()
    this.#store = null
    this.#keeper = null
  }
}
