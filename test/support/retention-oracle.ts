import type { SentEvent } from './event-history.ts'
import { compareTexts, type Filter, groupOf, inOrderOfTime, isCalled, noteHistory, passes } from './filter-oracle.ts'
import { dateOf, firstDayOf, groupFields, type Interval, nextFirstDay, type Period } from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** Retention as docs/rules.md (12) has it, looked up user by user and interval by interval. Shares no code with the service. */

export interface RetentionQuestion extends Period {
  readonly interval: Exclude<Interval, 'hour'>
  readonly mode: 'n' | 'unbounded'
  /** `_active` for any. */
  readonly startEvent: string
  readonly returnEvent: string
  readonly filters: readonly Filter[]
  /** One property, or none. */
  readonly groupBy: readonly string[]
  /** When it is asked. */
  readonly today: number
}

/** A user's first event, and its interval. */
interface Starter {
  readonly first: SentEvent
  readonly place: number
}

export function answerRetention(history: readonly SentEvent[], question: RetentionQuestion) {
  noteHistory(history)
  const { groupBy, filters } = question
  const intervals = intervalsOf(question)
  const byUser = Map.groupBy(history, ({ telegram_id }) => telegram_id)
  const starters = [...byUser.values()].flatMap((events): Starter[] => {
    const first = inOrderOfTime(events.filter((event) => isCalled(event, question.startEvent)))[0]
    if (!first || !passes(first, filters)) return []
    const place = intervals.indexOf(firstDayOf(dayOf(first, question), question.interval))
    return place === -1 ? [] : [{ first, place }]
  })
  const tell = (some: readonly Starter[]) => tellOf(some, { history, question, intervals })
  const groups = Map.groupBy(groupBy.length > 0 ? starters : [], ({ first }) => groupOf(first, groupBy)[0] as string)
  const largest = [...groups]
    .map(([name, own]) => ({ name, ...tell(own) }))
    .sort((a, b) => b.totalUsers - a.totalUsers || compareTexts(a.name, b.name))
    .slice(0, 20)
  const answer = {
    ...tell(starters),
    groupBy: groupBy[0] ?? '',
    groups: largest,
    ...groupFields([...groups], groupBy, false, () => null),
  }
  return { data: [answer], status_code: 200, message: 'Success' }
}

interface Known {
  readonly history: readonly SentEvent[]
  readonly question: RetentionQuestion
  readonly intervals: readonly number[]
}

function tellOf(starters: readonly Starter[], { history, question, intervals }: Known) {
  const { returnEvent, mode, interval } = question
  const isBackIn = ({ first }: Starter, place: number) =>
    history.some(
      (event) =>
        event.telegram_id === first.telegram_id &&
        isCalled(event, returnEvent) &&
        event.datetime >= first.datetime &&
        firstDayOf(dayOf(event, question), interval) === intervals[place],
    )
  const isRetained = (starter: Starter, place: number) =>
    mode === 'n' ? isBackIn(starter, place) : intervals.some((_, later) => later >= place && isBackIn(starter, later))
  const cohorts = intervals.map((_, place) => starters.filter((starter) => starter.place === place))
  const counts = cohorts.map((cohort, row) =>
    intervals.slice(row).map((_, n) => cohort.filter((starter) => isRetained(starter, row + n)).length),
  )
  return {
    cohorts: Object.fromEntries(intervals.map((day, row) => [dateOf(day), cohorts[row]?.length])),
    retentionMatrix: counts.map((row, place) => row.map((count) => toCell(count, cohorts[place]?.length ?? 0))),
    combinedRetention: intervals.map((_, n) => {
      const rows = combinedRows(cohorts, n, question)
      const users = sumOf(rows.map((row) => cohorts[row]?.length ?? 0))
      return users === 0 ? 0 : (100 * sumOf(rows.map((row) => counts[row]?.[n] ?? 0))) / users
    }),
    combinedComplete: intervals.map((_, n) => hasCompleteRow(cohorts, n, question)),
    totalUsers: starters.length,
  }
}

type Cohorts = readonly (readonly unknown[])[]

/** Whether the cohort of a row has an interval so much later, and whether it is over: in `unbounded`, whether all are. */
export function isComplete(cohorts: Cohorts, row: number, n: number, question: CohortDays): boolean {
  const { from, today, interval, mode } = question
  const last = mode === 'unbounded' ? cohorts.length - 1 : row + n
  return row + n < cohorts.length && endAfter(firstDayOf(from, interval), last, interval) <= today
}

/** Whether any cohort with users is complete so much later. */
export function hasCompleteRow(cohorts: Cohorts, n: number, question: CohortDays): boolean {
  return cohorts.some(({ length }, row) => length > 0 && isComplete(cohorts, row, n, question))
}

/** The rows that an average counts: complete ones, if any has users, else those with a cell. */
export function combinedRows(cohorts: Cohorts, n: number, question: CohortDays): number[] {
  const rows = [...cohorts.keys()].filter((row) => row + n < cohorts.length)
  return hasCompleteRow(cohorts, n, question) ? rows.filter((row) => isComplete(cohorts, row, n, question)) : rows
}

type CohortDays = Pick<RetentionQuestion, 'from' | 'today' | 'interval' | 'mode'>

/** The day after this many intervals and one more. */
function endAfter(begin: number, intervals: number, interval: RetentionQuestion['interval']): number {
  let end = begin
  for (let passed = -1; passed < intervals; passed++) end = nextFirstDay(end, interval)
  return end
}

/** The first days of all intervals that the period touches, up to the one that holds today. */
function intervalsOf({ from, to, interval, today }: RetentionQuestion): number[] {
  const begins = new Set<number>()
  for (let day = from; day <= to; day++) begins.add(firstDayOf(day, interval))
  return [...begins].filter((begin) => begin <= today)
}

/** In hundredths of a percent, halves up. */
function toCell(part: number, whole: number): string {
  if (whole === 0) return '0.00'
  const hundredths = (BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole))
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

function dayOf({ datetime }: SentEvent, { timeZone }: Period): number {
  return dayIn(datetime, timeZone)
}
