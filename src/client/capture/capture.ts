import { guarded, say } from '../console.ts'
import type { Kept } from '../storage.ts'
import { captureClicks } from './clicks.ts'
import { captureMiniApp } from './mini-app.ts'
import { type Capture, listen, type PageSettings, type Undoing } from './page.ts'
import { capturePageViews } from './page-views.ts'

/** Loads what only some applications capture. */
export type LoadFurther = () => Promise<typeof import('./further.ts')>

/** After `ton-connect-`. */
const WALLET_EVENTS =
  'connection-completed disconnection transaction-sent-for-signature transaction-signed transaction-signing-failed ui-transaction-signing-failed'

/**
 * Captures what the settings ask for; returns a function that stops it. (`Session start` comes with a session's first event, not
 * from here.) After that it may start again with changed settings: with the same `capture`, the page view is not repeated.
 *
 * @param own Begins the keys of this person on the device.
 */
export function startCapture(
  settings: PageSettings,
  capture: Capture,
  kept: Kept,
  own: string,
  load: LoadFurther,
): () => void {
  const undoing: Undoing = []
  let isStopped = false
  if (settings.auto_capture) {
    for (const start of [capturePageViews, captureClicks, captureMiniApp]) guarded(start)(settings, capture, undoing)
    const { mauve } = settings
    const early: CustomEvent[] = []
    const isWallet = /allet/.test(`${settings.auto_capture_mini_app_events}${settings.advanced_tracking_features}`)
    if (isWallet)
      for (const type of WALLET_EVENTS.split(' ')) listen(undoing, `ton-connect-${type}`, (event) => early.push(event))
    if (isWallet || mauve?.mini_app_events[0] || mauve?.foreground_time || mauve?.errors)
      load().then(
        ({ startFurther }) => isStopped || guarded(startFurther)({ settings, capture, undoing, kept, own, early }),
        say,
      )
  }
  return () => {
    isStopped = true
    for (const undo of undoing.splice(0)) guarded(undo)()
  }
}
