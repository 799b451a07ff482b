import { compareTexts } from '../../base/text/order.ts'
import { type Period, precedingPeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { type EventProperty, type Filter, NONE } from '../../columns/selection/filter.ts'
import { type Share, WHOLE } from '../../columns/selection/share.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { BOUNDS, countCandidates } from '../event-segments/candidates.ts'
import { addCounts, type Counts } from '../event-segments/counts.ts'
import type { EventSegmentsQuery } from '../event-segments/query.ts'
import { createLargest } from '../largest.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS, type OrTooMany, sumOf } from '../shares.ts'

/** The values that a property has on the events of a period that pass filters. */
export interface PropertyValuesQuery extends Period {
  readonly property: EventProperty
  /** Only values that have this text somewhere in them; all have the empty one. */
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  /** Every value of this share, where other objects know more of them; null for those with most events. */
  readonly share: Share | null
}

interface ValueCounts extends Counts {
  readonly value: string
}

export interface PropertyValues {
  /** Most events first, then by value. */
  readonly values: readonly ValueCounts[]
  /** Also those beyond the limit. */
  readonly total: number
}

type MaybeValues = OrTooMany<PropertyValues, 'values'>

export const propertyValuesReport: Report<PropertyValuesQuery, MaybeValues, MaybeValues> = {
  name: 'property values',
  part: (columns, query) => countValues(columns, query),
  result(parts, { limit, share }) {
    const all = parts.map(({ values }) => values)
    if (all.includes(null)) return { values: null, total: 0 }
    const values = sumUp(all.flatMap((some) => some ?? []))
    return {
      values: largestOf(values, limit),
      total: share === null ? sumOf(parts, ({ total }) => total) : values.length,
    }
  },
}

export function* countValues(
  columns: Columns,
  query: PropertyValuesQuery,
  { bounds = BOUNDS, maxCharacters = MAX_ANSWER_CHARACTERS } = {},
): Generator<void, MaybeValues> {
  const { share, limit } = query
  const largest = createLargest<ValueCounts>(limit, byValue)
  const answer = createAnswer<ValueCounts>(maxCharacters)
  let total = 0
  yield* countCandidates({ columns, query: segmentsOf(query), bounds }, share ?? WHOLE, (counts, valuesOf) => {
    const make = (): ValueCounts => ({ value: valuesOf()[0] ?? NONE, ...counts })
    total += 1
    if (share === null) return largest.offer(counts.events, make)
    const item = make()
    answer.add([item.value], item)
  })
  return { values: share === null ? largest.items() : answer.items(), total }
}

/** Events and users of any event by the property, as event segmentation counts them for an average. */
function segmentsOf({ property, contains, filters: asked, from, to }: PropertyValuesQuery): EventSegmentsQuery {
  const filters: Filter[] = [{ property, operator: 'is not', values: [NONE] }, ...asked]
  if (contains !== '') filters.push({ property, operator: 'contains', values: [contains] })
  const period = { from, to }
  return {
    event: null,
    mode: 'average',
    filters,
    groupBy: [property],
    ...period,
    before: precedingPeriod(period),
    groups: null,
  }
}

function largestOf(values: readonly ValueCounts[], limit: number): ValueCounts[] {
  return values.toSorted((a, b) => b.events - a.events || byValue(a, b)).slice(0, limit)
}

function byValue(a: ValueCounts, b: ValueCounts): number {
  return compareTexts(a.value, b.value)
}

/** Of different users: no user is in two parts. */
function sumUp(values: readonly ValueCounts[]): ValueCounts[] {
  const same = Map.groupBy(values, ({ value }) => value)
  return [...same].map(([value, parts]) => ({ value, ...parts.reduce<Counts>(addCounts, { users: 0, events: 0 }) }))
}

/** Asks all objects of an application: a single one for what is shown alone, several for all values, share by share. */
export async function askForPropertyValues(
  { objects, ...query }: Omit<PropertyValuesQuery, 'share'> & { readonly objects: number },
  ask: (query: PropertyValuesQuery) => Promise<AsOf<MaybeValues>>,
): Promise<AsOf<PropertyValues>> {
  const { asOf, data: answers } = await askForAll<PropertyValues, 'values'>(objects, 'values', (share) =>
    ask({ ...query, share }),
  )
  const values = largestOf(
    answers.flatMap(({ values }) => values),
    query.limit,
  )
  return { asOf, data: { values, total: sumOf(answers, ({ total }) => total) } }
}
