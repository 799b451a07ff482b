import { DurableObject } from 'cloudflare:workers'
import { logJob } from '../log.ts'
import { type Counting, countUnopenedSeals, countUse } from '../quotas/ledger.ts'
import { type QuotaName, quotasOf, type Use } from '../quotas/quota.ts'
import { nameOfObject, type ObjectKey } from './object-name.ts'

/** A burst of deliveries becomes one run. */
const SETTLE_MS = 5_000
/** Between runs that fail. */
const LONGEST_PAUSE_MS = 60_000

interface State {
  readonly key: ObjectKey
  /** How many runs in a row have failed. */
  readonly failures: number
}

/** Who counts: an application, and the day by the caller's clock. */
type Counter = Omit<Counting, 'storage'>

/**
 * Updates the daily figures of one application in its alarm: one run at a time, a few seconds after it is woken. What is to be
 * done stands in the database, so a lost object, alarm or run loses nothing.
 */
export class ApplicationObject extends DurableObject<Env> {
  /**
   * Tells it that its application has dirty days. An alarm that is far away, by a pause after failures or a clock that was
   * wrong, is brought forward.
   */
  async wake(key: ObjectKey): Promise<void> {
    const { storage } = this.ctx
    const [state, alarm] = await Promise.all([storage.get<State>('state'), storage.getAlarm()])
    if (!state) await storage.put<State>('state', { key, failures: 0 })
    const settled = Date.now() + SETTLE_MS
    if (alarm === null || alarm > settled) await storage.setAlarm(settled)
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
    if (state) await this.#run(state)
  }

  async #run({ key, failures }: State): Promise<void> {
    const { storage } = this.ctx
    try {
      await logJob('rollup', () => this.#rollUp(key), { object: nameOfObject(key), failures })
      if (failures > 0) await storage.put<State>('state', { key, failures: 0 })
    } catch {
      await storage.put<State>('state', { key, failures: failures + 1 })
      await storage.setAlarm(Date.now() + Math.min(SETTLE_MS * 2 ** failures, LONGEST_PAUSE_MS))
    }
  }

  // Figures are made from columns, which this object does not keep yet.
  async #rollUp(_key: ObjectKey): Promise<{ more: boolean }> {
    return { more: false }
  }
}
