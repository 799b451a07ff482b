import { daysIn } from '../../time/period.ts'
import type { Fraction } from '../change.ts'
import type { DatabaseReport } from '../report.ts'
import { countOf, type Figures } from '../series.ts'
import type { Mode } from './contract.ts'
import type { EventSegmentsQuery } from './query.ts'
import { type ActiveRow, type SegmentRow, selectActiveUsers, selectSegments } from './sql.ts'

/** What is counted of one event, or of one group of it. */
export interface Segment {
  /** Null where nothing is grouped. */
  readonly name: string | null
  readonly whole: Counts
  readonly before: Counts
  readonly days: ReadonlyMap<number, Counts>
}

interface Counts {
  readonly users: number
  readonly events: number
}

/** Largest headline first. */
export const eventSegmentsReport: DatabaseReport<EventSegmentsQuery, SegmentRow, Segment[]> = {
  name: 'event segments',
  statement: selectSegments,
  result(rows) {
    const headlines = rows.filter(({ day }) => day === null).sort((a, b) => a.place - b.place)
    const daily = Map.groupBy(rows, ({ place }) => place)
    return headlines.map(({ place, name, users, events, usersBefore, eventsBefore }) => ({
      name,
      whole: { users, events },
      before: { users: usersBefore, events: eventsBefore },
      days: new Map(daily.get(place)?.map((row) => [row.day as number, row])),
    }))
  },
}

/** Users active on each day, on any day of the period, and on any of the one before. */
interface ActiveUsers {
  readonly days: ReadonlyMap<number, number>
  readonly whole: number
  readonly before: number
}

/** What `pct_dau` is a part of; filters and groups do not narrow it. */
export const allActiveUsersReport: DatabaseReport<EventSegmentsQuery, ActiveRow, ActiveUsers> = {
  name: 'active users by day',
  statement: selectActiveUsers,
  result(rows) {
    const whole = rows.find(({ day }) => day === null)
    const days = rows.map(({ day, users }) => [day as number, users] as const)
    return { days: new Map(days), whole: whole?.users ?? 0, before: whole?.usersBefore ?? 0 }
  },
}

const NOBODY: ActiveUsers = { days: new Map(), whole: 0, before: 0 }

/** The series of a segment: `all` is needed by `pct_dau` alone. */
export function toFigures(segment: Segment, query: EventSegmentsQuery, all: ActiveUsers = NOBODY): Figures {
  const figure = FIGURES[query.mode]
  const figureOn = (day: number) => figure(segment.days.get(day) ?? NOTHING, all.days.get(day) ?? 0)
  return {
    name: segment.name ?? query.event ?? ANY_EVENT,
    data: daysIn(query).map((day) => unrounded(figureOn(day))),
    headline: figure(segment.whole, all.whole),
    before: figure(segment.before, all.before),
  }
}

/** The name by which any event is asked for. */
export const ANY_EVENT = '_active'

const NOTHING: Counts = { users: 0, events: 0 }

const FIGURES: Readonly<Record<Mode, (counts: Counts, active: number) => Fraction>> = {
  uniques: ({ users }) => countOf(users),
  totals: ({ events }) => countOf(events),
  average: ({ users, events }) => ({ part: events, whole: users }),
  pct_dau: ({ users }, active) => ({ part: 100 * users, whole: active }),
}

function unrounded({ part, whole }: Fraction): number {
  return whole === 0 ? 0 : part / whole
}
