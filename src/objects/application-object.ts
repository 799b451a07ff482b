import { DurableObject } from 'cloudflare:workers'
import { readKeeping } from '../applications/placement.ts'
import type { Activity } from '../columns/activity.ts'
import { Damaged, Outdated, Store } from '../columns/store.ts'
import { runJobs } from '../jobs/jobs.ts'
import { WORKS } from '../jobs/kinds.ts'
import { logError, logInfo, logJob } from '../log.ts'
import { type Counting, countUnopenedSeals, countUse } from '../quotas/ledger.ts'
import { type QuotaName, quotasOf, type Use } from '../quotas/quota.ts'
import { bindingOf, databaseOf } from '../storage/activity.ts'
import { openDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { answer, inTurn, type Question, type Reply, TooLong } from './answering.ts'
import { ColumnsKeeper, type Running } from './columns-keeper.ts'
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
/** Between runs, or portions of jobs, that fail. */
const LONGEST_PAUSE_MS = 60_000
/** For so long an alarm works on jobs: then columns get their turn. */
const JOBS_MS = 1_000
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

/** There are jobs, as far as the object knows. */
interface JobsState {
  readonly applicationId: number
  /** How many times in a row a portion has failed. */
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
    const known = await this.ctx.storage.get<State>('state')
    if (!known?.key) await this.ctx.storage.put<State>('state', { key, failures: 0 })
    await this.#ringBy(Math.max(Date.now(), this.#restsUntil))
  }

  /** Tells the application's main object that there are jobs. */
  async workOnJobs(applicationId: number): Promise<void> {
    const known = await this.ctx.storage.get<JobsState>('jobs')
    if (!known) await this.ctx.storage.put<JobsState>('jobs', { applicationId, failures: 0 })
    await this.#ringBy(Date.now())
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

  /** Returns once no run reads where the application was before it was moved. */
  async awaitMove(): Promise<void> {
    await this.#running?.catch(() => {})
  }

  /**
   * Drops the columns, if their layout was retired: a call that comes late may find it in use again. What else the application's
   * object keeps stays.
   */
  async retire(key: ObjectKey): Promise<void> {
    await this.#running?.catch(() => {})
    const [layout] = await selectIsWanted(openDatabase(this.env.DB), key)
    if (layout?.isWanted) return
    const store = this.#store ?? new Store(this.ctx.storage)
    store.drop()
    this.#store = null
    this.#keeper = null
    const { storage } = this.ctx
    await Promise.all([storage.deleteAlarm(), storage.delete('state')])
    if (await storage.get<JobsState>('jobs')) await this.#ringBy(Date.now())
  }

  /** Drops everything, if the application is gone. */
  async drop(key: ObjectKey): Promise<void> {
    await this.retire(key)
    const [layout] = await selectIsWanted(openDatabase(this.env.DB), key)
    if (!layout?.isThere) await this.ctx.storage.delete('quotas')
  }

  /**
   * Reads what changed, then forgets the messenger id of somebody who was erased, unless they came back. Returns false if there
   * is more to be read: ask again.
   */
  async forgetUser(key: ObjectKey, telegramId: number): Promise<boolean> {
    const { more } = await this.#work(key, RUNS_AN_ALARM)
    if (!more) await this.#forget(key, (activity) => activity.forgetUser(telegramId))
    return !more
  }

  /**
   * Reads what changed, then drops the events of days that the application keeps no more. Returns false if there is more to be
   * done: ask again.
   */
  async keepFrom(key: ObjectKey): Promise<boolean> {
    const { more } = await this.#work(key, RUNS_AN_ALARM)
    return !more
  }

  /** Forgets the texts of names and contexts that were erased, by their ids. */
  async forgetTexts(key: ObjectKey, texts: Parameters<Activity['forgetTexts']>[0]): Promise<void> {
    await this.#forget(key, (activity) => activity.forgetTexts(texts))
  }

  /** While nothing else looks at the columns, and in memory nothing is left of what was forgotten. */
  async #forget(key: ObjectKey, forget: (activity: Activity) => void): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
    const forgetting = this.#line.take(() => {
      forget(this.#keeperOf(key).activity)
      this.#keeper = null
      return false
    })
    this.#running = forgetting.finally(() => {
      this.#running = null
    })
    await this.#running
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
    await this.#alarmForColumns()
    await this.#alarmForJobs()
  }

  async #alarmForColumns(): Promise<void> {
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

  async #alarmForJobs(): Promise<void> {
    const { storage } = this.ctx
    const state = await storage.get<JobsState>('jobs')
    if (!state) return
    const { applicationId, failures } = state
    // First, so that a job that is told of meanwhile is not forgotten.
    await storage.delete('jobs')
    try {
      const work = () => this.#workOnJobs(applicationId)
      const { more } = await logJob('jobs', work, { application: applicationId, failures })
      if (more) await this.workOnJobs(applicationId)
    } catch {
      await storage.put<JobsState>('jobs', { applicationId, failures: failures + 1 })
      await this.#ringBy(Date.now() + Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))
    }
  }

  #workOnJobs(applicationId: number): Promise<{ portions: number; more: boolean }> {
    const working = { env: this.env, db: openDatabase(this.env.DB), now: Date.now }
    const pause = (ms: number) => scheduler.wait(ms)
    return runJobs(applicationId, { ...working, works: WORKS, pause, forMs: JOBS_MS })
  }

  /** Lets the alarm ring at this time, or before. */
  async #ringBy(time: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm > time) await this.ctx.storage.setAlarm(time)
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
    const { asOf, since, activity, store } = this.#keeperOf(key)
    if (asOf === null) return { kind: 'filling' }
    try {
      return { kind: 'answer', part: await answer(question, activity, Date.now), asOf, since }
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
    const running = await this.#open(key)
    try {
      return (await keeper.run(running)) || (await keeper.compare(running))
    } catch (error) {
      if (error instanceof Damaged) this.#startAnew(error, keeper.store, key)
      if (error instanceof Outdated) return true
      throw error
    }
  }

  /** Asked anew by each run: what is read where an application was before would be taken for everything. */
  async #open({ applicationId, part }: ObjectKey): Promise<Running> {
    const directory = openDatabase(this.env.DB)
    const { placement, keptFrom } = await readKeeping(directory, applicationId)
    const number = databaseOf(placement, part)
    const db = number === 1 ? directory : openDatabase(bindingOf(this.env, number))
    return { db, number, directory, keptFrom, now: Date.now() }
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
  #startAnew(error: Damaged, store: Store, { applicationId: application }: ObjectKey): void {
    if (store !== this.#store) return
    if (error instanceof Outdated) logInfo('columns are of another time and made anew', { application })
    else if (store.isWritten()) logError('columns are made anew', error, { application })
    store.clear()
    store.close()
    this.#store = null
    this.#keeper = null
  }
}
