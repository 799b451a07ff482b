import { toText } from '../base/text/text.ts'
import { isObject } from './params.ts'

const WALLET_EVENTS = new Set(['Wallet', 'WalletConnected'])
/** React 1.2.15 strips the punctuation of names. */
const SIGNED_EVENTS = new Set(['[TS] Transaction signed', 'TS Transaction signed'])

/** What a wallet event or a signed transaction says of its user's wallet. */
interface Wallet {
  readonly provider: string | null
  readonly currBalance: number | null
  /** Nanotons sent by a signed transaction; 0 for other events. */
  readonly volume: number
}

const NO_WALLET: Wallet = { provider: null, currBalance: null, volume: 0 }

export function readWallet(name: string, params: unknown): Wallet {
  if (!isObject(params)) return NO_WALLET
  if (SIGNED_EVENTS.has(name)) return { ...NO_WALLET, volume: sumAmounts(params.messages) }
  if (!WALLET_EVENTS.has(name)) return NO_WALLET
  return { ...NO_WALLET, provider: readProvider(params), currBalance: toAmount(params.balance) }
}

/**
 * React 1.1.3 and 1.1.10 call the provider `walletProvider`. React 1.2.15 finds none in what today's wallets report, and says
 * `unknown`; their type is the same word.
 */
function readProvider({
  provider,
  walletProvider,
  wallet_type: type,
}: Readonly<Record<string, unknown>>): string | null {
  const given = provider ?? walletProvider ?? null
  return toText(given === null || given === 'unknown' ? (type ?? given) : given)
}

/** More than all nanotons there are; sums of these stay finite. */
const MAX_NANOTONS = 2 ** 63

function sumAmounts(messages: unknown): number {
  if (!Array.isArray(messages)) return 0
  const amounts = messages.map((message) => (isObject(message) ? (toAmount(message.amount) ?? 0) : 0))
  return Math.min(
    amounts.reduce((sum, amount) => sum + amount, 0),
    MAX_NANOTONS,
  )
}

/** A figure that is not negative, as a number or as text; null for anything else. */
function toAmount(value: unknown): number | null {
  const isFigure = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  const amount = isFigure ? Number(value) : Number.NaN
  return Number.isFinite(amount) && amount >= 0 ? amount : null
}
