/** What published clients of servers and bots seal, recorded by running them; only the times are changed. */

type Wire = Readonly<Record<string, unknown>>

const LEA = { telegram_id: 7234567890, username: 'lemon', firstname: 'Lea', lastname: null, language: 'en' }

/** Python 0.4.0: an event of the caller, and two updates of a bot. */
const PYTHON_0_4_EVENTS = [
  { event_type: 'Purchase', ...LEA, is_premium: true, application_id: null },
  { event_type: 'telegram_message', ...LEA, is_premium: false, application_id: '{"update_id": 123}' },
  { event_type: 'telegram_callback_query', ...LEA, is_premium: true, application_id: '{"update_id": 123}' },
].map((event) => ({ ...event, referrer_type: 'backend', referrer: 0, event_source: 'python_SDK' }))

/** When the call was made, as that client writes it. */
interface Call {
  /** Local time of its server, like `2026-11-21T20:34:22.636442`. */
  readonly datetime: string
  /** Milliseconds, like 1795272562636. */
  readonly session_id: number
}

export function python04Events(call: Call): Wire[] {
  return PYTHON_0_4_EVENTS.map((event) => ({ ...event, ...call }))
}

/** Node 0.5.3: an event of the caller, and an update of a bot. `datetime` is like `2026-11-21T15:18:25.426263552Z`. */
export function nodeEvents(datetime: string): Wire[] {
  const lea = { username: 'lemon', firstname: 'Lea', is_premium: true, telegram_id: 2147483647, language: 'en' }
  return [
    { event_type: 'Purchase', session_id: -22024302 },
    { event_type: 'message', session_id: -22024234 },
  ].map((event) => ({ application_id: '7234567890', datetime, ...lea, ...event, event_source: 'telemetree_wasm' }))
}

/** Go: two calls within a second; the application it names is the API key. */
export function goEvents(second: number): Wire[] {
  return [339, 340].map((millisecond) => ({
    application_id: '75a5d521-9504-45fb-a371-973aa89eb186',
    datetime: second,
    session_id: second * 1000 + millisecond,
    telegram_id: 7234567890,
    referrer: -5213456789,
    event_source: 'Go SDK',
    is_premium: true,
    event_type: 'Purchase',
    username: 'lemon',
    firstname: 'Lea',
    language: 'en',
    referrer_type: 'private',
  }))
}

const CHAT = { chatType: 'private', chatId: 7234567890 }

function message(startParameter: string, text: string): Wire {
  const eventDetails = { startParameter, path: '', ...CHAT, messageId: 17, text, messageLength: text.length }
  return { eventType: 'Message', eventDetails, language: 'N/A', isPremium: false }
}

function query(eventType: string, found: Wire): Wire {
  return { eventType, eventDetails: { startParameter: 'lemons', ...found }, language: 'en', isPremium: false }
}

function member(updateType: string, oldStatus: string, newStatus: string): Wire {
  const eventDetails = { ...CHAT, path: '', startParameter: '', updateType, oldStatus, newStatus }
  return { eventType: 'Chat member update', eventDetails, language: 'en', isPremium: true }
}

const PYTHON_0_2_UPDATES = [
  message('promo42', '/start promo42'),
  message('Hello there', 'Hello there'),
  message('https://a.b/start', 'open https://a.b/start now'),
  message('', '/start'),
  query('Inline query', { path: '' }),
  query('Chosen inline query', { result: 'lemon-7', path: '', chatType: 'private', chat: 2966806 }),
  member('User kicked/banned', 'member', 'kicked'),
  member('User joined', 'kicked', 'member'),
]

/** Python 0.2.0 and 0.2.1: eight updates of a bot, one a second from that moment on. */
export function python02Events(firstSecond: number): Wire[] {
  return PYTHON_0_2_UPDATES.map(({ eventType, eventDetails, language, isPremium }, place) => ({
    timestamp: firstSecond + place,
    app: 'bot',
    eventSource: 'python-sdk-v2',
    isAutocapture: true,
    eventType,
    eventDetails,
    telegramID: '7234567890',
    isBot: false,
    language,
    device: 'unknown',
    userDetails: { username: 'lemon', firstName: 'Lea', lastName: '', isPremium, writeAccess: true },
    eventparams: {},
    eventdetails: { startParameter: (eventDetails as Wire).startParameter, path: '' },
    referrerType: 'Direct',
    referrer: '0',
    sessionIdentifier: null,
  }))
}
