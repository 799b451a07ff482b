import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns, NameSpan } from '../../columns/columns.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
import { findEventUsers, onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { type ListQuery, type ListRanking, listReport, type OrTooMany, pageOf } from '../engine/lists.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS } from '../engine/report.ts'
import { createAnswer } from '../engine/shares.ts'
import { count, greatest, least, record, same, type TotalOf } from '../engine/totals.ts'
import { nameFigures } from './contract.ts'

/** One page of the names of events of a period that pass filters. */
export interface EventNamesQuery extends Period, ListQuery {
  /** Only names that contain this text; every name contains the empty one. */
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly offset: number
}

/** A name's users and events in the period, and the times of its first and last event ever, whatever the filters. */
const nameCounts = record({ name: same<string>(), users: count, events: count, first: least, last: greatest })

type NameCounts = TotalOf<typeof nameCounts>

export interface EventNames {
  /** Most events first, then by name. */
  readonly names: readonly NameCounts[]
  /** The number of names on all pages. */
  readonly total: number
}

type Counts = Pick<NameCounts, 'users' | 'events'>

const RANKING: ListRanking<NameCounts> = {
  nameOf: ({ name }) => name,
  figureOf: ({ events }) => events,
  add: nameCounts,
}

export const eventNamesReport = listReport<EventNamesQuery, EventNames, 'names', 'total', NameCounts>({
  name: 'event names',
  list: 'names',
  total: 'total',
  ranking: RANKING,
  part: countNames,
})

function* countNames(
  columns: Columns,
  query: EventNamesQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<EventNames, 'names'>> {
  const isAlone = query.share === null
  const spans = spansOf(columns, query, isAlone ? Number.POSITIVE_INFINITY : answerCharacters)
  if (spans === null) return { names: null, total: 0 }
  const counts = yield* countEach(
    columns,
    spans.map(({ name }) => name),
    query,
  )
  const names = spans.map((span) => ({ ...span, ...(counts.get(span.name) ?? NOTHING) }))
  // A name without counted events here may have some in another object, but its first or last event here.
  if (!isAlone) return { names, total: names.length }
  const found = names.filter(({ events }) => events > 0)
  return { names: pageOf(found, RANKING, query), total: found.length }
}

/** The spans of the matching names; null if they are too many for one answer. */
function spansOf(columns: Columns, { contains, share }: EventNamesQuery, maxCharacters: number): NameSpan[] | null {
  const answer = createAnswer<NameSpan>(maxCharacters)
  for (const span of columns.names()) {
    const { name } = span
    if (name.includes(contains) && (!share || isGroupInShare([name], share))) answer.add([name], span)
  }
  return answer.items()
}

const NOTHING: Counts = { events: 0, users: 0 }

/** Counts users and events per name; names without events in the period are missing. */
function* countEach(
  columns: Columns,
  names: readonly string[],
  { filters, ...period }: EventNamesQuery,
): Generator<void, ReadonlyMap<string, Counts>> {
  const selection = createSelection(columns, { filters })
  const counts = new Map<string, { events: number; users: number }>()
  /** Per user: the number of the last name that they were seen with. Names come one after another. */
  const seenWith = new Uint32Array(columns.userCount)
  const pace = createPace()
  for (const { name, segment, from, to } of columns.slicesOf(names, spanOf(columns.calendar, period))) {
    const counted = counts.get(name) ?? { events: 0, users: 0 }
    counts.set(name, counted)
    yield* selection.prepare(segment)
    const rows = selection.pick(segment, from, to)
    counted.events += rows.to - rows.from
    counted.users += countNew(rows, seenWith, counts.size)
    if (pace.isDue(to - from)) yield
  }
  return counts
}

function countNew({ users, from, to }: Picked, seenWith: Uint32Array, number: number): number {
  let found = 0
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    if (seenWith[user] === number) continue
    seenWith[user] = number
    found++
  }
  return found
}

/** The users who had an event in the period. */
export const nameUsers = countedBy(nameFigures, {
  toQuery: ({ filters }, { name }, { period }) => ({
    event: name,
    filters,
    groupBy: [],
    group: null,
    isFirstTime: false,
    ...onDay(period, undefined),
  }),
  find: findEventUsers,
})
