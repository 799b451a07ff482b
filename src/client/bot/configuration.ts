import type { BotSettings } from './capture.ts'
import { explain, type MauveService, type ServiceAnswer } from './service.ts'
import { createRetrying } from './timing.ts'
import { reasonOf, type Warn } from './warning.ts'

/** Changed settings take effect after this time. */
const FRESH_MS = 3 * 60_000

/** The settings of the application, as far as they are known. */
export function createConfiguration(service: MauveService, warn: Warn) {
  const retrying = createRetrying()
  let settings: BotSettings | null = null
  let staleAt = 0
  const waitMs = () => Math.max(retrying.waitMs(), staleAt - Date.now(), 0)
  return {
    /** The latest known; null before the first successful request. */
    get settings() {
      return settings
    },
    /** Milliseconds until the next fetch is due. */
    waitMs,
    /** Ends the wait after a failure. */
    retryNow: retrying.succeeded,
    /** Fetches them if that is due. Never rejects: after a failure, the known ones stay. */
    async refresh() {
      if (waitMs() > 0) return
      let reason = ''
      const answer = await service.getConfiguration().catch((error) => {
        reason = `it cannot be reached: ${reasonOf(error)}`
        return null
      })
      const read = answer && readSettings(answer)
      if (!read) {
        retrying.failed(answer?.retryAfterMs)
        warn('configuration', `the service does not tell its configuration (${answer ? explain(answer) : reason}).`)
        return
      }
      retrying.succeeded()
      settings = read
      staleAt = Date.now() + FRESH_MS
    },
  }
}

/** Null if the response holds no configuration. */
function readSettings({ status, body }: ServiceAnswer): BotSettings | null {
  if (status !== 200 || body === null || typeof body !== 'object') return null
  const fields = body as Record<string, unknown>
  if (typeof fields.auto_capture_telegram !== 'boolean') return null
  const further = fields.mauve as Record<string, unknown> | undefined
  return {
    auto_capture_telegram: fields.auto_capture_telegram,
    auto_capture_telegram_events: [
      ...texts(fields.auto_capture_telegram_events),
      // Services of earlier releases have none.
      ...texts(further?.telegram_events),
    ],
    auto_capture_commands: texts(fields.auto_capture_commands),
    auto_capture_messages: texts(fields.auto_capture_messages),
    advanced_tracking_features: texts(fields.advanced_tracking_features),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
