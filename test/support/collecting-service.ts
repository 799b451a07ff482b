import type { BotSettings } from '../../src/client/bot/capture.ts'

/** Everything that a bot's client can capture is off. */
const NOTHING: BotSettings = {
  auto_capture_telegram: true,
  auto_capture_telegram_events: [],
  auto_capture_commands: [],
  auto_capture_messages: [],
  advanced_tracking_features: [],
}

export interface CollectedEvent {
  readonly event_type: string
  readonly event_id: string
  readonly telegram_id: number
  readonly datetime: number
  readonly params?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A service at the other end of the network, as a client sees it: it answers as it is told, and writes down what arrives. */
export interface CollectingService {
  readonly fetch: typeof fetch
  settings: BotSettings
  /** What collection answers; by default it takes everything. Null: nothing answers. */
  collect: (events: readonly CollectedEvent[]) => Response | null
  /** What the configuration answers. */
  configure: () => Response | null
  /** How often the configuration was asked for. */
  configurations: number
  /** The bodies that arrived, whatever they were answered. */
  readonly bodies: string[]
  /** The events that were taken. */
  readonly taken: CollectedEvent[]
}

export function createCollectingService(settings: Partial<BotSettings> = {}): CollectingService {
  const service: CollectingService = {
    settings: { ...NOTHING, ...settings },
    collect: () => Response.json({ status_code: 200, message: 'Success' }),
    configure: () => Response.json({ app_name: 'Lemon Shop', ...service.settings }),
    configurations: 0,
    bodies: [],
    taken: [],
    fetch: async (url, init) => {
      const answer = String(url).includes('/v1/client/config') ? configure() : collect(String(init?.body))
      if (answer === null) throw new TypeError('fetch failed')
      return answer
    },
  }
  function configure(): Response | null {
    service.configurations += 1
    return service.configure()
  }
  function collect(body: string): Response | null {
    service.bodies.push(body)
    const events = JSON.parse(body) as CollectedEvent[]
    const answer = service.collect(events)
    if (answer?.ok) service.taken.push(...events)
    return answer
  }
  return service
}
