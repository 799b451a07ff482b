import { NO_PERIOD, undivided } from '../../base/time/divided-period.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { type EventProperty, type Filter, NONE } from '../../columns/selection/filter.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { takeGroups } from '../engine/ranked.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, record, same, type TotalOf } from '../engine/totals.ts'
import { searchGroups } from '../event-segments/candidates.ts'
import type { EventSegmentsQuery } from '../event-segments/query.ts'

/** The values that a property has on the events of a period that pass filters. */
export interface PropertyValuesQuery extends Period, ListQuery {
  readonly property: EventProperty
  /** Only values that have this text somewhere in them; all have the empty one. */
  readonly contains: string
  /** Whether events without the property count, too. */
  readonly missing: boolean
  readonly filters: readonly Filter[]
}

const valueCounts = record({ value: same<string>(), users: count, events: count })

type ValueCounts = TotalOf<typeof valueCounts>

export interface PropertyValues {
  /** Most events first, then by value. */
  readonly values: readonly ValueCounts[]
  /** Also those beyond the limit. */
  readonly total: number
}

const RANKING: ListRanking<ValueCounts> = {
  nameOf: ({ value }) => value,
  figureOf: ({ events }) => events,
  add: valueCounts,
}

export const propertyValuesReport = listReport<PropertyValuesQuery, PropertyValues, 'values', 'total', ValueCounts>({
  name: 'property values',
  isLarge: () => true,
  list: 'values',
  total: 'total',
  ranking: RANKING,
  part: countValues,
})

function* countValues(
  columns: Columns,
  query: PropertyValuesQuery,
  bounds = BOUNDS,
): Generator<void, OrTooMany<PropertyValues, 'values'>> {
  const values = createListCollector(query, RANKING, bounds.answerCharacters)
  const pass = { columns, query: segmentsOf(query), bounds }
  yield* takeGroups(searchGroups(pass), query.share ?? WHOLE, ({ whole }, valuesOf) =>
    values.take(whole.events, () => ({ value: valuesOf()[0] ?? NONE, ...whole })),
  )
  return { values: values.items(), total: values.total() }
}

/** Events and users of any event by the property, as event segmentation counts them for an average. */
function segmentsOf({ property, contains, missing, filters, from, to }: PropertyValuesQuery): EventSegmentsQuery {
  const own: Filter[] = missing && contains === '' ? [] : [{ property, operator: 'is not', values: [NONE] }]
  const containing: Filter[] = contains === '' ? [] : [{ property, operator: 'contains', values: [contains] }]
  return {
    event: null,
    mode: 'average',
    filters: [...own, ...filters, ...containing],
    groupBy: [property],
    period: undivided({ from, to }),
    before: NO_PERIOD,
    isFirstTime: false,
    groups: null,
  }
}
