import type { Settings } from './capture.ts'
import { createRetrying } from './retrying.ts'
import { type Answer, explain, type Service } from './service.ts'
import { reasonOf, type Warn } from './warning.ts'

/** A change of the settings shows after that. */
const FRESH_MS = 3 * 60_000

/** The settings of the application, as far as they are known. */
export interface Configuration {
  /** The latest known; null before they were fetched for the first time. */
  readonly settings: Settings | null
  /** Milliseconds until they are to be fetched; 0 if that is now. */
  waitMs(): number
  /** Ends the wait after a failure. */
  retryNow(): void
  /** Fetches them if it is time. Never rejects: what is known is kept. */
  refresh(): Promise<void>
}

export function createConfiguration(service: Service, warn: Warn): Configuration {
  const retrying = createRetrying()
  let settings: Settings | null = null
  let staleAt = 0
  const waitMs = () => Math.max(retrying.waitMs(), staleAt - Date.now(), 0)
  return {
    get settings() {
      return settings
    },
    waitMs,
    retryNow: retrying.succeeded,
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

/** Null if that is no configuration. */
function readSettings({ status, body }: Answer): Settings | null {
  if (status !== 200 || body === null || typeof body !== 'object') return null
  const fields = body as Record<string, unknown>
  if (typeof fields.auto_capture_telegram !== 'boolean') return null
  return {
    auto_capture_telegram: fields.auto_capture_telegram,
    auto_capture_telegram_events: texts(fields.auto_capture_telegram_events),
    auto_capture_commands: texts(fields.auto_capture_commands),
    auto_capture_messages: texts(fields.auto_capture_messages),
    advanced_tracking_features: texts(fields.advanced_tracking_features),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
