import type { SentEvent } from './event-history.ts'
import { groupOf, noteHistory } from './filter-oracle.ts'
import { dayIn, localMidnight } from './zones.ts'

/** A random history in a time zone, and the questions about it. */
export interface Case {
  readonly events: readonly SentEvent[]
  readonly questions: readonly AnyQuestion[]
  readonly timeZone: string
}

/** What questions may say; each says some of it. */
interface AnyQuestion {
  readonly from?: number
  readonly to?: number
  readonly today?: number
  readonly interval?: string
  readonly events?: readonly string[]
  readonly windowSeconds?: number
  readonly groupBy?: readonly string[]
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const MOST_GROUPS = 20

/** Rare states of cases, by the names that tests declare them with. */
export const CASE_STATES = {
  'a day of 23 hours': (one) => hasDay(one, (milliseconds) => milliseconds === 23 * HOUR_MS),
  'a day of 25 hours': (one) => hasDay(one, (milliseconds) => milliseconds === 25 * HOUR_MS),
  'a period with a date that its zone skipped': ({ questions, timeZone }) =>
    questions.some((question) => daysOf(question).some((day) => lengthOf(day, timeZone) === 0)),
  'an event at the first moment of a day': ({ events, timeZone }) =>
    events.some(({ datetime }) => localMidnight(dayIn(datetime, timeZone), timeZone) === datetime),
  'several events of a user at one instant': ({ events }) =>
    pairsOf(events).some(([before, event]) => before.datetime === event.datetime),
  'two objects, one without users': ({ events }) =>
    new Set(events.map(({ telegram_id }) => telegram_id % 2)).size === 1,
  'four objects, three without users': ({ events }) =>
    new Set(events.map(({ telegram_id }) => telegram_id % 4)).size === 1,
  'a period without events': ({ events, questions, timeZone }) =>
    questions.some(
      ({ from = 0, to = 0 }) =>
        !events.some(({ datetime }) => dayIn(datetime, timeZone) >= from && dayIn(datetime, timeZone) <= to),
    ),
  'more groups than an answer lists': (one) => hasGroups(one, (names) => names.length > MOST_GROUPS),
  'two groups with one name': (one) => hasGroups(one, (names) => new Set(names).size < names.length),
  'events without the property of a group': (one) => hasGroups(one, (names) => names.includes('(none)')),
  'a question that is asked before its period is over': ({ questions }) =>
    questions.some(({ from = 0, to = 0, today }) => today !== undefined && today >= from && today <= to),
  'a cohort of nobody': ({ events, questions, timeZone }) => {
    const firsts = new Set(firstsOf(events).map(({ datetime }) => dayIn(datetime, timeZone)))
    return questions.some((question) => question.interval === 'day' && daysOf(question).some((day) => !firsts.has(day)))
  },
  'a return at the instant of the first event': ({ events }) =>
    firstsOf(events).some((first) =>
      events.some(
        (event) => event !== first && event.telegram_id === first.telegram_id && event.datetime === first.datetime,
      ),
    ),
  'two steps of a funnel at one instant': (one) => hasSteps(one, ([entry, step]) => step.datetime === entry.datetime),
  'a step exactly at the end of its window': (one) =>
    hasSteps(one, ([entry, step], windowMs) => step.datetime === entry.datetime + windowMs),
  'a step a millisecond after its window': (one) =>
    hasSteps(one, ([entry, step], windowMs) => step.datetime === entry.datetime + windowMs + 1),
  'a pause of exactly half an hour': (one) => hasPause(one, 30 * MINUTE_MS),
  'a pause a millisecond longer than half an hour': (one) => hasPause(one, 30 * MINUTE_MS + 1),
  'a session across midnight': ({ events, timeZone }) =>
    pairsOf(events).some(
      ([before, event]) =>
        event.datetime - before.datetime <= 30 * MINUTE_MS &&
        dayIn(before.datetime, timeZone) < dayIn(event.datetime, timeZone),
    ),
  'a user who comes back after a day without events': ({ events, timeZone }) =>
    pairsOf(events).some(([before, event]) => dayIn(event.datetime, timeZone) > dayIn(before.datetime, timeZone) + 1),
  'an hour that occurs twice': (one) => hasHours(one, (milliseconds) => milliseconds > 24 * HOUR_MS),
  'an hour that is missing': (one) => hasHours(one, (milliseconds) => milliseconds < 24 * HOUR_MS && milliseconds > 0),
  'a week of two years': ({ questions }) =>
    questions.some(
      (question) => question.interval === 'week' && daysOf(question).some((day) => yearOf(day) !== yearOf(day + 1)),
    ),
  'a refund before its payment': ({ events }) =>
    pairsOf(events).some(([before, event]) => contentOf(before) === REFUND && contentOf(event) === PAYMENT),
  'a payment and its refund at one instant': ({ events }) =>
    pairsOf(events).some(
      ([before, event]) =>
        before.datetime === event.datetime &&
        [contentOf(before), contentOf(event)].sort().join() === [REFUND, PAYMENT].sort().join(),
    ),
  'a loop of invitations': ({ events }) => {
    const invitedBy = invitations(events)
    return [...invitedBy].some(([user, by]) => user !== by && invitedBy.get(by) === user)
  },
  'a user who invites themselves': ({ events }) => [...invitations(events)].some(([user, by]) => user === by),
  'an inviter who came later': ({ events }) => {
    const firsts = new Map(firstsOf(events).map((first) => [first.telegram_id, first.datetime]))
    return [...invitations(events)].some(([user, by]) => (firsts.get(by) ?? 0) > (firsts.get(user) ?? 0))
  },
} satisfies Readonly<Record<string, (one: Case) => boolean>>

export type CaseState = keyof typeof CASE_STATES

const PAYMENT = 'successful_payment'
const REFUND = 'refunded_payment'

function contentOf({ params }: SentEvent) {
  return params?.content
}

/** Consecutive events of one user, in order of time. */
function pairsOf(events: readonly SentEvent[]): [before: SentEvent, event: SentEvent][] {
  return [...Map.groupBy(events, ({ telegram_id }) => telegram_id).values()].flatMap((own) => {
    const inTime = own.toSorted((a, b) => a.datetime - b.datetime)
    return inTime.slice(1).map((event, place): [SentEvent, SentEvent] => [inTime[place] as SentEvent, event])
  })
}

/** One earliest event of each user. */
function firstsOf(events: readonly SentEvent[]): SentEvent[] {
  const users = Map.groupBy(events, ({ telegram_id }) => telegram_id).values()
  return [...users].map((own) => own.reduce((first, event) => (event.datetime < first.datetime ? event : first)))
}

function lengthOf(day: number, timeZone: string): number {
  return localMidnight(day + 1, timeZone) - localMidnight(day, timeZone)
}

function daysOf({ from = 0, to = -1 }: AnyQuestion): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place)
}

function yearOf(day: number): number {
  return new Date(day * 24 * HOUR_MS).getUTCFullYear()
}

function hasDay({ events, timeZone }: Case, isMeant: (milliseconds: number) => boolean): boolean {
  return events.some(({ datetime }) => isMeant(lengthOf(dayIn(datetime, timeZone), timeZone)))
}

/** Whether a question by the hour has such a day. */
function hasHours({ questions, timeZone }: Case, isMeant: (milliseconds: number) => boolean): boolean {
  const byHour = questions.filter(({ interval }) => interval === 'hour')
  return byHour.some((question) => daysOf(question).some((day) => isMeant(lengthOf(day, timeZone))))
}

/** Whether the names of a question's groups are like this. */
function hasGroups({ events, questions }: Case, isMeant: (names: readonly string[]) => boolean): boolean {
  noteHistory(events)
  return questions.some(({ groupBy = [] }) => {
    if (groupBy.length === 0) return false
    const groups = new Map(events.map((event) => [JSON.stringify(groupOf(event, groupBy)), groupOf(event, groupBy)]))
    return isMeant([...groups.values()].map((values) => values.join(', ')))
  })
}

/** Whether a user has an entry and a later step of a funnel like this. */
function hasSteps(
  { events, questions }: Case,
  isMeant: (pair: readonly [SentEvent, SentEvent], windowMs: number) => boolean,
): boolean {
  const users = [...Map.groupBy(events, ({ telegram_id }) => telegram_id).values()]
  return questions.some(({ events: [entry, ...steps] = [], windowSeconds = 0 }) =>
    users.some((own) =>
      own.some(
        (first) =>
          first.event_type === entry &&
          own.some(
            (step) => step !== first && steps.includes(step.event_type) && isMeant([first, step], windowSeconds * 1000),
          ),
      ),
    ),
  )
}

function hasPause({ events }: Case, milliseconds: number): boolean {
  return pairsOf(events).some(([before, event]) => event.datetime - before.datetime === milliseconds)
}

/** Whom the first events of users name as the one who invited them. */
function invitations(events: readonly SentEvent[]): Map<number, number> {
  return new Map(
    firstsOf(events).flatMap(({ telegram_id, start_parameter }) => {
      const [, by] = /^r\.(\d+)$/.exec(start_parameter ?? '') ?? []
      return by === undefined ? [] : [[telegram_id, Number(by)]]
    }),
  )
}
