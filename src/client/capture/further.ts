import type { Kept } from '../storage.ts'
import { firstCharacters, withoutLaunch } from '../text.ts'
import { type Capture, listen, type PageSettings, type Undoing } from './page.ts'
import { walletCapture } from './wallet.ts'

// What only some applications capture: a file of its own, which the client loads if the settings ask for any of it.

/** The fields that are captured: not where the person is, and not what they share. */
interface Answer {
  readonly error?: string
  readonly status?: string
  readonly locationData?: object | null
}

interface WebApp {
  readonly isFullscreen?: boolean
  readonly isActive?: boolean
  onEvent(type: string, handle: (answer?: Answer) => void): void
  offEvent(type: string, handle: (answer?: Answer) => void): void
}

interface FurtherOptions {
  readonly settings: PageSettings
  readonly capture: Capture
  readonly undoing: Undoing
  readonly kept: Kept
  /** Begins the keys of this person on the device. */
  readonly own: string
  /** Events of TON Connect so far, and where the next ones arrive. */
  readonly early: CustomEvent[]
}

export function startFurther(options: FurtherOptions): void {
  const { settings, capture, kept, own, early } = options
  const handle = walletCapture(settings, capture, kept, `${own}wallet`)
  for (const event of early.splice(0)) handle(event)
  early.push = (event) => {
    handle(event)
    return 0
  }
  const app = (window as { Telegram?: { WebApp?: WebApp } }).Telegram?.WebApp
  if (app) captureEvents(app, options)
  if (settings.mauve?.foreground_time) captureForeground(app, options)
  if (settings.mauve?.errors) captureErrors(options)
}

function captureEvents(app: WebApp, { settings, capture, undoing }: FurtherOptions): void {
  const on = (type: string, handle: (answer?: Answer) => void) =>
    listen(undoing, type, handle, app.onEvent, app.offEvent)
  for (const name of settings.mauve?.mini_app_events ?? []) {
    if (name === 'ChatRequested') {
      on('requestedChatSent', () => capture(name, { status: 'sent' }))
      on('requestedChatFailed', ({ error } = {}) => capture(name, { status: 'failed', error }))
      continue
    }
    // The messenger's event, like secondaryButtonClicked.
    const type = name.replace('Pressed', 'Clicked').replace(/^./, (first) => first.toLowerCase())
    on(type, ({ error, status, locationData } = {}) => {
      const located = locationData ? 'allowed' : 'cancelled'
      capture(name, {
        error,
        status: name === 'LocationRequested' ? located : status,
        is_fullscreen: name === 'FullscreenChanged' ? app.isFullscreen : undefined,
      })
    })
  }
}

/** After this time without an event, a session is over. */
const IDLE_SECONDS = 30 * 60

/** The start of the running session, in milliseconds since 1970 UTC; null if none is. */
function sessionOf({ kept, own }: FurtherOptions): number | null {
  const [start = 0, last = 0] = (kept.get(`${own}session`) ?? '').split(' ').map(Number)
  return Math.abs(Date.now() / 1000 - last) < IDLE_SECONDS ? start : null
}

/** The first time that a session leaves the foreground ends it: later, nothing may run. */
function captureForeground(app: WebApp | undefined, options: FurtherOptions): void {
  const { capture, undoing, kept, own } = options
  const endKey = `${own}end`
  let since: number | null = null
  const enter = () => {
    if (!document.hidden && app?.isActive !== false) since ??= Date.now()
  }
  const leave = () => {
    const session = sessionOf(options)
    const from = since
    since = null
    if (from === null || session === null || kept.get(endKey) === `${session}`) return
    kept.set(endKey, `${session}`)
    capture('Session end', { seconds: Math.round((Date.now() - Math.max(from, session)) / 1000) })
  }
  enter()
  listen(undoing, 'visibilitychange', () => (document.hidden ? leave() : enter()))
  listen(undoing, 'pagehide', leave)
  listen(undoing, 'pageshow', enter)
  if (!app) return
  listen(undoing, 'activated', enter, app.onEvent, app.offEvent)
  listen(undoing, 'deactivated', leave, app.onEvent, app.offEvent)
}

const MAX_ERRORS = 10
const MESSAGE_CHARACTERS = 255

function captureErrors(options: FurtherOptions): void {
  const { capture, undoing, kept, own } = options
  const key = `${own}errors`
  const tell = (message: unknown, file?: string, line?: number) => {
    const session = sessionOf(options)
    const [before, known = 0] = (kept.get(key) ?? '').split(' ').map(Number)
    const count = before === session ? known : 0
    if (count >= MAX_ERRORS) return
    capture('Error', {
      message: firstCharacters(withoutLaunch(`${message}`), MESSAGE_CHARACTERS),
      file: file?.replace(/[?#].*/, '') || undefined,
      line: line || undefined,
    })
    // Read again: the first event begins a session.
    kept.set(key, `${sessionOf(options)} ${count + 1}`)
  }
  // Resources that fail to load have no message.
  listen(undoing, 'error', ({ message, filename, lineno }: ErrorEvent) => message && tell(message, filename, lineno))
  listen(undoing, 'unhandledrejection', ({ reason }: PromiseRejectionEvent) => tell(reason?.message ?? reason))
}
