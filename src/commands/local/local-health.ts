import { WorkerEntrypoint } from 'cloudflare:workers'
import { logError } from '../../base/log.ts'
import { withTimeout } from '../../base/time/with-timeout.ts'
import type { QueueObject, QueueSettings } from './queue.ts'

/** Which files `npm start` found damaged (file-check.ts). */
export interface Damage {
  readonly database: boolean
  readonly queue: boolean
}

interface HealthEnv {
  readonly QUEUE: DurableObjectNamespace<QueueObject>
  readonly QUEUE_SETTINGS: QueueSettings
  /** `npm start` answers with `Damage`. */
  readonly DAMAGE: Fetcher
}

const TIMEOUT_MS = 2_000

/** What `/health` says beside where the service runs on a machine of one's own. */
export class LocalHealth extends WorkerEntrypoint<HealthEnv> {
  async look(): Promise<{ database: 'ok' | 'damaged'; queue: 'ok' | 'away' | 'damaged' }> {
    const [damage, queue] = await Promise.all([this.#damage(), this.#tryQueue()])
    return { database: damage.database ? 'damaged' : 'ok', queue: damage.queue ? 'damaged' : queue }
  }

  async #damage(): Promise<Damage> {
    const response = await this.env.DAMAGE.fetch('http://local/damage')
    return response.json()
  }

  /** A file that is locked, damaged or has no room left shows in no other way. */
  async #tryQueue(): Promise<'ok' | 'away'> {
    const { QUEUE, QUEUE_SETTINGS } = this.env
    try {
      await withTimeout(QUEUE.getByName(QUEUE_SETTINGS.queue).tryWriting(), TIMEOUT_MS)
      return 'ok'
    } catch (error) {
      logError('health', error, { part: 'queue' })
      return 'away'
    }
  }
}
