import type { Kept } from '../storage.ts'
import type { Capture, PageSettings } from './page.ts'

/** The used parts of the events that TON Connect dispatches on the window. */
interface Detail extends Readonly<Record<string, unknown>> {
  readonly wallet_address: string
  readonly custom_data: Readonly<Record<string, string | null>>
}

/** The captured fields of a transaction and its messages. Not the payload: it may hold text that a person wrote. */
const TOLD =
  'messages address amount from valid_until auth_type wallet_address wallet_type wallet_version error_code error_message'

/** Returns what handles an event of TON Connect. `key`: stores the address of the connected wallet. */
export function walletCapture(settings: PageSettings, capture: Capture, kept: Kept, key: string) {
  const isAll = settings.advanced_tracking_features.includes('wallet_connected')
  return ({ type, detail }: CustomEvent<Detail>): void => {
    const { wallet_address: wallet, wallet_type, wallet_version, custom_data } = detail
    if (type.endsWith('-completed')) {
      // TON Connect repeats this at each start of the page for a wallet that is still connected.
      if (kept.get(key) === wallet) return
      capture('Wallet', { wallet, provider: wallet_type, chain: custom_data.chain_id, wallet_type, wallet_version })
      kept.set(key, wallet)
    } else if (type.endsWith('-disconnection')) {
      if (isAll) capture('[TS] Wallet disconnected', { lastWallet: wallet })
      kept.set(key, null)
    } else if (isAll) {
      // It fails if the wallet refuses, or if the person closes TON Connect's dialog (`ui`).
      const name = type.replace(/.*transaction-/, '').replace(/-/g, ' ')
      capture(`[TS] Transaction ${name}`, JSON.parse(JSON.stringify(detail, TOLD.split(' '))))
    }
  }
}
