import { hash, mix, Random, weighted } from './random.ts'

/** How a kind of user takes to the application. */
export interface Habit {
  /** Days from the arrival (or the return) to the last visit, from and to. */
  readonly stays: readonly [from: number, to: number]
  /** Days after the arrival on which those come back who stayed away for long; [0, 0] for all others. */
  readonly returns: readonly [from: number, to: number]
  /** Probability of a visit on a day: at first, and in the long run. */
  readonly visits: readonly [atFirst: number, later: number]
  /** Probability of another thing to do in a visit, and of another visit on the same day. */
  readonly goesOn: number
  readonly comesAgain: number
  readonly shops: number
  readonly hasWallet: number
}

/** Of a hundred users: passers-by, those who try it for some days, regular ones, loyal ones, and those who come back late. */
// biome-ignore format: a table is read by its columns
const HABITS: readonly Habit[] = weighted([
  [{ stays: [1, 1], returns: [0, 0], visits: [0, 0], goesOn: 0.5, comesAgain: 0.06, shops: 0.06, hasWallet: 0.02 }, 54],
  [{ stays: [2, 14], returns: [0, 0], visits: [0.45, 0.2], goesOn: 0.55, comesAgain: 0.2, shops: 0.1, hasWallet: 0.08 }, 27],
  [{ stays: [20, 120], returns: [0, 0], visits: [0.45, 0.17], goesOn: 0.6, comesAgain: 0.22, shops: 0.12, hasWallet: 0.22 }, 12],
  [{ stays: [80, 180], returns: [0, 0], visits: [0.75, 0.4], goesOn: 0.65, comesAgain: 0.34, shops: 0.15, hasWallet: 0.55 }, 3],
  [{ stays: [3, 40], returns: [31, 75], visits: [0.3, 0.12], goesOn: 0.55, comesAgain: 0.18, shops: 0.1, hasWallet: 0.12 }, 4],
])

/** No user comes later than so many days after the first time. */
export const LONGEST_LIFE_DAYS = 180
/** In which the eagerness of the first days wears off. */
const EAGER_DAYS = 6
/** From Sunday on: most people come at weekends. */
const BY_WEEKDAY = [1.2, 0.9, 0.88, 0.9, 0.94, 1.04, 1.24]

/** From Sunday = 0 on; 1 January 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (day + 4) % 7
}

export function habitOf(seed: number): Habit {
  return HABITS[mix(seed + 1) % HABITS.length] as Habit
}

/** The day after the arrival on which a user comes back who stayed away for long; 0 for all others. */
export function returnOf(seed: number, { returns: [from, to] }: Habit): number {
  return from + (mix(seed + 2) % (to - from + 1))
}

/** Whether a user visits on a day. Asked very often, mostly of those who have long gone, so that comes first. */
export function visitsOn(day: number, { seed, age }: { seed: number; age: number }): boolean {
  const habit = habitOf(seed)
  const [shortest, longest] = habit.stays
  if (age > habit.returns[1] + longest) return false
  const since = age - returnOf(seed, habit)
  const stay = shortest * (longest / shortest) ** (mix(seed + 3) / 2 ** 32)
  if (since <= 0 || since > stay) return since === 0 || age === 0
  const [atFirst, later] = habit.visits
  const probability = later + (atFirst - later) * Math.exp((1 - since) / EAGER_DAYS)
  return hash(seed, day) / 2 ** 32 < probability * (BY_WEEKDAY[weekdayOf(day)] as number)
}

const SEED = 0x1e304
/** Half as many again in three months. */
const GROWTH_A_DAY = 0.0045
/** Any day would do, but it stays: the history of tomorrow goes on from today's. */
const REFERENCE_DAY = 20_000
const CAMPAIGN_EVERY_DAYS = 11
/** By how much a campaign raises the arrivals of its days. */
const CAMPAIGN_COURSE = [0.7, 0.5, 0.3, 0.2, 0.1]
const CAMPAIGNS = ['ads_citrus_week', 'influencer_mia', 'ads_lemonade', 'giveaway_tree', 'channel_foodies']
const SOURCES = ['channel_lemonlife', 'channel_lemonlife', 'partner_honeybot', 'bio_link', 'qr_stand']

/** How many times the users of the reference day arrive on a day. */
export function growthUntil(day: number): number {
  return Math.exp(GROWTH_A_DAY * (day - REFERENCE_DAY))
}

/** How many users of a crowd arrive on a day; of a greater crowd no fewer. */
export function arrivalsOn(day: number, crowd: number): number {
  const random = new Random(hash(SEED, day))
  const trend = crowd * growthUntil(day) * (BY_WEEKDAY[weekdayOf(day)] as number)
  return Math.floor(trend * (0.85 + 0.3 * random.next()) * (1 + campaignOn(day).pull) + random.next())
}

/** What brings a user who arrives on a day: a campaign, a friend, another link, or nothing that is known. */
export function startParameterOf(day: number, random: Random): string | null {
  const { name, pull } = campaignOn(day)
  if (random.chance(pull / (1 + pull))) return name
  if (random.chance(0.2)) return `ref_${random.whole(1000, 1040)}`
  return random.chance(0.4) ? random.pick(SOURCES) : null
}

function campaignOn(day: number) {
  const name = CAMPAIGNS[Math.floor(day / CAMPAIGN_EVERY_DAYS) % CAMPAIGNS.length] as string
  return { name, pull: CAMPAIGN_COURSE[day % CAMPAIGN_EVERY_DAYS] ?? 0 }
}
