import { Dice, hash, scramble, unit } from './random.ts'
import { CAMPAIGNS, SOURCES } from './shop.ts'

const SEED = 0x1e304
/** What a draw is for, so that one draw says nothing of another. */
const DRAW = { size: 1, rounding: 2, campaign: 3, source: 4 } as const

/** The day on which a crowd of 1 gains about one user; any day would do. */
const REFERENCE_DAY = 20_000
/** Half as many again in three months. */
const GROWTH_A_DAY = 0.0045
/** From Sunday on. */
const BY_WEEKDAY = [1.12, 0.92, 0.93, 0.95, 0.98, 1.03, 1.14]

const CAMPAIGN_EVERY_DAYS = 11
const CAMPAIGN_COURSE = [1, 0.75, 0.45, 0.25, 0.1]

/** The users of a cohort have the numbers below this; see `telegramIdOf`. */
const COHORT_BITS = 18

/**
 * How many users arrive on a day. A greater crowd has the users of a smaller one and more: whatever size the history is
 * sent in, a user's own part of it stays the same.
 */
export function cohortSize(day: number, crowd: number): number {
  const growth = Math.exp(GROWTH_A_DAY * (day - REFERENCE_DAY))
  const chance = 0.85 + 0.3 * unit(SEED, DRAW.size, day)
  const pull = 1 + 0.9 * campaignOn(day).strength
  const size = crowd * growth * chance * pull * (BY_WEEKDAY[weekdayOf(day)] as number)
  return Math.min(Math.floor(size + unit(SEED, DRAW.rounding, day)), 2 ** COHORT_BITS)
}

/** From 0 = Sunday; 1 January 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (day + 4) % 7
}

export function seedOf(cohort: number, index: number): number {
  return hash(SEED, cohort, index)
}

/** A different one for every user: the day and the number within it, thoroughly mixed, then spread over the usual ids. */
export function telegramIdOf(cohort: number, index: number): number {
  const mixed = scramble(((cohort << COHORT_BITS) | index) ^ SEED)
  return 100_000_000 + Math.floor(mixed * 1.85)
}

/** The start parameter that brought a user; null for one who came without. */
export function arrivedThrough(cohort: number, seed: number): string | null {
  const dice = new Dice(seed, DRAW.source)
  const campaign = campaignOn(cohort)
  if (dice.chance(campaign.strength * 0.45)) return campaign.name
  if (dice.chance(0.22)) return `ref_${telegramIdOf(cohort - Math.ceil(dice.skewed(1, 60)), 0)}`
  return dice.chance(0.4) ? dice.weighted(SOURCES) : null
}

/** The latest campaign and what is left of its pull, from 0 to 1. */
function campaignOn(day: number) {
  const block = Math.floor(day / CAMPAIGN_EVERY_DAYS)
  const dice = new Dice(SEED, DRAW.campaign, block)
  const begin = block * CAMPAIGN_EVERY_DAYS + dice.whole(0, CAMPAIGN_EVERY_DAYS - CAMPAIGN_COURSE.length)
  const appeal = 0.5 + 0.5 * dice.unit()
  return { name: dice.pick(CAMPAIGNS), strength: appeal * (CAMPAIGN_COURSE[day - begin] ?? 0) }
}
