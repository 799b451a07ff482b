import { cohortSize } from './arrivals.ts'
import { DAY_MS, visitTimes } from './clock.ts'
import { type Life, LONGEST_LIFE_DAYS, lifeAt, visits } from './life.ts'
import { type Person, personOf } from './person.ts'
import { Dice } from './random.ts'
import { type DemoEvent, Session } from './session.ts'
import { spend } from './visit.ts'

const DRAW = { visits: 41 } as const

const ANOTHER_VISIT: Record<Life['kind'], number> = {
  'passer-by': 0.06,
  taster: 0.2,
  regular: 0.22,
  loyal: 0.34,
  returner: 0.18,
}
const MOST_VISITS = 5
const SECOND_DEVICE = 0.3
const WINBACK = 'winback_push'

/** Which part of the story: days since 1970 UTC, both inclusive, and the moment after which nothing has happened yet. */
export interface Span {
  readonly crowd: number
  readonly firstDay: number
  readonly lastDay: number
  readonly now: number
}

/** So many whole days, and of today what has passed of it. */
export function spanOf({ days, now, crowd }: { days: number; now: number; crowd: number }): Span {
  const lastDay = Math.floor(now / DAY_MS)
  return { crowd, firstDay: lastDay - days, lastDay, now }
}

/** The events of each day, oldest first; nothing that lies ahead. */
export function* history({ crowd, firstDay, lastDay, now }: Span): Generator<DemoEvent[]> {
  for (let day = firstDay; day <= lastDay; day++) {
    yield eventsOfDay(day, crowd).filter(({ datetime }) => datetime <= now)
  }
}

/**
 * The events of the visits that begin on a day, by time; the last ones may end after midnight. They depend on the day and
 * the size of the crowd alone: sent again on a later day they are the same, and count once.
 */
export function eventsOfDay(day: number, crowd: number): DemoEvent[] {
  const events: DemoEvent[] = []
  for (let cohort = day - LONGEST_LIFE_DAYS; cohort <= day; cohort++) {
    const size = cohortSize(cohort, crowd)
    for (let index = 0; index < size; index++) {
      const life = lifeAt(day - cohort, cohort, index)
      if (life && visits(life, day - cohort, day)) addVisits(events, personOf(life, cohort, index), { cohort, day })
    }
  }
  return events.sort((a, b) => a.datetime - b.datetime)
}

function addVisits(events: DemoEvent[], person: Person, { cohort, day }: { cohort: number; day: number }): void {
  const dice = new Dice(person.life.seed, DRAW.visits, day)
  const age = day - cohort
  const times = visitTimes(dice, { place: person.place, day, count: countVisits(dice, person.life.kind) })
  for (const [place, time] of times.entries()) {
    const isFirst = place === 0
    const { usual, second } = person.devices
    const device = second && dice.chance(SECOND_DEVICE) ? second : usual
    const startParameter = isFirst ? startParameterOf(person, age) : null
    const session = new Session({ person, dice, time, device, age, startParameter })
    spend(session, { isFirst })
    events.push(...session.events)
  }
}

function countVisits(dice: Dice, kind: Life['kind']): number {
  let count = 1
  while (count < MOST_VISITS && dice.chance(ANOTHER_VISIT[kind])) count++
  return count
}

/** What brought the user, on the first visit; and what called them back after a long time. */
function startParameterOf({ arrivedThrough, life }: Person, age: number): string | null {
  if (age === 0) return arrivedThrough
  return age === life.away?.to ? WINBACK : null
}
