import { parseInstant } from '../../base/time/instant.ts'
import { toEvent } from '../arrival.ts'
import { isObject, toShallow } from '../params.ts'
import { faulty, type Item, type ItemContext, MAX_DEPTH, noEvent, sourceOf } from '../plain-event.ts'
import { timeFaults } from '../time-bounds.ts'
import { readEvent, type Wire } from '../wire.ts'

/**
 * Reads an event of the package `@telegram-apps/analytics`. Only an event without a user is refused: the package sends a refused batch
 * again and again before anything newer. So an impossible time is replaced by that of the arrival.
 */
export function readSdkEvent(item: unknown, { path, arrival }: Pick<ItemContext, 'path' | 'arrival'>): Item {
  if (!isObject(item)) return noEvent(item, path)
  const shallow = toShallow(item, MAX_DEPTH) as Wire
  const content = readEvent(toServerShape(shallow), 'server')
  if (!content) return faulty([{ loc: [...path, 'user_id'], ...NO_USER }])
  const { telegramId } = content.event
  const sentTime = parseInstant(shallow.client_timestamp)
  const time = sentTime !== null && timeFaults(sentTime, arrival).length === 0 ? sentTime : null
  const source = sourceOf(item, { shallow, verifiedUser: null, telegramId, isTimeless: sentTime === null })
  const isTimeAssigned = sentTime !== null && time === null
  const event = toEvent(content, { time, source, isTimeAssigned, arrival })
  const leftOut = content.leftOut.map(({ loc: [, ...inParams], msg }) => ({ loc: [...path, ...inParams], msg }))
  return { event, faults: [], leftOut }
}

const NO_USER = { msg: 'Input should be a whole number from 1 to 9007199254740991', type: 'int_parsing' }

/** The event as a server would write it, under the name and with the parameters that Mauve's own client gives it. */
function toServerShape(sent: Wire): Wire {
  const meaning = MEANINGS.get(sent.event_name)
  return {
    event_type: meaning ? meaning.name(sent) : sent.event_name,
    telegram_id: sent.user_id,
    session_id: sent.session_id,
    is_premium: sent.is_premium,
    device: sent.platform,
    language: sent.locale,
    start_parameter: sent.start_param,
    params: meaning ? meaning.params(sent) : ownParams(sent),
  }
}

/** What an event of the package is called, and the parameters kept of it. */
interface Meaning {
  readonly name: (sent: Wire) => string
  readonly params: (sent: Wire) => Wire
}

function named(name: string, params: Meaning['params'] = () => ({})): Meaning {
  return { name: () => name, params }
}

const MEANINGS: ReadonlyMap<unknown, Meaning> = new Map<unknown, Meaning>([
  ['app-init', named('Session start')],
  ['app-hide', named('Session end')],
  ['connection-started', named('[TS] Wallet connect started')],
  ['connection-completed', named('Wallet', walletOf)],
  ['connection-error', named('[TS] Wallet connect error', errorOf)],
  ['connection-restoring-started', named('[TS] Wallet connection restoring started')],
  ['connection-restoring-completed', named('[TS] Wallet connection restored', walletOf)],
  ['connection-restoring-error', named('[TS] Wallet connection restore error', errorOf)],
  ['disconnection', named('[TS] Wallet disconnected', ({ wallet_address }) => ({ lastWallet: wallet_address }))],
  ['transaction-sent-for-signature', named('[TS] Transaction sent for signature', transactionOf)],
  ['transaction-signed', named('[TS] Transaction signed', transactionOf)],
  ['transaction-signing-failed', named('[TS] Transaction signing failed', transactionOf)],
  ['register-invoice', named('Invoice registered', invoiceOf)],
  ['purchase-init', { name: (sent) => `Invoice opened: ${linkSlugOf(sent)}`, params: linkOf }],
  ['purchase-success', named('InvoiceClosed', closedWith('paid'))],
  ['purchase-cancelled', named('InvoiceClosed', closedWith('cancelled'))],
  ['purchase-failed', named('InvoiceClosed', closedWith('failed'))],
  ['subscription-started', named('Subscription started', invoiceOf)],
  ['subscription-renewed', named('Subscription renewed', invoiceOf)],
  ['subscription-cancelled', named('Subscription cancelled', invoiceOf)],
  ['refund-issued', named('Refund issued', invoiceOf)],
])

/** The fields that the package adds to each event. */
const COMMON_FIELDS: ReadonlySet<string> = new Set([
  'event_name',
  'session_id',
  'user_id',
  'app_name',
  'is_premium',
  'platform',
  'locale',
  'start_param',
  'client_timestamp',
  'custom_data',
])

/** The parameters of an event that the application's developer made up. */
function ownParams(sent: Wire): Wire {
  const own = Object.entries(sent).filter(([field]) => !COMMON_FIELDS.has(field))
  return { ...customDataOf(sent), ...Object.fromEntries(own) }
}

function customDataOf({ custom_data }: Wire): Wire {
  return isObject(custom_data) ? custom_data : {}
}

function walletOf(sent: Wire): Wire {
  const { wallet_address: wallet, wallet_type, wallet_version } = sent
  return { wallet, provider: wallet_type, chain: customDataOf(sent).chain_id, wallet_type, wallet_version }
}

function errorOf({ error_code, error_message }: Wire): Wire {
  return { error_code, error_message }
}

/** Without the payload, which may hold text that a person wrote. */
function transactionOf(sent: Wire): Wire {
  const { messages, from, valid_until, auth_type, wallet_address, wallet_type, wallet_version } = sent
  const told = Array.isArray(messages) ? messages.filter(isObject) : []
  return {
    messages: told.map(({ address, amount }) => ({ address, amount })),
    ...{ from, valid_until, auth_type, wallet_address, wallet_type, wallet_version },
    ...errorOf(sent),
  }
}

/** Without what the bot adds for itself: payload, provider's token and data. */
function invoiceOf(sent: Wire): Wire {
  const { slug, title, currency, subscription_period } = sent
  return { slug, title, currency, total_amount: totalOf(sent), subscription_period }
}

/** In the currency's smallest unit. */
function totalOf({ prices, total_amount }: Wire): unknown {
  if (!Array.isArray(prices)) return total_amount
  const amounts = prices.map((price) => (isObject(price) ? price.amount : null))
  return amounts.every((amount) => typeof amount === 'number') ? amounts.reduce((sum, amount) => sum + amount, 0) : null
}

/** The package leaves out the `$` that invoice links begin with today. */
function linkSlugOf({ slug }: Wire): string {
  return typeof slug === 'string' ? `$${slug}` : ''
}

function linkOf(sent: Wire): Wire {
  return { slug: linkSlugOf(sent) }
}

function closedWith(status: string): Meaning['params'] {
  return ({ slug }) => ({ slug, status })
}
