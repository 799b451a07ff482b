import type { WalletFigures } from './event.ts'
import { isObject } from './params.ts'
import { toText } from './text.ts'

const WALLET_EVENTS = new Set(['Wallet', 'WalletConnected'])
/** React 1.2.15 strips the punctuation of names. */
const SIGNED_EVENTS = new Set(['[TS] Transaction signed', 'TS Transaction signed'])

/** What an event says of its user's wallet; null for events that say nothing of one. */
export function readWallet(name: string, params: unknown): WalletFigures | null {
  if (!isObject(params)) return null
  if (SIGNED_EVENTS.has(name)) return { provider: null, balance: null, volume: sumAmounts(params.messages) }
  if (!WALLET_EVENTS.has(name)) return null
  return { provider: readProvider(params), balance: toAmount(params.balance), volume: 0 }
}

/** React 1.2.15 finds no provider in what today's wallets report, and says `unknown`; their type is the same word. */
function readProvider({ provider, wallet_type: type }: Readonly<Record<string, unknown>>): string | null {
  const isKnown = provider !== undefined && provider !== null && provider !== 'unknown'
  return toText(isKnown ? provider : (type ?? provider))
}

/** More than all nanotons there are; sums of these stay finite. */
const MOST = 2 ** 63

function sumAmounts(messages: unknown): number {
  if (!Array.isArray(messages)) return 0
  const amounts = messages.map((message) => (isObject(message) ? (toAmount(message.amount) ?? 0) : 0))
  return Math.min(
    amounts.reduce((sum, amount) => sum + amount, 0),
    MOST,
  )
}

/** A figure that is not negative, as a number or as text; null for anything else. */
function toAmount(value: unknown): number | null {
  const isFigure = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
  const amount = isFigure ? Number(value) : Number.NaN
  return Number.isFinite(amount) && amount >= 0 ? amount : null
}
