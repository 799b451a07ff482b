import fc from 'fast-check'
import type { Happening } from './user-history.ts'

const MIDNIGHT = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000

/** Few moments, close to two midnights: many events fall on the same instant, sessions cross days. */
const MOMENTS = [-86_400_001, -86_400_000, -1_500, -1, 0, 1, 1_000, 2_000, 43_200_000, 86_399_999, 86_400_000]

const amount = fc.oneof(fc.nat(1_000_000_000), fc.nat(1_000_000_000).map(String))

const deeds = fc.oneof(
  fc.record({ name: fc.constantFrom('Session start', 'purchase'), params: fc.constant(undefined) }),
  fc.record({
    name: fc.constant('Wallet'),
    params: fc.record({ provider: fc.constantFrom('Tonkeeper', 'MyTonWallet'), balance: amount }, { requiredKeys: [] }),
  }),
  fc.record({
    name: fc.constant('[TS] Transaction signed'),
    params: fc.record({ messages: fc.array(fc.record({ amount }), { maxLength: 3 }) }),
  }),
)

const time = fc.oneof(
  fc.constantFrom(...MOMENTS.map((offset) => MIDNIGHT + offset)),
  fc.integer({ min: -200_000_000, max: 86_400_000 }).map((offset) => MIDNIGHT + offset),
)

const facts = fc.record({
  telegramId: fc.constantFrom(1, 2, 7_234_567_890, 2 ** 53 - 1),
  time,
  session: fc.constantFrom(null, '1', '2', 'late show'),
  language: fc.constantFrom(undefined, null, '', 'N/A', 'en', 'ru', 'pt-br'),
  isPremium: fc.constantFrom(undefined, null, true, false),
  country: fc.constantFrom(undefined, 'us', 'Germany', 'France'),
  city: fc.constantFrom(undefined, 'Berlin', 'Zürich'),
  device: fc.constantFrom(undefined, 'ios', 'android'),
  brand: fc.constantFrom(undefined, 'Apple', 'Samsung'),
  model: fc.constantFrom(undefined, 'iPhone', 'SM-S918B'),
  username: fc.constantFrom(undefined, 'lemon', 'lime'),
  firstname: fc.constantFrom(undefined, 'Lea', 'Лена'),
  lastname: fc.constantFrom(undefined, '', 'Limon'),
  startParameter: fc.constantFrom(undefined, '', 'spring', 'autumn'),
})

const happening = fc
  .tuple(facts, deeds, fc.option(fc.uuid(), { nil: undefined, freq: 3 }))
  .map(([fact, deed, eventId]): Happening => ({ eventId, ...fact, ...deed }))

/** Every other event that has an id has a number as a part of it. */
export const history = fc
  .array(happening, { minLength: 1, maxLength: 40 })
  .map((all) => all.map((one, place) => (one.eventId && place % 2 ? { ...one, eventId: `page#${place}` } : one)))

/** A way in which what happened may reach the database: deliveries of messages of events, everything at least once. */
export type Journey = readonly (readonly (readonly Happening[])[])[]

/** Out of order, some of it twice or thrice, cut into deliveries and these into messages at random. */
export function journeyOf(happenings: readonly Happening[]): fc.Arbitrary<Journey> {
  return journeyWith(happenings, fc.constantFrom(...happenings))
}

/** A journey in which an event that comes again under its own id may have become something else. */
export function garbledJourneyOf(happenings: readonly Happening[]): fc.Arbitrary<Journey> {
  const [original, other] = [fc.constantFrom(...happenings), fc.constantFrom(...happenings)]
  const resent = fc
    .tuple(original, other, fc.boolean())
    .map(([first, anew, isGarbled]) => (isGarbled && first.eventId ? { ...anew, eventId: first.eventId } : first))
  return journeyWith(happenings, resent)
}

function journeyWith(happenings: readonly Happening[], resent: fc.Arbitrary<Happening>): fc.Arbitrary<Journey> {
  const sendings = fc.array(resent, { maxLength: 12 }).chain((again) => {
    const all = [...happenings, ...again]
    return fc.shuffledSubarray(all, { minLength: all.length })
  })
  return fc
    .tuple(sendings, sizes(12), sizes(5))
    .map(([sent, batches, messages]) => cutUp(cutUp(sent, messages), batches))
}

function sizes(max: number) {
  return fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 5 })
}

/** Consecutive pieces of these sizes, over and over. */
function cutUp<T>(items: readonly T[], sizes: readonly number[]): T[][] {
  const pieces: T[][] = []
  for (let start = 0; start < items.length; ) {
    const size = sizes[pieces.length % sizes.length] as number
    pieces.push(items.slice(start, start + size))
    start += size
  }
  return pieces
}

/** The plain event that tells this; either of the two shapes, always the same one for the same event. */
export function toWire(happening: Happening): Record<string, unknown> {
  return happening.time % 2 === 0 ? toServerShape(happening) : toClientShape(happening)
}

function toServerShape(happening: Happening) {
  const { eventId, telegramId, time, name, session, isPremium, startParameter, ...same } = happening
  return {
    ...same,
    event_id: eventId,
    telegram_id: telegramId,
    datetime: time,
    event_type: name,
    session_id: session,
    is_premium: isPremium,
    start_parameter: startParameter,
  }
}

function toClientShape(happening: Happening) {
  const { eventId, telegramId, time, name, session, params, ...rest } = happening
  const { isPremium, username, firstname, lastname, startParameter, ...same } = rest
  return {
    ...same,
    event_id: eventId,
    telegramID: String(telegramId),
    timestamp: new Date(time).toISOString(),
    eventType: name,
    sessionIdentifier: session,
    userDetails: { username, firstName: firstname, lastName: lastname, isPremium },
    eventDetails: { startParameter, params },
  }
}
