import type { MessengerUser } from './init-data.ts'

/**
 * A stand-in for the messenger around a mini-app: `Telegram.WebApp` as https://core.telegram.org/bots/webapps describes it, on top of
 * the low-level `Telegram.WebView` that published clients listen to. It shows nothing: a test does the person's part by `receive`.
 */

export interface Launch {
  /** Init data as the messenger signs it; made of `user` (unsigned) if it is not given. */
  readonly initData?: string
  readonly user?: MessengerUser
  readonly startParam?: string
  readonly chatType?: string
  readonly platform?: string
  readonly version?: string
}

const LEMON: MessengerUser = { id: 7_234_567_890, first_name: 'Лимон', username: 'lemon', language_code: 'ru' }
const DEFAULT_VERSION = '9.1'
const DEFAULT_PLATFORM = 'ios'

/** A script for the head of a page, or for Playwright's `addInitScript`. */
export function messengerScript(launch: Launch = {}): string {
  const { platform = DEFAULT_PLATFORM, version = DEFAULT_VERSION } = launch
  return `(${installMessenger})(${JSON.stringify({ initData: initDataOf(launch), platform, version })})`
}

/** What the messenger adds to the address of the page that it opens, with its `#`. */
export function launchHash(launch: Launch = {}): string {
  const { platform = DEFAULT_PLATFORM, version = DEFAULT_VERSION } = launch
  const fields = { tgWebAppData: initDataOf(launch), tgWebAppVersion: version, tgWebAppPlatform: platform }
  return `#${new URLSearchParams({ ...fields, tgWebAppThemeParams: '{"bg_color":"#ffffff"}' })}`
}

/** For Playwright's `evaluate`: the messenger tells the page of something, by its low-level name. */
export function receive(eventType: string, data: Record<string, unknown> = {}): string {
  return `Telegram.WebView.receiveEvent(${JSON.stringify(eventType)}, ${JSON.stringify(data)})`
}

/** For Playwright's `evaluate`: what the page has asked of the messenger, by low-level names. */
export const POSTED = 'TelegramWebviewProxy.posted'

function initDataOf({ initData, user = LEMON, startParam, chatType = 'sender' }: Launch): string {
  if (initData !== undefined) return initData
  const fields = {
    user: JSON.stringify(user),
    chat_instance: '-3788475317572404878',
    chat_type: chatType,
    ...(startParam === undefined ? {} : { start_param: startParam }),
    auth_date: String(Math.floor(Date.now() / 1000)),
    signature: 'not-signed',
    hash: 'not-signed',
  }
  return new URLSearchParams(fields).toString()
}

type Handler = (...given: unknown[]) => void
type Callback = ((...given: unknown[]) => unknown) | undefined
interface Received {
  readonly slug?: string
  readonly status?: string
  readonly button_id?: string
  readonly data?: string
  readonly req_id?: string
  readonly is_fullscreen?: boolean
  readonly height?: number
  readonly error?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly is_visible?: boolean
  readonly is_state_stable?: boolean
  readonly response?: Record<string, unknown>
}

/** Runs in the page; holds everything it needs, as it is sent there as text. */
function installMessenger(launch: { initData: string; platform: string; version: string }): void {
  /** Both interfaces keep their handlers in this way; what one of them throws is swallowed, as by the messenger. */
  function makeEvents() {
    const handlers = new Map<string, Handler[]>()
    return {
      on: (type: string, handler: Handler) => void handlers.set(type, [...(handlers.get(type) ?? []), handler]),
      off: (type: string, handler: Handler) =>
        void handlers.set(
          type,
          (handlers.get(type) ?? []).filter((each) => each !== handler),
        ),
      call(type: string, self: unknown, ...given: unknown[]) {
        for (const handler of handlers.get(type) ?? []) {
          try {
            handler.apply(self, given)
          } catch {}
        }
      },
    }
  }

  const proxy = {
    posted: [] as [string, unknown][],
    postEvent: (type: string, data: string) => void proxy.posted.push([type, JSON.parse(data)]),
  }
  const native = makeEvents()
  const WebView = {
    initParams: {},
    onEvent: native.on,
    offEvent: native.off,
    postEvent: (type: string, _callback: unknown, data: unknown = '') => proxy.postEvent(type, JSON.stringify(data)),
    receiveEvent: (type: string, data: Received) => native.call(type, undefined, type, data),
  }
  const post = (type: string, data?: unknown) => WebView.postEvent(type, undefined, data)

  const events = makeEvents()
  const tell = (type: string, data?: unknown) => events.call(type, WebApp, ...(data === undefined ? [] : [data]))

  const parsed: Record<string, unknown> = Object.fromEntries(new URLSearchParams(launch.initData))
  for (const name of ['user', 'receiver', 'chat']) {
    if (typeof parsed[name] === 'string') parsed[name] = JSON.parse(parsed[name])
  }

  function makeButton(pressed: string, clicked: string) {
    const button = {
      isVisible: false,
      isActive: true,
      text: '',
      setText: (text: string) => Object.assign(button, { text }),
      show: () => Object.assign(button, { isVisible: true }),
      hide: () => Object.assign(button, { isVisible: false }),
      onClick(handler: Handler) {
        events.on(clicked, handler)
        return button
      },
      offClick(handler: Handler) {
        events.off(clicked, handler)
        return button
      },
    }
    native.on(pressed, () => button.isVisible && tell(clicked))
    return button
  }

  const invoices = new Map<string, { url: string; callback: Callback }>()
  const reading = new Map<string, Callback>()
  let popup: { callback: Callback } | undefined
  let scanner: { callback: Callback } | undefined
  let writeAccess: { callback: Callback } | undefined
  let contact: { callback: Callback } | undefined

  const WebApp = {
    initData: launch.initData,
    initDataUnsafe: parsed,
    platform: launch.platform,
    version: launch.version,
    colorScheme: 'light',
    themeParams: {},
    isExpanded: true,
    isActive: true,
    isFullscreen: false,
    viewportHeight: 600,
    viewportStableHeight: 600,
    MainButton: makeButton('main_button_pressed', 'mainButtonClicked'),
    SecondaryButton: makeButton('secondary_button_pressed', 'secondaryButtonClicked'),
    BackButton: makeButton('back_button_pressed', 'backButtonClicked'),
    SettingsButton: makeButton('settings_button_pressed', 'settingsButtonClicked'),
    onEvent: events.on,
    offEvent: events.off,
    ready: () => post('web_app_ready'),
    expand: () => post('web_app_expand'),
    close: () => post('web_app_close'),
    openLink: (url: string) => post('web_app_open_link', { url: new URL(url).href }),
    openTelegramLink: (url: string) => post('web_app_open_tg_link', { path_full: new URL(url).pathname }),
    openInvoice(url: string, callback?: Callback) {
      const slug = /^\/(?:\$|invoice\/)([\w=-]+)$/.exec(new URL(url).pathname)?.[1]
      if (slug === undefined) throw new Error('WebAppInvoiceUrlInvalid')
      if (invoices.has(slug)) throw new Error('WebAppInvoiceOpened')
      invoices.set(slug, { url, callback })
      post('web_app_open_invoice', { slug })
    },
    showPopup(params: unknown, callback?: Callback) {
      if (popup) throw new Error('WebAppPopupOpened')
      popup = { callback }
      post('web_app_open_popup', params)
    },
    showScanQrPopup(params: unknown, callback?: Callback) {
      if (scanner) throw new Error('WebAppScanQrPopupOpened')
      scanner = { callback }
      post('web_app_open_scan_qr_popup', params)
    },
    readTextFromClipboard(callback?: Callback) {
      const request = String(reading.size + 1)
      reading.set(request, callback)
      post('web_app_read_text_from_clipboard', { req_id: request })
    },
    requestWriteAccess(callback?: Callback) {
      if (writeAccess) throw new Error('WebAppWriteAccessRequested')
      writeAccess = { callback }
      post('web_app_request_write_access')
    },
    requestContact(callback?: Callback) {
      if (contact) throw new Error('WebAppContactRequested')
      contact = { callback }
      post('web_app_request_phone')
    },
    switchInlineQuery: (query: string, chatTypes?: string[]) =>
      post('web_app_switch_inline_query', { query, chat_types: chatTypes ?? [] }),
    shareToStory: (mediaUrl: string) => post('web_app_share_to_story', { media_url: mediaUrl }),
    isVersionAtLeast: (version: string) => Number.parseFloat(launch.version) >= Number.parseFloat(version),
  }

  const on = (type: string, handle: (data: Received) => void) => native.on(type, (_, data) => handle(data as Received))
  on('invoice_closed', ({ slug = '', status }) => {
    const invoice = invoices.get(slug)
    if (!invoice) return
    invoices.delete(slug)
    invoice.callback?.(status)
    tell('invoiceClosed', { url: invoice.url, status })
  })
  on('popup_closed', ({ button_id = null }) => {
    if (!popup) return
    const { callback } = popup
    popup = undefined
    callback?.(button_id)
    tell('popupClosed', { button_id })
  })
  on('qr_text_received', ({ data = null }) => {
    if (!scanner) return
    if (scanner.callback?.(data)) scanner = undefined
    tell('qrTextReceived', { data })
  })
  on('scan_qr_popup_closed', () => {
    scanner = undefined
    tell('scanQrPopupClosed')
  })
  on('clipboard_text_received', ({ req_id = '', data = null }) => {
    if (!reading.has(req_id)) return
    const callback = reading.get(req_id)
    reading.delete(req_id)
    callback?.(data)
    tell('clipboardTextReceived', { data })
  })
  on('write_access_requested', ({ status }) => {
    if (!writeAccess) return
    const { callback } = writeAccess
    writeAccess = undefined
    callback?.(status === 'allowed')
    tell('writeAccessRequested', { status })
  })
  on('phone_requested', ({ status, response }) => {
    if (!contact) return
    const { callback } = contact
    contact = undefined
    const answer = status === 'sent' ? { status, response: 'contact=…', responseUnsafe: response } : { status }
    callback?.(status === 'sent', answer)
    tell('contactRequested', answer)
  })
  on('fullscreen_changed', ({ is_fullscreen }) => {
    WebApp.isFullscreen = is_fullscreen === true
    tell('fullscreenChanged')
  })
  on('fullscreen_failed', ({ error }) => tell('fullscreenFailed', { error }))
  on('home_screen_added', () => tell('homeScreenAdded'))
  on('prepared_message_sent', () => tell('shareMessageSent'))
  on('prepared_message_failed', ({ error }) => tell('shareMessageFailed', { error }))
  on('emoji_status_set', () => tell('emojiStatusSet'))
  on('emoji_status_failed', ({ error }) => tell('emojiStatusFailed', { error }))
  on('file_download_requested', ({ status }) => tell('fileDownloadRequested', { status }))
  on('requested_chat_sent', () => tell('requestedChatSent'))
  on('requested_chat_failed', ({ error }) => tell('requestedChatFailed', { error }))
  on('location_requested', ({ latitude, longitude }) => {
    tell('locationRequested', { locationData: latitude === undefined ? null : { latitude, longitude } })
  })
  on('visibility_changed', ({ is_visible }) => {
    WebApp.isActive = is_visible === true
    tell(WebApp.isActive ? 'activated' : 'deactivated')
  })
  on('viewport_changed', ({ height, is_state_stable }) => {
    Object.assign(WebApp, { viewportHeight: height }, is_state_stable ? { viewportStableHeight: height } : {})
    tell('viewportChanged', { isStateStable: is_state_stable === true })
  })

  Object.assign(globalThis, { TelegramWebviewProxy: proxy, Telegram: { WebApp, WebView } })
}
