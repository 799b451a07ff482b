import type { Kind } from './life.ts'
import { Dice } from './random.ts'

const DRAW = { journey: 21 } as const

/** When a user takes the steps from a stranger to a customer, in days after the arrival; `Infinity` = never. */
export interface Journey {
  readonly started: number
  readonly stepTwo: number
  readonly finished: number
  readonly ordered: number
  readonly paid: number
}

/** The part that goes on to each step from the one before. */
type Chances = Record<keyof Journey, number>

const CHANCES: Record<Kind, Chances> = {
  'passer-by': { started: 0.94, stepTwo: 0.69, finished: 0.5, ordered: 0.1, paid: 0.2 },
  taster: { started: 0.97, stepTwo: 0.84, finished: 0.74, ordered: 0.3, paid: 0.36 },
  regular: { started: 0.99, stepTwo: 0.92, finished: 0.88, ordered: 0.46, paid: 0.52 },
  loyal: { started: 1, stepTwo: 0.98, finished: 0.97, ordered: 0.8, paid: 0.82 },
  returner: { started: 0.96, stepTwo: 0.8, finished: 0.7, ordered: 0.28, paid: 0.4 },
}

/** Most go on at once, the others on a later day, soon more often than late. */
const DELAYS = {
  stepTwo: { atOnce: 0.94, withinDays: 3 },
  finished: { atOnce: 0.82, withinDays: 6 },
  ordered: { atOnce: 0.34, withinDays: 9 },
  paid: { atOnce: 0.78, withinDays: 3 },
}

export function journeyOf(seed: number, kind: Kind): Journey {
  const dice = new Dice(seed, DRAW.journey)
  const chances = CHANCES[kind]
  const after = (before: number, step: keyof typeof DELAYS) =>
    dice.chance(chances[step]) ? before + drawDelay(dice, DELAYS[step]) : Number.POSITIVE_INFINITY
  const started = dice.chance(chances.started) ? 0 : Number.POSITIVE_INFINITY
  const stepTwo = after(started, 'stepTwo')
  const finished = after(stepTwo, 'finished')
  const ordered = after(finished, 'ordered')
  return { started, stepTwo, finished, ordered, paid: after(ordered, 'paid') }
}

function drawDelay(dice: Dice, { atOnce, withinDays }: (typeof DELAYS)['paid']): number {
  return dice.chance(atOnce) ? 0 : Math.floor(dice.skewed(1, withinDays + 1))
}
