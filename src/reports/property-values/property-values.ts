import type { Columns } from '../../columns/columns.ts'
import { WHOLE } from '../../selection/share.ts'
import { compareTexts } from '../../text/order.ts'
import { precedingPeriod } from '../../time/period.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { addCounts, type Counts } from '../event-segments/counts.ts'
import { BOUNDS, countHeadlines } from '../event-segments/headlines.ts'
import type { EventSegmentsQuery } from '../event-segments/query.ts'
import { type Filter, NONE } from '../filters/filter.ts'
import { createLargest } from '../largest.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { sumOf } from '../sums.ts'
import type { PropertyValuesQuery } from './query.ts'

interface ValueCounts extends Counts {
  readonly value: string
}

export interface PropertyValues {
  /** Most events first, then by value. */
  readonly values: readonly ValueCounts[]
  /** Also those beyond the limit. */
  readonly total: number
}

/** Where an application has several objects: null where the values are too many for one answer. */
type MaybeValues = Omit<PropertyValues, 'values'> & { readonly values: readonly ValueCounts[] | null }

function isWhole(told: MaybeValues): told is PropertyValues {
  return told.values !== null
}

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
  yield* countHeadlines({ columns, query: segmentsOf(query), bounds }, share ?? WHOLE, (counts, valuesOf) => {
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
  const { asOf, data: answers } = await askForAll(objects, (share) => ask({ ...query, share }), isWhole)
  const values = largestOf(
    answers.flatMap(({ values }) => values),
    query.limit,
  )
  return { asOf, data: { values, total: sumOf(answers, ({ total }) => total) } }
}
