import { arrivalsOn, growthUntil, habitOf, LONGEST_LIFE_DAYS, returnOf, visitsOn, weekdayOf } from './habits.ts'
import { personOf } from './people.ts'
import { hash, mix, Random, weighted } from './random.ts'
import { type DemoEvent, eventsOfVisit } from './session.ts'
import { spend } from './visit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** About so many events on so many whole days, and on today until now. */
export interface Extent {
  readonly events: number
  readonly days: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/**
 * A believable history, a day at a time, each in the order of time. What a user does on a day depends on the user and the
 * day alone, and a greater history has the users of a smaller one and more. So what is sent again, on whichever day and
 * in whatever size, has not changed and counts once.
 */
export function history(extent: Extent): Generator<DemoEvent[]> {
  return historyOf(fitCrowd(extent), extent)
}

/** A greater history is tried out in small. */
const TRIAL_EVENTS = 200_000
const TRIALS = 3
/** For the first trial: users that arrive today for each event of a day, and the days that weigh where a history grows. */
const ARRIVALS_PER_EVENT = 0.02
const MOST_DAYS_THAT_WEIGH = 200

/** The factor of all arrivals that leads to so many events: found by trying, as people differ. */
function fitCrowd({ events, days, now }: Extent): number {
  const wanted = Math.min(events, TRIAL_EVENTS)
  const arrivals = (ARRIVALS_PER_EVENT * wanted) / Math.min(days, MOST_DAYS_THAT_WEIGH)
  let crowd = arrivals / growthUntil(Math.floor(now / DAY_MS))
  for (let trial = 0; trial < TRIALS; trial++) {
    const found = historyOf(crowd, { days, now }).reduce((sum, { length }) => sum + length, 0)
    crowd *= wanted / Math.max(found, 1)
  }
  return (crowd * events) / wanted
}

function* historyOf(crowd: number, { days, now }: Omit<Extent, 'events'>): Generator<DemoEvent[]> {
  const today = Math.floor(now / DAY_MS)
  for (let day = today - days; day <= today; day++) {
    yield eventsOfDay(day, crowd).filter(({ datetime }) => datetime <= now)
  }
}

/** The events of the visits that begin on a day; the last ones may end after midnight. */
function eventsOfDay(day: number, crowd: number): DemoEvent[] {
  const visits: DemoEvent[][] = []
  for (let age = 0; age <= LONGEST_LIFE_DAYS; age++) {
    const arrivals = arrivalsOn(day - age, crowd)
    for (let index = 0; index < arrivals; index++) {
      const seed = hash(day - age, index)
      if (visitsOn(day, { seed, age })) visits.push(...visitsOf({ seed, day, age, telegramId: idOf(day - age, index) }))
    }
  }
  return visits.flat().sort((a, b) => a.datetime - b.datetime)
}

/** So many users of one day have ids of their own. */
const ARRIVAL_BITS = 18

/** A different one for every user, spread over the usual ids. */
function idOf(arrival: number, index: number): number {
  return 100_000_000 + Math.floor(mix((arrival << ARRIVAL_BITS) | index) * 1.85)
}

interface UserDay {
  readonly seed: number
  readonly telegramId: number
  readonly day: number
  readonly age: number
}

const MOST_VISITS = 4
const PAUSE_HOURS = [0.5, 5] as const
/** What calls users back who stayed away for long. */
const WINBACK = 'winback_push'

/** The visits of a user that begin on a day. */
function* visitsOf({ seed, telegramId, day, age }: UserDay): Generator<DemoEvent[]> {
  const habit = habitOf(seed)
  const person = personOf({ seed, telegramId, day: day - age, habit })
  const random = new Random(hash(seed, -day))
  let startParameter = age === 0 ? person.startParameter : age === returnOf(seed, habit) ? WINBACK : null
  let start = startOfVisits(random, { day, utcOffsetHours: person.utcOffsetHours })
  for (let place = 0; place < MOST_VISITS && start < (day + 1) * DAY_MS; place++) {
    const events = eventsOfVisit({ person, habit, random, age, place, start, startParameter }, spend)
    yield events
    if (!random.chance(habit.comesAgain)) return
    startParameter = null
    start = (events.at(-1)?.datetime ?? start) + Math.ceil(random.logUniform(...PAUSE_HOURS) * HOUR_MS)
  }
}

// By the clock on the wall, from midnight on.
// biome-ignore format: 24 hours in a row
const WORKDAY = hours([14, 8, 5, 3, 3, 5, 14, 30, 44, 42, 38, 40, 54, 52, 40, 38, 42, 52, 66, 78, 88, 92, 72, 36])
// biome-ignore format: 24 hours in a row
const WEEKEND = hours([26, 17, 10, 6, 4, 4, 7, 14, 26, 42, 56, 62, 64, 62, 60, 58, 58, 62, 68, 76, 82, 84, 70, 46])

function hours(weights: readonly number[]) {
  return weighted(weights.map((weight, hour) => [hour, weight] as const))
}

/** A moment of the UTC day, as the hours where the user lives suggest it. */
function startOfVisits(random: Random, { day, utcOffsetHours }: { day: number; utcOffsetHours: number }): number {
  const hour = random.pick(weekdayOf(day) % 6 === 0 ? WEEKEND : WORKDAY)
  return day * DAY_MS + ((hour - utcOffsetHours + 24) % 24) * HOUR_MS + random.whole(0, HOUR_MS - 1)
}
