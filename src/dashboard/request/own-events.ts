import { FURTHER_MINI_APP_EVENTS, MINI_APP_EVENTS } from '../../storage/capture-settings.ts'

/** How names begin that clients and bots record by themselves; see docs/tracking-clients.md. */
const CAPTURED =
  /^(Session (start|end)$|Pageview( |$)|\[TS\] |Button |Form |Link |Telegram link|\(|Wallet$|Error$|telegram_|\w+(ButtonPressed|Requested|Closed)$)/
const OF_MESSENGER: ReadonlySet<string> = new Set([...MINI_APP_EVENTS, ...FURTHER_MINI_APP_EVENTS])

/** Whether an application's own code sends an event of this name, which says more about it than what clients capture. */
export function isOwnEvent(name: string): boolean {
  return !CAPTURED.test(name) && !OF_MESSENGER.has(name)
}
