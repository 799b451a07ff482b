import { type Habit, startParameterOf } from './habits.ts'
import { COUNTRIES, NAMES } from './places.ts'
import { Random, weighted } from './random.ts'

const ANDROIDS = [
  ['Samsung', 'SM-A546E'],
  ['Samsung', 'SM-S928B'],
  ['Xiaomi', 'Redmi Note 13 Pro'],
  ['Xiaomi', 'Redmi 12C'],
  ['OPPO', 'CPH2483'],
  ['Realme', 'RMX3710'],
  ['TECNO', 'KI5k'],
] as const
const IPHONE = { device: 'ios', os: 'iOS', brand: 'Apple', model: 'iPhone' }
const DESKTOPS = [
  { device: 'tdesktop', os: 'Windows' },
  { device: 'weba', os: 'Windows' },
  { device: 'macos', os: 'Mac OS', brand: 'Apple', model: 'Macintosh' },
]
const DESKTOP_PART = 0.12
const STEMS = 'alex kate sunny max crypto mia dima leo anna ton rocket omar priya budi nova timur zoe pixel'.split(' ')
const REFERRERS = weighted([['sender', 4] as const, ['private', 3], ['channel', 2], ['supergroup', 2]])
const WALLETS = weighted([['telegram-wallet', 5] as const, ['tonkeeper', 4], ['mytonwallet', 1]])
const ADDRESS_LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
/** The part of those who came so far that take each step of the onboarding. */
const ONBOARDING = [0.96, 0.8, 0.76]

export interface DemoPerson {
  readonly telegramId: number
  readonly utcOffsetHours: number
  /** What all their events say. */
  readonly context: { readonly os: string; readonly [property: string]: unknown }
  /** Days after the first visit from which and until which they pay for premium. */
  readonly premium: readonly [from: number, until: number]
  /** What brought them on their first visit. */
  readonly startParameter: string | null
  /** Steps of the onboarding that they take. */
  readonly onboarding: number
  readonly wallet: { readonly provider: string; readonly address: string; readonly ton: number } | null
}

export interface DemoArrival {
  readonly seed: number
  readonly telegramId: number
  /** Of the first visit, in days since 1970 UTC. */
  readonly day: number
  readonly habit: Habit
}

/** All about a user that is settled from the start. */
export function personOf({ seed, telegramId, day, habit }: DemoArrival): DemoPerson {
  const random = new Random(seed)
  const { code, figures, languages, cities } = random.pick(COUNTRIES)
  const [iphones, premium, utcOffsetHours, englishNames] = figures
  const language = random.pick(languages)
  const { first, last } = NAMES[language === 'en' ? englishNames : (language as keyof typeof NAMES)]
  return {
    telegramId,
    utcOffsetHours,
    context: {
      language,
      country: code,
      city: random.pick(cities),
      firstname: random.pick(first),
      lastname: random.chance(0.5) ? random.pick(last) : null,
      username: random.chance(0.66) ? `${random.pick(STEMS)}${random.whole(10, 99_999)}` : null,
      referrer_type: random.pick(REFERRERS),
      ...drawDevice(random, iphones / 100),
    },
    premium: drawPremium(random, premium / 100),
    startParameter: startParameterOf(day, random),
    onboarding: countSteps(random),
    wallet: random.chance(habit.hasWallet) ? drawWallet(random) : null,
  }
}

function drawDevice(random: Random, iphones: number) {
  if (random.chance(DESKTOP_PART)) return random.pick(DESKTOPS)
  const [brand, model] = random.pick(ANDROIDS)
  return random.chance(iphones) ? IPHONE : { device: 'android', os: 'Android', brand, model }
}

/** Some take it after a while, some let it run out. */
function drawPremium(random: Random, part: number): DemoPerson['premium'] {
  const from = random.chance(part) ? 0 : random.chance(part / 2) ? random.whole(2, 90) : Number.POSITIVE_INFINITY
  return [from, random.chance(0.3) ? from + random.whole(5, 90) : Number.POSITIVE_INFINITY]
}

function countSteps(random: Random): number {
  const stop = ONBOARDING.findIndex((part) => !random.chance(part))
  return stop < 0 ? ONBOARDING.length : stop
}

function drawWallet(random: Random): DemoPerson['wallet'] {
  const letters = Array.from({ length: 46 }, () => random.pick(ADDRESS_LETTERS))
  return { provider: random.pick(WALLETS), address: `UQ${letters.join('')}`, ton: random.logUniform(0.2, 900) }
}
