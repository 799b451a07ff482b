import { propertyOf } from '../../base/event.ts'
import { compareTexts } from '../../base/text/order.ts'
import { daysIn, type Period, spanOf } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { DICTIONARY_ROOM, OUTSIDE, openDictionary } from '../../columns/selection/dictionary.ts'
import { CONTEXT_FIELDS } from '../../columns/selection/filter.ts'
import { halvesOf, type Share, WHOLE } from '../../columns/selection/share.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { createLargest } from '../largest.ts'
import { createPace } from '../pace.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS, type OrTooMany, sumOf } from '../shares.ts'

/** The properties of contexts, and the parameters of the events of a period. */
export interface PropertiesQuery extends Period {
  /** At most so many parameters. */
  readonly limit: number
  /** Every parameter of this share, where other objects know more of them; null for those that most events have. */
  readonly share: Share | null
}

export interface PropertiesResult {
  /** Events that have each of `CONTEXT_FIELDS`. */
  readonly contexts: readonly number[]
  /** Most events first, then by name. */
  readonly params: readonly ParamEvents[]
  /** Also those beyond the limit. */
  readonly allParams: number
}

type MaybeProperties = OrTooMany<PropertiesResult, 'params'>

export const propertiesReport: Report<PropertiesQuery, MaybeProperties, MaybeProperties> = {
  name: 'properties',
  part: (columns, query) => countProperties(columns, query),
  result(parts, { limit, share }) {
    const contexts = CONTEXT_FIELDS.map((_, index) => sumOf(parts, (part) => part.contexts[index] ?? 0))
    const all = parts.map(({ params }) => params)
    if (all.includes(null)) return { contexts, params: null, allParams: 0 }
    const params = sumUpParams(all.flatMap((some) => some ?? []))
    const allParams = share === null ? sumOf(parts, (part) => part.allParams) : params.length
    return { contexts, params: largestOf(params, limit), allParams }
  },
}

/** What is held at once, and told in one answer. Tests make it small. */
const BOUNDS = { room: DICTIONARY_ROOM, maxCharacters: MAX_ANSWER_CHARACTERS }

export function* countProperties(
  columns: Columns,
  { share, limit, ...period }: PropertiesQuery,
  { room, maxCharacters } = BOUNDS,
): Generator<void, MaybeProperties> {
  const contexts = yield* countContexts(columns, period)
  const largest = createLargest<ParamEvents>(limit, byName)
  const answer = createAnswer<ParamEvents>(maxCharacters)
  let allParams = 0
  yield* countParams({ columns, period, room }, share ?? WHOLE, (param) => {
    allParams += 1
    if (share === null) largest.offer(param.events, () => param)
    else answer.add([param.name], param)
  })
  return { contexts, params: share === null ? largest.items() : answer.items(), allParams }
}

function largestOf(params: readonly ParamEvents[], limit: number): ParamEvents[] {
  return params.toSorted((a, b) => b.events - a.events || byName(a, b)).slice(0, limit)
}

function byName(a: ParamEvents, b: ParamEvents): number {
  return compareTexts(a.name, b.name)
}

function sumUpParams(params: readonly ParamEvents[]): ParamEvents[] {
  const same = Map.groupBy(params, ({ name }) => name)
  return [...same].map(([name, parts]) => ({ name, events: sumOf(parts, ({ events }) => events) }))
}

/** Asks all objects of an application: a single one for what is shown alone, several for all parameters, share by share. */
export async function askForProperties(
  { objects, ...query }: Omit<PropertiesQuery, 'share'> & { readonly objects: number },
  ask: (query: PropertiesQuery) => Promise<AsOf<MaybeProperties>>,
): Promise<AsOf<PropertiesResult>> {
  const { asOf, data: answers } = await askForAll<PropertiesResult, 'params'>(objects, 'params', (share) =>
    ask({ ...query, share }),
  )
  const [{ contexts }] = answers as [PropertiesResult]
  const params = largestOf(
    answers.flatMap(({ params }) => params),
    query.limit,
  )
  return { asOf, data: { contexts, params, allParams: sumOf(answers, ({ allParams }) => allParams) } }
}

/** How many events of a period have each of `CONTEXT_FIELDS`. Yields after each day. */
function* countContexts(columns: Columns, period: Period): Generator<void, number[]> {
  const events = new Uint32Array(columns.contextCount)
  for (const day of daysIn(period)) {
    addEventsOfDay(columns.pairsOf(day), events)
    yield
  }
  return CONTEXT_FIELDS.map(({ name }) => {
    const isAlwaysKnown = propertyOf(name).unsaid !== undefined
    return isAlwaysKnown
      ? events.reduce((sum, count) => sum + count, 0)
      : sumWhereKnown(events, columns.contextCodes(name))
  })
}

function addEventsOfDay({ length, contexts, counts }: Pairs, events: Uint32Array): void {
  for (let pair = 0; pair < length; pair++) {
    const context = contexts[pair] as number
    events[context] = (events[context] as number) + (counts[pair] as number)
  }
}

function sumWhereKnown(events: Uint32Array, codes: Uint32Array): number {
  let sum = 0
  for (let context = 0; context < events.length; context++) if (codes[context] !== 0) sum += events[context] as number
  return sum
}

interface ParamEvents {
  readonly name: string
  readonly events: number
}

/** Takes every parameter of a share that events of a period have; where the names are too many to be held, half after half. */
function* countParams(
  { columns, period, room = DICTIONARY_ROOM }: { columns: Columns; period: Period; room?: typeof DICTIONARY_ROOM },
  share: Share,
  take: (counted: ParamEvents) => void,
): Generator<void, void> {
  const names = openDictionary(share, room)
  const pace = createPace()
  let events = new Uint32Array(64)
  for (const { segment, from, to } of columns.slicesOf(null, spanOf(period))) {
    for (const [name, count] of segment.countParams(from, to)) {
      const ordinal = names.ordinalOf([name])
      if (names.isOverfull) break
      if (ordinal === OUTSIDE) continue
      if (ordinal >= events.length) events = enlarged(events, 2 * events.length)
      events[ordinal] = (events[ordinal] as number) + count
    }
    if (names.isOverfull) break
    if (pace.isDue(to - from)) yield
  }
  if (names.isOverfull) {
    for (const half of halvesOf(share)) yield* countParams({ columns, period, room }, half, take)
    return
  }
  for (let ordinal = 0; ordinal < names.count; ordinal++) {
    const [name = ''] = names.valuesOf(ordinal)
    take({ name, events: events[ordinal] as number })
  }
}
