import type { Habit } from './habits.ts'
import type { DemoPerson } from './people.ts'
import type { Random } from './random.ts'

type Params = Readonly<Record<string, unknown>>

/** An event in the shape that servers send; what is null or undefined is not known. */
export interface DemoEvent {
  readonly event_type: string
  readonly telegram_id: number
  /** Milliseconds since 1970 UTC. */
  readonly datetime: number
  readonly session_id: string
  readonly params: Params | undefined
  readonly [property: string]: unknown
}

/** One visit in the making. */
export interface Visit {
  readonly person: DemoPerson
  readonly habit: Habit
  readonly random: Random
  /** Days since the person's first visit. */
  readonly age: number
  /** Of the visits of the day, from 0 on. */
  readonly place: number
  readonly start: number
  /** Adds an event after a pause that is short more often than long. */
  readonly add: (name: string, params?: Params, pauseSeconds?: readonly [from: number, to: number]) => void
}

interface Start extends Omit<Visit, 'add'> {
  readonly startParameter: string | null
}

/** The events of a visit that is spent in a way, each a little later than the one before. */
export function eventsOfVisit(start: Start, spend: (visit: Visit) => void): DemoEvent[] {
  const { person, age, startParameter } = start
  const events: DemoEvent[] = []
  let datetime = start.start
  const known = {
    telegram_id: person.telegramId,
    session_id: String(start.start),
    ...person.context,
    is_premium: age >= person.premium[0] && age < person.premium[1],
    write_access: person.onboarding === 3 && age > 0,
    start_parameter: startParameter,
  }
  const add: Visit['add'] = (event_type, params, [from, to] = [0.4, 12]) => {
    datetime += Math.ceil(1000 * start.random.logUniform(from, to))
    events.push({ event_type, datetime, ...known, params })
  }
  spend({ ...start, add })
  return events
}
