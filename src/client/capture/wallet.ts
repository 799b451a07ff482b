import type { Kept } from '../storage.ts'
import { type Capture, type CaptureSettings, listen, type Undoing } from './page.ts'

/** Of what TON Connect dispatches on the window, the parts that are read here. */
interface Detail extends Readonly<Record<string, unknown>> {
  readonly wallet_address: string
  readonly custom_data: Readonly<Record<string, string | null>>
}

/** What is told of a transaction, and of each of its messages: not their payload, it may hold a text that a person wrote. */
const TOLD =
  'messages address amount from valid_until auth_type wallet_address wallet_type wallet_version error_code error_message'

export function captureWallet(
  settings: CaptureSettings,
  capture: Capture,
  undoing: Undoing,
  kept: Kept,
  key: string,
): void {
  const isAll = settings.advanced_tracking_features.includes('wallet_connected')
  if (!isAll && !settings.auto_capture_mini_app_events.includes('WalletConnected')) return
  const on = (type: string, handle: (detail: Detail) => void) =>
    listen(undoing, `ton-connect-${type}`, ({ detail }: CustomEvent<Detail>) => handle(detail))

  on('connection-completed', ({ wallet_address: wallet, wallet_type, wallet_version, custom_data }) => {
    // TON Connect says this at each start of the page, too, for the wallet that was connected before.
    if (kept.get(key) === wallet) return
    capture('Wallet', { wallet, provider: wallet_type, chain: custom_data.chain_id, wallet_type, wallet_version })
    kept.set(key, wallet)
  })
  on('disconnection', ({ wallet_address: lastWallet }) => {
    if (isAll) capture('[TS] Wallet disconnected', { lastWallet })
    kept.set(key, null)
  })
  if (!isAll) return
  const transaction = (name: string, by = '') =>
    on(`${by}transaction-${name.replace(/ /g, '-')}`, (detail) => {
      capture(`[TS] Transaction ${name}`, JSON.parse(JSON.stringify(detail, TOLD.split(' '))))
    })
  transaction('sent for signature')
  transaction('signed')
  // The wallet refuses, or a person closes what TON Connect shows.
  transaction('signing failed')
  transaction('signing failed', 'ui-')
}
