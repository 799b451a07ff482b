import type { Event } from '../../src/collection/event.ts'

/** Consecutive events of one application's traffic. */
export interface Stretch {
  /** The first event's number; equal numbers give equal events. */
  readonly first: number
  readonly count: number
  /** Milliseconds since 1970 UTC. */
  readonly startTime: number
  /** Milliseconds from one event to the next. */
  readonly step: number
}

export const USERS = 5_000
const USERS_AT_ONCE = 1_000
const EVENTS_A_SESSION = 20
const FIRST_TELEGRAM_ID = 7_200_000_000
export const NAMES = Array.from({ length: 24 }, (_, index) => `Screen ${index + 1} opened`)
const LANGUAGES = ['en', 'ru', 'es', 'pt', 'fa', 'uk', 'de', 'tr', 'id', 'ar']
const DEVICES = ['ios', 'android', 'tdesktop', 'weba', 'macos']
const COUNTRIES = ['United States', 'Germany', 'Brazil', 'Indonesia', 'Nigeria', 'Türkiye', 'Ukraine', 'India']
const SOURCES = ['spring', 'friends', 'channel', null]

/** Events as a busy application has them: a thousand users at a time, a session of about twenty events each, then others. */
export function eventsOf({ first, count, startTime, step }: Stretch): Event[] {
  return Array.from({ length: count }, (_, index) => eventAt(first + index, startTime + index * step))
}

function eventAt(number: number, time: number): Event {
  const visit = Math.floor(number / EVENTS_A_SESSION) + (mix(number) % USERS_AT_ONCE)
  const user = visit % USERS
  return {
    name: skewed(NAMES, number),
    time: Math.floor(time / 1000) * 1000,
    telegramId: FIRST_TELEGRAM_ID + user,
    key: mix(number + 0.5) * 2 ** 15 + (number % 2 ** 15),
    id: null,
    claimsId: false,
    session: `session-${visit}`,
    properties: propertiesOf(user),
    volume: 0,
    params: number % 2 === 0 ? `{"path":"/screens/${number % 60}"}` : null,
  }
}

function propertiesOf(user: number): Event['properties'] {
  const device = pick(DEVICES, user)
  return {
    language: pick(LANGUAGES, user + 1),
    isPremium: user % 9 === 0,
    referrerType: null,
    os: device,
    device,
    brand: `Brand ${user % 12}`,
    model: `Model ${user % 90}`,
    country: pick(COUNTRIES, user + 2),
    city: `City ${user % 300}`,
    writeAccess: user % 3 === 0,
    startParameter: pick(SOURCES, user + 3),
    username: `user_${user}`,
    firstname: `First ${user % 700}`,
    lastname: null,
    provider: null,
    currBalance: null,
  }
}

function pick<T>(list: readonly T[], number: number): T {
  return list[mix(number) % list.length] as T
}

/** The first of the list are the most frequent. */
function skewed<T>(list: readonly T[], number: number): T {
  return list[Math.min(mix(number + 0.25) % list.length, mix(number + 0.75) % list.length)] as T
}

/** A whole number below 2^32 that looks random; the finalizer of MurmurHash3. */
function mix(number: number): number {
  let hash = Math.floor(number * 4) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
