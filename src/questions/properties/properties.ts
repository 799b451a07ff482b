import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { OUTSIDE, openDictionary } from '../../columns/selection/dictionary.ts'
import { CONTEXT_FIELDS, type CodedProperty, isOfUser, USER_FIELDS } from '../../columns/selection/filter.ts'
import { propertyCodes } from '../../columns/selection/property-codes.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { createPace } from '../engine/pace.ts'
import { type FindGroups, takeGroups } from '../engine/ranked.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, list, record, same, type TotalOf } from '../engine/totals.ts'

/** The properties of contexts, and the parameters of the events of a period: at most as many as the limit. */
export interface PropertiesQuery extends Period, ListQuery {
  /** Only events of this name; null for any. */
  readonly event: string | null
  /** Properties that every event may have, in the order of the list. */
  readonly listed: readonly CodedProperty[]
}

export interface PropertiesResult {
  /** Events that have each of the listed ones. */
  readonly contexts: readonly number[]
  /** Most events first, then by name. */
  readonly params: readonly ParamEvents[]
  /** Also those beyond the limit. */
  readonly allParams: number
}

/** Properties that every event may have, in the order of the list. */
export const LISTED: readonly CodedProperty[] = [
  ...CONTEXT_FIELDS.map(({ name }) => ({ of: 'context', name }) as const),
  ...USER_FIELDS,
]

const paramEvents = record({ name: same<string>(), events: count })

type ParamEvents = TotalOf<typeof paramEvents>

const RANKING: ListRanking<ParamEvents> = {
  nameOf: ({ name }) => name,
  figureOf: ({ events }) => events,
  add: paramEvents,
}

export const propertiesReport = listReport<PropertiesQuery, PropertiesResult, 'params', 'allParams', ParamEvents>({
  name: 'properties',
  list: 'params',
  total: 'allParams',
  ranking: RANKING,
  part: countProperties,
  others: record({ contexts: list(count) }),
})

function* countProperties(
  columns: Columns,
  query: PropertiesQuery,
  { dictionary, answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<PropertiesResult, 'params'>> {
  const contexts = yield* countListed(columns, query)
  const params = createListCollector(query, RANKING, answerCharacters)
  yield* takeGroups(searchParams(columns, query, dictionary), query.share ?? WHOLE, ({ events }, valuesOf) =>
    params.take(events, () => ({ name: valuesOf()[0] ?? '', events })),
  )
  return { contexts, params: params.items(), allParams: params.total() }
}

interface EventCounts {
  readonly ofContexts: Uint32Array
  readonly ofUsers: Uint32Array
}

/** How many events of a period have each of the listed properties. */
function* countListed(columns: Columns, query: PropertiesQuery): Generator<void, number[]> {
  const { event, listed } = query
  const counts = { ofContexts: new Uint32Array(columns.contextCount), ofUsers: new Uint32Array(columns.userCount) }
  yield* event === null ? countAll(columns, query, counts) : countNamed(columns, { ...query, event }, counts)
  const { ofContexts, ofUsers } = counts
  return listed.map((property) => {
    const { codes, unsaid } = propertyCodes(columns, property)
    const events = isOfUser(property) ? ofUsers : ofContexts
    const isAlwaysKnown = unsaid !== null
    return isAlwaysKnown ? events.reduce((sum, count) => sum + count, 0) : sumWhereKnown(events, codes)
  })
}

/** Yields after each day. */
function* countAll(columns: Columns, period: Period, { ofContexts, ofUsers }: EventCounts): Generator<void, void> {
  for (const day of daysIn(period)) {
    addEventsOfDay(columns.pairsOf(day), ofContexts, ofUsers)
    yield
  }
}

function* countNamed(
  columns: Columns,
  { event, ...period }: Period & { readonly event: string },
  { ofContexts, ofUsers }: EventCounts,
): Generator<void, void> {
  const pace = createPace()
  for (const { segment, from, to } of columns.slicesOf(event, spanOf(columns.calendar, period))) {
    const { contexts, users } = segment
    for (let index = from; index < to; index++) {
      const [context, user] = [contexts[index] as number, users[index] as number]
      ofContexts[context] = (ofContexts[context] as number) + 1
      ofUsers[user] = (ofUsers[user] as number) + 1
    }
    if (pace.isDue(to - from)) yield
  }
}

function addEventsOfDay(
  { length, users, contexts, counts }: Pairs,
  ofContexts: Uint32Array,
  ofUsers: Uint32Array,
): void {
  for (let pair = 0; pair < length; pair++) {
    const [user, context, count] = [users[pair] as number, contexts[pair] as number, counts[pair] as number]
    ofContexts[context] = (ofContexts[context] as number) + count
    ofUsers[user] = (ofUsers[user] as number) + count
  }
}

function sumWhereKnown(events: Uint32Array, codes: Uint32Array): number {
  let sum = 0
  for (let index = 0; index < events.length; index++) if (codes[index] !== 0) sum += events[index] as number
  return sum
}

/** Looks for the parameters that events of a period have. */
function searchParams(
  columns: Columns,
  query: PropertiesQuery,
  room: typeof BOUNDS.dictionary,
): FindGroups<Pick<ParamEvents, 'events'>> {
  return function* (share) {
    const names = openDictionary(share, room)
    const pace = createPace()
    let events = new Uint32Array(64)
    for (const { segment, from, to } of columns.slicesOf(query.event, spanOf(columns.calendar, query))) {
      for (const [name, count] of segment.countParams(from, to)) {
        const ordinal = names.ordinalOf([name])
        if (names.isOverfull) return null
        if (ordinal === OUTSIDE) continue
        if (ordinal >= events.length) events = enlarged(events, 2 * events.length)
        events[ordinal] = (events[ordinal] as number) + count
      }
      if (pace.isDue(to - from)) yield
    }
    return { groups: names, factsOf: (ordinal) => ({ events: events[ordinal] as number }) }
  }
}
