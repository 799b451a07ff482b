import { WorkerEntrypoint } from 'cloudflare:workers'
import { logError } from '../../base/log.ts'
import { withTimeout } from '../../base/time/with-timeout.ts'
import type { QueueObject, QueueSettings } from './queue.ts'

/** Which files file-check.ts found damaged. */
export interface Damage {
  readonly database: boolean
  readonly queue: boolean
}

interface HealthEnv {
  readonly QUEUE: DurableObjectNamespace<QueueObject>
  readonly QUEUE_SETTINGS: QueueSettings
  /** Answers with `Damage`. */
  readonly DAMAGE: Fetcher
}

const TIMEOUT_MS = 2_000

/** What `/health` adds for a local service. */
export class LocalHealth extends WorkerEntrypoint<HealthEnv> {
  async look(): Promise<{ database: 'ok' | 'damaged'; queue: 'ok' | 'away' | 'damaged' }> {
    const [response, queue] = await Promise.all([this.env.DAMAGE.fetch('http://local/damage'), this.#tryQueue()])
    const damage = await response.json<Damage>()
    return { database: damage.database ? 'damaged' : 'ok', queue: damage.queue ? 'damaged' : queue }
  }

  /** Only a write shows that a file is locked or damaged, or that the disk is full. */
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
