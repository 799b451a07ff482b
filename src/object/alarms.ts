import { logJob } from '../base/log.ts'
import type { ObjectKey } from '../storage/object-name.ts'

/** The time after which columns begin no further run while there are jobs. */
const COLUMNS_MS = 3_000
/** Jobs get at least this time, and at least as long as columns took: one of them may be an erasure, which is promised within a minute. */
const JOBS_MS = 1_000
/** Between steps, of columns or of jobs, that fail. */
const SHORTEST_PAUSE_MS = 1_500
const LONGEST_PAUSE_MS = 60_000

interface ColumnsState {
  readonly key: ObjectKey
  /** How many runs in a row have failed. */
  readonly failures: number
}

/** There are jobs, as far as the object knows. */
interface JobsState {
  readonly applicationId: number
  /** How many times in a row a step has failed. */
  readonly failures: number
}

interface Alarmed {
  /** Refreshes columns, run by run, for as long as an alarm may take. */
  readonly refresh: (key: ObjectKey, mayContinue: () => boolean) => Promise<{ runs: number; more: boolean }>
  /** Works on jobs for about this time. */
  readonly workOnJobs: (applicationId: number, forMs: number) => Promise<{ steps: number; more: boolean }>
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
}

/** What an object's one alarm rings for: its columns and, in an application's main object, jobs. Both states are stored, and survive a crash. */
export class Alarms {
  readonly #storage: DurableObjectStorage
  readonly #alarmed: Alarmed
  /** Whether a request announced jobs since the object last looked for them. */
  #isToldOfJobs = false

  constructor(storage: DurableObjectStorage, alarmed: Alarmed) {
    this.#storage = storage
    this.#alarmed = alarmed
  }

  /** Rings for columns now, or at `earliest` if that is later. */
  async ringForColumns(key: ObjectKey, earliest: number): Promise<void> {
    const known = await this.#storage.get<ColumnsState>('state')
    if (!known) await this.#storage.put<ColumnsState>('state', { key, failures: 0 })
    await this.#ringBy(Math.max(this.#alarmed.now(), earliest))
  }

  async ringForJobs(applicationId: number): Promise<void> {
    this.#isToldOfJobs = true
    const known = await this.#storage.get<JobsState>('jobs')
    if (!known) await this.#storage.put<JobsState>('jobs', { applicationId, failures: 0 })
    await this.#ringBy(this.#alarmed.now())
  }

  /** From now on it rings for jobs alone. */
  async forgetColumns(): Promise<void> {
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.delete('state')])
    if (await this.#storage.get<JobsState>('jobs')) await this.#ringBy(this.#alarmed.now())
  }

  async ring(): Promise<void> {
    const began = this.#alarmed.now()
    const hasJobs = (await this.#storage.get<JobsState>('jobs')) !== undefined
    const elapsed = () => this.#alarmed.now() - began
    const mayContinue = () => elapsed() < COLUMNS_MS || !(hasJobs || this.#isToldOfJobs)
    await this.#attempt<ColumnsState>('state', (state) => this.#refreshColumns(state, mayContinue))
    const forMs = Math.max(JOBS_MS, elapsed())
    await this.#attempt<JobsState>('jobs', (state) => this.#workOnJobs(state, forMs))
  }

  /** Does what a state asks for; after a failure again, after a pause. */
  async #attempt<State extends ColumnsState | JobsState>(name: string, work: (state: State) => Promise<void>) {
    const state = await this.#storage.get<State>(name)
    if (!state) return
    try {
      await work(state)
    } catch {
      const { failures } = state
      await this.#storage.put<State>(name, { ...state, failures: failures + 1 })
      await this.#ringBy(this.#alarmed.now() + Math.min(SHORTEST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))
    }
  }

  async #refreshColumns({ key, failures }: ColumnsState, mayContinue: () => boolean): Promise<void> {
    const fields = { application: key.applicationId, part: key.part, failures }
    const { more } = await logJob('columns', () => this.#alarmed.refresh(key, mayContinue), fields)
    // What is left over is for the next alarm: the platform bounds the time of each.
    if (more) await this.#ringBy(this.#alarmed.now())
    if (failures > 0) await this.#storage.put<ColumnsState>('state', { key, failures: 0 })
  }

  async #workOnJobs({ applicationId, failures }: JobsState, forMs: number): Promise<void> {
    this.#isToldOfJobs = false
    const fields = { application: applicationId, failures }
    const { more } = await logJob('jobs', () => this.#alarmed.workOnJobs(applicationId, forMs), fields)
    // Not before: if the runtime dies meanwhile, the next one continues as soon as the alarm rings again.
    if (!more && !this.#isToldOfJobs) await this.#storage.delete('jobs')
    else {
      await this.#storage.put<JobsState>('jobs', { applicationId, failures: 0 })
      await this.#ringBy(this.#alarmed.now())
    }
  }

  /** Lets the alarm ring at this time, or before. */
  async #ringBy(time: number): Promise<void> {
    const alarm = await this.#storage.getAlarm()
    if (alarm === null || alarm > time) await this.#storage.setAlarm(time)
  }
}
