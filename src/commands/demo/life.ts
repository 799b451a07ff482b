import { seedOf, weekdayOf } from './arrivals.ts'
import { type Journey, journeyOf } from './journey.ts'
import { Dice, unit } from './random.ts'

const DRAW = { kind: 11, life: 12, day: 13 } as const

/** How a user takes to the application. */
export type Kind = 'passer-by' | 'taster' | 'regular' | 'loyal' | 'returner'

interface Habit {
  /** Part of those who arrive. */
  readonly share: number
  /** Days from the arrival to the last visit, from and to. */
  readonly stays: readonly [number, number]
  /** Probability of a visit on a day: soon after the arrival, and in the long run. */
  readonly eager: number
  readonly steady: number
}

const HABITS: Record<Kind, Habit> = {
  'passer-by': { share: 0.545, stays: [1, 1], eager: 0, steady: 0 },
  taster: { share: 0.265, stays: [2, 12], eager: 0.45, steady: 0.2 },
  regular: { share: 0.125, stays: [20, 130], eager: 0.45, steady: 0.17 },
  loyal: { share: 0.023, stays: [80, 400], eager: 0.75, steady: 0.38 },
  returner: { share: 0.042, stays: [3, 40], eager: 0.3, steady: 0.12 },
}

const KINDS = Object.entries(HABITS) as [Kind, Habit][]
const EAGER_DAYS = 6
const JOURNEY_DAYS = 21
/** How long a returner stays away. */
const AWAY_DAYS = [31, 75] as const
const FIRST_STAY_DAYS = 3

export const LONGEST_LIFE_DAYS = 400

export interface Life {
  readonly seed: number
  readonly kind: Kind
  readonly journey: Journey
  /** Days after the arrival; none for those who never stay away. */
  readonly away: { readonly from: number; readonly to: number } | null
  /** Days after the arrival of the last visit but those of the journey. */
  readonly end: number
}

/** The life of a user who may visit so many days after the arrival; null where it is certainly over. */
export function lifeAt(age: number, cohort: number, index: number): Life | null {
  const seed = seedOf(cohort, index)
  const kind = kindOf(unit(seed, DRAW.kind))
  if (age > Math.max(JOURNEY_DAYS, HABITS[kind].stays[1] + awayDays(kind))) return null
  const dice = new Dice(seed, DRAW.life)
  const stay = Math.floor(dice.skewed(...HABITS[kind].stays))
  const away = kind === 'returner' ? { from: FIRST_STAY_DAYS, to: FIRST_STAY_DAYS + dice.whole(...AWAY_DAYS) } : null
  return { seed, kind, away, journey: journeyOf(seed, kind), end: (away?.to ?? 0) + stay }
}

function awayDays(kind: Kind): number {
  return kind === 'returner' ? FIRST_STAY_DAYS + AWAY_DAYS[1] : 0
}

function kindOf(draw: number): Kind {
  let rest = draw
  const found = KINDS.find(([, { share }]) => {
    rest -= share
    return rest < 0
  })
  return found?.[0] ?? 'taster'
}

/** Whether the user visits on the day that comes so many days after the arrival. */
export function visits({ seed, kind, journey, away, end }: Life, age: number, day: number): boolean {
  if (age === 0 || age === away?.to || Object.values(journey).includes(age)) return true
  if (age > end || (away && age > away.from && age < away.to)) return false
  const { eager, steady } = HABITS[kind]
  const habit = steady + (eager - steady) * Math.exp(-(age - 1) / EAGER_DAYS)
  return unit(seed, DRAW.day, day) < habit * (isFreeDay(day) ? 1.12 : 0.96)
}

function isFreeDay(day: number): boolean {
  return weekdayOf(day) % 6 === 0
}
