import type { Placement } from '../../src/storage/activity.ts'
import { type CollectingApplication, createPlainApplication } from './applications.ts'
import { deliver, messagesOf } from './delivery.ts'
import { toWire } from './made-up-history.ts'
import { place } from './placement.ts'
import { type Happening, tellUsers, type UserStory } from './user-history.ts'

const START = Date.now() - 10 * 86_400_000

/** Drawn in turn; the lists have different lengths, so that users differ in every combination. */
const LANGUAGES = ['en', undefined, 'ru', 'pt-br', 'en', 'de', undefined]
const COUNTRIES = [undefined, 'Germany', 'us', 'France', 'Türkiye']
const CITIES = ['Berlin', 'Zürich', undefined, 'Ōsaka']
const PREMIUM = [true, false, undefined]
const UTMS = ['spring', undefined, undefined, 'autumn', undefined, 'spring']
const PROVIDERS = ['Tonkeeper', 'MyTonWallet']

function draw<T>(values: readonly T[], place: number): T {
  return values[place % values.length] as T
}

/** What happened to this many users: one to four visits each, and to every third one something with a wallet. */
function crowdOf(users: number): Happening[] {
  return Array.from({ length: users }, (_, place) => [...visits(place), ...wallet(place)]).flat()
}

function visits(place: number): Happening[] {
  return Array.from({ length: 1 + (place % 4) }, (_, visit) => ({
    ...happening(place, visit),
    session: visit % 2 ? `s${visit}` : null,
  }))
}

function wallet(place: number): Happening[] {
  if (place % 3 > 0) return []
  const params = { provider: draw(PROVIDERS, place), balance: (place % 5) * 1.5 }
  const messages = [{ amount: String((place % 7) * 1_000_000_000) }]
  return [
    { ...happening(place, 4), name: 'Wallet', params },
    { ...happening(place, 5), name: '[TS] Transaction signed', params: { messages } },
  ]
}

function happening(place: number, visit: number): Happening {
  return {
    eventId: undefined,
    // Not in the order in which users come up, and with a gap where the numbers get a digit more.
    telegramId: 1 + ((place * 37) % 101) * 97,
    time: START + place * 1000 + visit,
    name: 'visit',
    session: null,
    language: draw(LANGUAGES, place),
    isPremium: draw(PREMIUM, place),
    country: draw(COUNTRIES, place),
    city: draw(CITIES, place),
    device: draw(['ios', 'android'], place),
    brand: undefined,
    model: undefined,
    username: `user${place}`,
    firstname: undefined,
    lastname: undefined,
    startParameter: draw(UTMS, place),
    params: undefined,
  }
}

export interface CrowdUser extends Omit<UserStory, 'anyOf'> {
  readonly [property: string]: unknown
}

export interface Crowd extends CollectingApplication {
  /** Users, sorted by id. */
  readonly users: CrowdUser[]
}

/** An application with this many users. */
export async function createCrowd(users: number, databases: Placement = [1]): Promise<Crowd> {
  const application = await createPlainApplication()
  await place(application.applicationId, databases)
  const happenings = crowdOf(users)
  await deliver(messagesOf(application.applicationId, happenings.map(toWire)))
  return { ...application, users: tellUsers(happenings).map(toCrowdUser) }
}

/** No two events of a user fall on the same instant, so one value is right. */
function toCrowdUser({ anyOf, ...user }: UserStory): CrowdUser {
  return { ...user, ...Object.fromEntries(Object.entries(anyOf).map(([property, [value]]) => [property, value])) }
}
