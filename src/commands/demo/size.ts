import { setImmediate as breathe } from 'node:timers/promises'
import { history, type Span, spanOf } from './history.ts'

export interface Wish {
  readonly events: number
  readonly days: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly signal: AbortSignal
}

export interface Size {
  readonly crowd: number
  /** Events of the history at that crowd. */
  readonly total: number
}

const MOST_TRIES = 14
/** A greater history is first tried out in small, and then met less closely: counting takes as long as making. */
const TRIAL_EVENTS = 200_000
const MOST_MISSED = { small: 0.002, great: 0.01 }
const FIRST_GUESS_PER_EVENT = 1.1e-5

/** The crowd whose history has about the wished number of events: found by trying, as people differ. */
export async function fitCrowd(wish: Wish): Promise<Size> {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  let guess = await firstGuess(wish)
  let best: Size = { crowd: 0, total: 0 }
  const goodEnough = wish.events > TRIAL_EVENTS ? MOST_MISSED.great : MOST_MISSED.small
  for (let tries = 0; tries < MOST_TRIES && missBy(best, wish) > goodEnough; tries++) {
    const size = { crowd: guess, total: await countEvents(spanOf({ ...wish, crowd: guess }), wish.signal) }
    if (missBy(size, wish) < missBy(best, wish)) best = size
    if (size.total < wish.events) low = guess
    else high = guess
    guess = nextGuess(size, { low, high, events: wish.events })
  }
  return best
}

/** Stops with the signal's reason when that is aborted; lets the process hear of it between days. */
export async function countEvents(span: Span, signal: AbortSignal): Promise<number> {
  let total = 0
  for (const events of history(span)) {
    total += events.length
    await breathe()
    signal.throwIfAborted()
  }
  return total
}

async function firstGuess(wish: Wish): Promise<number> {
  if (wish.events <= TRIAL_EVENTS) return (wish.events * FIRST_GUESS_PER_EVENT * 90) / wish.days
  const { crowd, total } = await fitCrowd({ ...wish, events: TRIAL_EVENTS })
  return (crowd * wish.events) / total
}

function missBy({ total }: Size, { events }: Wish): number {
  return Math.abs(total - events) / events
}

/** In proportion where that lies between what is too small and what is too great, else the middle. */
function nextGuess({ crowd, total }: Size, { low, high, events }: { low: number; high: number; events: number }) {
  const inProportion = total === 0 ? crowd * 2 : (crowd * events) / total
  if (inProportion > low && inProportion < high) return inProportion
  return Number.isFinite(high) ? (low + high) / 2 : crowd * 2
}
