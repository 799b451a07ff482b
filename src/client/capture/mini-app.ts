import { withoutLaunch } from '../text.ts'
import { after, type Capture, listen, type PageSettings, type Undoing } from './page.ts'

/** The fields that are captured: not the text of a QR code or the clipboard, and not a phone number. */
interface Answer {
  readonly url?: string
  readonly status?: string
  readonly button_id?: string | null
}

interface WebApp {
  onEvent(type: string, handle: (answer?: Answer) => void): void
  offEvent(type: string, handle: (answer?: Answer) => void): void
}

/** The endings of settings about a person's answer, and the messenger's status for each. */
const STATUSES: Readonly<Record<string, string>> = { Granted: 'allowed', Accepted: 'sent', Rejected: 'cancelled' }

export function captureMiniApp(settings: PageSettings, capture: Capture, undoing: Undoing): void {
  const app = (window as { Telegram?: { WebApp?: WebApp } }).Telegram?.WebApp
  if (!app) return
  for (const setting of settings.auto_capture_mini_app_events) {
    // What published clients call it: QRTextReceived, ClipboardTextReceived, else as the setting.
    const name = setting.replace(/CodeScanned|Changed/, 'TextReceived')
    const [, asked, answer = ''] = /^(WriteAccess|Contact)(?:Request)?(.+)/.exec(setting) ?? []
    const awaited = STATUSES[answer]
    // The messenger's event, like mainButtonClicked or writeAccessRequested, or the method that asks, like requestWriteAccess.
    const called = awaited ? `${asked}Requested` : asked ? `request${asked}` : name.replace('Pressed', 'Clicked')
    const type = called.replace(/^QR|./, (first) => first.toLowerCase())
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
      capture(`${kind.replace('mL', 'm l')} opened: ${url.replace(/[?#].*/, '')}`, {
        url: withoutLaunch(url),
        options,
      }),
    )
  }
}
