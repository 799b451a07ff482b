import type { Kept } from '../storage.ts'
import { type Capture, listen, type PageSettings, type Undoing } from './page.ts'

/** The used parts of the events that TON Connect dispatches on the window. */
interface Detail extends Readonly<Record<string, unknown>> {
  readonly wallet_address: string
  readonly custom_data: Readonly<Record<string, string | null>>
}

/** The captured fields of a transaction and its messages. Not the payload: it may hold text that a person wrote. */
const TOLD =
  'messages address amount from valid_until auth_type wallet_address wallet_type wallet_version error_code error_message'

export function captureWallet(
  settings: PageSettings,
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
    // TON Connect repeats this at each start of the page for a wallet that is still connected.
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
  // The wallet refuses, or the person closes TON Connect's dialog.
  transaction('signing failed')
  transaction('signing failed', 'ui-')
}
