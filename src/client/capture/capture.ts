import { guarded } from '../console.ts'
import type { Kept } from '../storage.ts'
import { captureClicks } from './clicks.ts'
import { captureMiniApp } from './mini-app.ts'
import type { Capture, CaptureSettings, Undoing } from './page.ts'
import { capturePageViews } from './page-views.ts'
import { captureWallet } from './wallet.ts'

/**
 * Captures what the settings ask for; returns what stops it. `Session start` is not of its business: it comes with the first
 * event of a session. May be called once more in the same page after it was stopped, when the settings have changed: the
 * page view that was there already is not repeated, if `capture` is the same.
 *
 * @param walletKey Under which it keeps which wallet is connected.
 */
export function startCapture(settings: CaptureSettings, capture: Capture, kept: Kept, walletKey: string): () => void {
  const undoing: Undoing = []
  if (settings.auto_capture) {
    for (const start of [capturePageViews, captureClicks, captureMiniApp, captureWallet])
      guarded(start)(settings, capture, undoing, kept, walletKey)
  }
  return () => {
    for (const undo of undoing.splice(0)) guarded(undo)()
  }
}
