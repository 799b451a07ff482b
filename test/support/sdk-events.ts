import { gzipSync } from 'node:zlib'

/** What `@telegram-apps/analytics` 1.6.4 adds to each event, as recorded in Chromium. */
const SESSION = {
  session_id: '0ba49ee2-d074-41c4-a2b0-641c462b0641',
  app_name: 'lemon_shop',
  is_premium: true,
  platform: 'ios',
  locale: 'ru',
  start_param: 'summer',
}

const ADDRESS = `0:${'5a'.repeat(32)}`
const TO = 'UQBaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWgYv'
const CONNECTED = {
  trace_id: '01a208ad-376e-7539-8253-9aaf290d9877',
  wallet_address: ADDRESS,
  wallet_state_init: '',
  wallet_type: 'Lemon Wallet',
  wallet_version: '1.2.3',
  auth_type: 'ton_addr',
  custom_data: {
    client_id: null,
    wallet_id: null,
    chain_id: '-239',
    provider: 'injected',
    ton_connect_sdk_lib: '3.4.1',
    ton_connect_ui_lib: '2.4.4',
  },
}
const MESSAGE = { address: TO, amount: '2500000000' }
const TRANSACTION = { ...CONNECTED, valid_until: '2000000000', from: ADDRESS }
const INVOICE = { slug: 'lemons', title: 'Crate', currency: 'XTR', subscription_period: 2_592_000 }

const WALLET = {
  wallet: ADDRESS,
  provider: 'Lemon Wallet',
  chain: '-239',
  wallet_type: 'Lemon Wallet',
  wallet_version: '1.2.3',
}
const TOLD = {
  messages: [MESSAGE],
  from: ADDRESS,
  valid_until: '2000000000',
  auth_type: 'ton_addr',
  wallet_address: ADDRESS,
  wallet_type: 'Lemon Wallet',
  wallet_version: '1.2.3',
}
const BILLED = { ...INVOICE, total_amount: 255 }
const REFUSED = { error_code: 300, error_message: 'User declines' }

interface SdkEvent {
  readonly sent: Readonly<Record<string, unknown>> & { readonly event_name: string }
  readonly name: string
  readonly params: Readonly<Record<string, unknown>> | null
}

/** Each event of the package: what it sends of it, and what is stored. */
export const SDK_EVENTS: readonly SdkEvent[] = [
  stored('app-init', {}, 'Session start', null),
  stored('app-hide', {}, 'Session end', null),
  stored('connection-started', {}, '[TS] Wallet connect started', null),
  stored('connection-completed', { is_success: true, ...CONNECTED }, 'Wallet', WALLET),
  stored('connection-error', { is_success: false, ...REFUSED }, '[TS] Wallet connect error', REFUSED),
  stored('connection-restoring-started', {}, '[TS] Wallet connection restoring started', null),
  stored('connection-restoring-completed', CONNECTED, '[TS] Wallet connection restored', WALLET),
  stored('connection-restoring-error', REFUSED, '[TS] Wallet connection restore error', REFUSED),
  stored('disconnection', { scope: 'dapp', ...CONNECTED }, '[TS] Wallet disconnected', { lastWallet: ADDRESS }),
  stored(
    'transaction-sent-for-signature',
    { ...TRANSACTION, messages: [{ ...MESSAGE, payload: 'te6cckEBAQEAAgAAAEysuc0=', state_init: null }] },
    '[TS] Transaction sent for signature',
    TOLD,
  ),
  stored(
    'transaction-signed',
    { is_success: true, signed_transaction: 'te6cckEBAQEAAgAAAEysuc0=', ...TRANSACTION, messages: [MESSAGE] },
    '[TS] Transaction signed',
    TOLD,
  ),
  stored(
    'transaction-signing-failed',
    { is_success: false, ...REFUSED, ...TRANSACTION, messages: [MESSAGE] },
    '[TS] Transaction signing failed',
    { ...TOLD, ...REFUSED },
  ),
  stored(
    'register-invoice',
    {
      ...INVOICE,
      description: 'A crate',
      payload: 'order 5',
      provider_token: 'secret',
      prices: [
        { label: 'Crate', amount: 250 },
        { label: 'Tip', amount: 5 },
      ],
    },
    'Invoice registered',
    BILLED,
  ),
  stored('purchase-init', { slug: 'lemons' }, 'Invoice opened: $lemons', { slug: '$lemons' }),
  stored('purchase-success', { slug: 'lemons' }, 'InvoiceClosed', { slug: 'lemons', status: 'paid' }),
  stored('purchase-cancelled', { slug: 'lemons' }, 'InvoiceClosed', { slug: 'lemons', status: 'cancelled' }),
  stored('purchase-failed', { slug: 'lemons' }, 'InvoiceClosed', { slug: 'lemons', status: 'failed' }),
  stored('subscription-started', BILLED, 'Subscription started', BILLED),
  stored('subscription-renewed', BILLED, 'Subscription renewed', BILLED),
  stored('subscription-cancelled', BILLED, 'Subscription cancelled', BILLED),
  stored('refund-issued', BILLED, 'Refund issued', BILLED),
  stored('Level up', { level: 3, custom_data: { hero: 'fig' } }, 'Level up', { hero: 'fig', level: 3 }),
]

function stored(event_name: string, sent: object, name: string, params: SdkEvent['params']): SdkEvent {
  return { sent: { event_name, ...sent }, name, params }
}

interface Parts extends Readonly<Record<string, unknown>> {
  readonly user_id?: unknown
}

/** An event as the package sends it. */
export function sdkEvent(sent: SdkEvent['sent'], { user_id = 7_234_567_890, ...parts }: Parts = {}) {
  return { ...sent, ...SESSION, user_id, client_timestamp: String(Date.now()), ...parts }
}

/** A batch as the package sends it. */
export function packed(body: unknown): RequestInit {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', origin: 'https://shop.example' }
  return { method: 'POST', headers, body: gzipSync(JSON.stringify(body)) as BodyInit }
}
