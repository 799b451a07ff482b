import { guarded } from '../console.ts'
import type { Kept } from '../storage.ts'
import { captureClicks } from './clicks.ts'
import { captureMiniApp } from './mini-app.ts'
import type { Capture, PageSettings, Undoing } from './page.ts'
import { capturePageViews } from './page-views.ts'
import { captureWallet } from './wallet.ts'

/**
 * Captures what the settings ask for; returns a function that stops it. (`Session start` comes with a session's first event, not
 * from here.) After that it may start again with changed settings: with the same `capture`, the page view is not repeated.
 *
 * @param walletKey Stores the address of the connected wallet.
 */
export function startCapture(settings: PageSettings, capture: Capture, kept: Kept, walletKey: string): () => void {
  const undoing: Undoing = []
  if (settings.auto_capture) {
    for (const start of [capturePageViews, captureClicks, captureMiniApp, captureWallet])
      guarded(start)(settings, capture, undoing, kept, walletKey)
  }
  return () => {
    for (const undo of undoing.splice(0)) guarded(undo)()
  }
}
