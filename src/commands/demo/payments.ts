import type { DemoEvent } from './event.ts'
import { hash, mix } from './random.ts'

/** What users of the demo application pay, as the messages of its bot say it. Other events stay as they are without it. */

const HOUR_MS = 3_600_000
/** The messenger renews subscriptions after 30 days. */
const RENEWAL_DAYS = 30
const CLUB = { currency: 'XTR', total_amount: 150 }
/** A lemon tree with one's name, paid by card: in cents. */
const TREE = { currency: 'EUR', total_amount: 1990 }
const SHARES = { joinsClub: 0.06, sponsorsTree: 0.006, isRefunded: 0.04 }

/** What a payment says besides its price. */
type Renewal = Readonly<Record<string, unknown>>

/** From 0 to below 1, the same whenever it is asked about a user and a purpose. */
function chanceOf(seed: number, purpose: number): number {
  return hash(mix(seed + purpose), purpose) / 2 ** 32
}

/** What follows an event that is bought with: the payment, and the refund of some. `seed` is of the user. */
export function* chargesAfter(event: DemoEvent, seed: number): Generator<DemoEvent> {
  const { event_type, params, datetime } = event
  if (event_type === 'Order paid' && params?.method === 'stars')
    yield* charge(event, seed, { currency: 'XTR', total_amount: params.order_total })
  if (event_type === 'Product viewed' && chanceOf(seed ^ datetime, 7) < SHARES.sponsorsTree)
    yield* charge(event, seed, TREE)
}

/** Whether a user subscribes to the club on the day of their regular visits' beginning. */
function isMember(seed: number): boolean {
  return chanceOf(seed, 5) < SHARES.joinsClub
}

/** The first payment of a member, at the end of a visit. */
export function* joiningAfter(last: DemoEvent, seed: number): Generator<DemoEvent> {
  if (isMember(seed))
    yield* charge(last, seed, { ...CLUB, ...subscribedUntil(last.datetime), is_first_recurring: true })
}

/** Whether a member's subscription is renewed this many days after they joined. */
export function renewsAfter(days: number, seed: number): boolean {
  return days > 0 && days % RENEWAL_DAYS === 0 && isMember(seed)
}

/** The renewal at some time of a day; `beginning` is the day's first moment, with all that is known of the user. */
export function* renewalOn(beginning: DemoEvent, seed: number): Generator<DemoEvent> {
  const datetime = beginning.datetime + (mix(seed + 6) % (24 * HOUR_MS))
  yield* charge({ ...beginning, datetime }, seed, { ...CLUB, ...subscribedUntil(datetime) })
}

function subscribedUntil(datetime: number): Renewal {
  const seconds = Math.floor(datetime / 1000) + RENEWAL_DAYS * 86_400
  return { is_recurring: true, subscription_expiration_date: seconds }
}

/** A payment at the moment of an event, and if it is refunded, that some hours later. */
function* charge(
  event: DemoEvent,
  seed: number,
  { currency, total_amount, ...renewal }: Renewal,
): Generator<DemoEvent> {
  const price = { chat_type: 'private', currency, total_amount }
  const message = { ...event, event_type: 'telegram_message', session_id: null, referrer_type: 'private' }
  yield { ...message, params: { content: 'successful_payment', ...price, ...renewal } }
  if (chanceOf(seed ^ event.datetime, 8) >= SHARES.isRefunded) return
  const datetime = event.datetime + HOUR_MS + (mix(seed ^ event.datetime) % (20 * HOUR_MS))
  yield { ...message, datetime, params: { content: 'refunded_payment', ...price } }
}
