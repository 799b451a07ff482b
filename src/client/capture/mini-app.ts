import type { Capture, CaptureSettings } from '../configuration.ts'
import { after, listen, type Undoing } from './page.ts'

/** What an event of the messenger may tell: not the text of a QR code or the clipboard, not a phone number. */
interface Answer {
  readonly url?: string
  readonly status?: string
  readonly button_id?: string | null
}

interface WebApp {
  onEvent(type: string, handle: (answer?: Answer) => void): void
  offEvent(type: string, handle: (answer?: Answer) => void): void
}

/**
 * By setting the messenger's event, or the method of it that asks, where that is called otherwise; then the status that makes
 * it this one, and what published clients call it if not so.
 */
const TOLD: Readonly<Record<string, readonly [type: string, status?: string, name?: string]>> = {
  QRCodeScanned: ['qrTextReceived', '', 'QRTextReceived'],
  ClipboardChanged: ['clipboardTextReceived', '', 'ClipboardTextReceived'],
  WriteAccessGranted: ['writeAccessRequested', 'allowed'],
  WriteAccessRejected: ['writeAccessRequested', 'cancelled'],
  WriteAccessRequested: ['requestWriteAccess'],
  ContactRequestAccepted: ['contactRequested', 'sent'],
  ContactRequestRejected: ['contactRequested', 'cancelled'],
  ContactRequestSent: ['requestContact'],
}

export function captureMiniApp(settings: CaptureSettings, capture: Capture, undoing: Undoing): void {
  const app = (window as { Telegram?: { WebApp?: WebApp } }).Telegram?.WebApp
  if (!app) return
  for (const setting of settings.auto_capture_mini_app_events) {
    // MainButtonPressed: mainButtonClicked
    const usual = setting.replace('Pressed', 'Clicked').replace(/./, (first) => first.toLowerCase())
    const [type, awaited, name = setting] = TOLD[setting] ?? [usual]
    const handle = ({ url, status, button_id }: Answer = {}) => {
      if (!awaited || awaited === status) {
        capture(name, { url, slug: url?.split(/[/$]/).pop(), status, button_id })
      }
    }
    if (type in app) after(undoing, app, type, () => handle())
    else listen(undoing, type, handle, app.onEvent, app.offEvent)
  }
  after(undoing, app, 'openInvoice', (url: string) => {
    const slug = url.split('/').pop()
    capture(`Invoice opened: ${slug}`, { url, slug })
  })
  if (!settings.auto_capture_tags.includes('a')) return
  for (const kind of ['Link', 'TelegramLink']) {
    after(undoing, app, `open${kind}`, (url: string, options?: unknown) =>
      capture(`${kind.replace('mL', 'm l')} opened: ${url.replace(/[?#].*/, '')}`, { url, options }),
    )
  }
}
