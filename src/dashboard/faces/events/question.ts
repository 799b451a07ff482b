import type { QueryParams } from '../../../http/params.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import {
  type FigureSeries,
  isMeasure,
  type Measure,
  type SegmentationMode,
} from '../../../questions/event-segments/contract.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { EVENTS_PARAMS, eventsQuery } from '../../../questions/event-segments/saved.ts'
import { listPropertiesRoute } from '../../../questions/properties/routes.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import type { SeriesLine } from '../../figures/bars.tsx'
import { askBefore } from '../../figures/comparison.ts'
import { COUNT, type Declared, PERCENT, RATIO, VALUE } from '../../figures/declared.ts'
import { type ToUsers, usersOfGroup } from '../../figures/figure-users.ts'
import { wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { commonQuery, periodQuery, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { type PageQuestion, pageQuestion } from '../../request/page-question.ts'
import { type Attempt, attempt } from '../../request/problem.tsx'
import { labelOfGroup, labelOfProperty } from '../../words/labels.ts'
import { eventIn } from '../cell-words.ts'

/** One event by day, and by group. */
export const segments: PageQuestion<typeof segmentEventsRoute, QueryParams> = {
  ...pageQuestion(segmentEventsRoute),
  own: EVENTS_PARAMS,
  query: (view) => ({ ...commonQuery(view), ...eventsQuery(view) }),
}

const NAMES_ON_A_PAGE = '50'

export const eventNames = pageQuestion(listEventNamesRoute, () => ({ limit: NAMES_ON_A_PAGE }))

/** The figures of events by day, by their names. */
export type EventCourses = ReadonlyMap<string, readonly (number | null)[]>

/** The most series of one question about trends. */
const TOGETHER = LETTERS.length

/** A page of names, each with its course. */
export async function askForCatalogue(request: ApplicationRequest) {
  const names = await eventNames.operation.ask({ query: eventNames.query(request.view) }, request.context)
  const found = names.data.map(({ name }) => name)
  const parts = Array.from({ length: Math.ceil(found.length / TOGETHER) }, (_, part) =>
    found.slice(part * TOGETHER, (part + 1) * TOGETHER),
  )
  const courses = await Promise.all(parts.map((part) => askForCourses(request, part)))
  return { names, courses: new Map(courses.flat()) }
}

async function askForCourses({ view, context }: ApplicationRequest, names: readonly string[]) {
  const series = JSON.stringify(names.map((event) => ({ event, mode: 'totals' })))
  const { data } = await attempt(analyzeTrendsRoute.ask({ query: { ...commonQuery(view), series } }, context))
  return names.map((name, place) => [name, data?.yValues[place]?.data ?? []] as const)
}

/** The properties of an event in the period. */
export function askForParams({ view, context }: ApplicationRequest, event: string) {
  const query = { ...periodQuery(view), event, limit: PARAMS_SHOWN }
  return attempt(listPropertiesRoute.ask({ query }, context))
}

const PARAMS_SHOWN = '20'

/** What can be counted of any event. */
export const COUNTS: readonly EventMeasure[] = [
  { mode: 'uniques', label: 'Unique users', hint: 'Users who did the event at least once', unit: COUNT },
  { mode: 'totals', label: 'Total events', hint: 'Number of times the event happened', unit: COUNT },
  { mode: 'average', label: 'Average per user', hint: 'Events per user who did the event', unit: RATIO },
  {
    mode: 'pct_dau',
    label: '% of active users',
    hint: 'Users who did the event, as a percentage of all active users',
    unit: PERCENT,
  },
]

/** What can be measured of a parameter. */
export const MEASURES: readonly EventMeasure[] = [
  { mode: 'sum', label: 'Sum', hint: 'Sum of the values', unit: VALUE },
  { mode: 'avg', label: 'Average', hint: 'Average of the values', unit: VALUE },
  { mode: 'min', label: 'Minimum', hint: 'Smallest value', unit: VALUE },
  { mode: 'max', label: 'Maximum', hint: 'Largest value', unit: VALUE },
  { mode: 'median', label: 'Median', hint: 'Half of the values are at most this', unit: VALUE },
  { mode: 'p90', label: '90th percentile', hint: '90% of the values are at most this', unit: VALUE },
  {
    mode: 'per_user',
    label: 'Sum per user',
    hint: 'Sum of the values, divided by users with a value',
    unit: VALUE,
  },
  { mode: 'distinct', label: 'Distinct values', hint: 'Number of different values', unit: COUNT },
]

const MODES: readonly EventMeasure[] = [...COUNTS, ...MEASURES]

export interface EventMeasure extends Declared {
  readonly mode: SegmentationMode | Measure
}

export function modeOf({ params }: Pick<View, 'params'>): EventMeasure {
  return MODES.find(({ mode }) => mode === params.get('mode')) ?? (COUNTS[0] as EventMeasure)
}

/** The name of the parameter that is measured; null if users or events are counted. */
export function measuredParam(view: Pick<View, 'params'>): string | null {
  return isMeasure(modeOf(view).mode) ? labelOfProperty(view.params.get('of') ?? '') : null
}

/** The series of an answer, of each group or of all. They lead to users where these are counted. */
export function linesOf(view: View, series: readonly FigureSeries[], usersOf: ToUsers): SeriesLine[] {
  const [measure, groups] = [modeOf(view), groupsOf(view)]
  const isGrouped = groups.length > 0
  return series.map(({ name, data, change, ...figure }) => {
    const usersAt = (day?: string) =>
      measure.mode === 'uniques' ? usersOfGroup(usersOf, { day }, groups, name) : undefined
    return {
      name: isGrouped ? labelOfGroup(groups, name) : eventIn(view.params.get('event')),
      group: isGrouped ? name : null,
      data,
      usersAt,
      total: { ...measure, value: wholeOf(figure), change, users: usersAt() },
    }
  })
}

/** `Unique users`, `Sum of order_total` */
export function titleOfMeasure(view: Pick<View, 'params'>): string {
  const [{ label }, param] = [modeOf(view), measuredParam(view)]
  return param === null ? label : `${label} of ${param}`
}

export interface EventAnswer {
  readonly days: readonly string[]
  readonly series: readonly FigureSeries[]
  readonly groups_total?: number | undefined
  /** All groups beyond those of the series, where their figures add up. */
  readonly other?: FigureSeries | undefined
  readonly isComparable: boolean
  /** The series of the previous period; null without one, or if it could not be counted. */
  readonly before: readonly FigureSeries[] | null
  /** The headline of each count and of what is measured, in their order; null if the question has groups. */
  readonly headlines: readonly Headline[] | null
  /** Where nothing was found: whether the event occurred, only not with these filters. */
  readonly isFilteredOut: boolean
}

type Headline = Pick<FigureSeries, 'key_value' | 'total' | 'change'>

/** The figures of the tiles: everything that can be counted, and what is measured. */
export function headlinesOf(current: EventMeasure): readonly EventMeasure[] {
  return COUNTS.includes(current) ? COUNTS : [...COUNTS, current]
}

export async function askForEvent(request: ApplicationRequest): Promise<Attempt<EventAnswer>> {
  const { view, context } = request
  const own = eventsQuery(view)
  const { of: _, ...counted } = own
  const now = commonQuery(view)
  const isGrouped = own.group_by !== undefined
  const ask = (query: QueryParams) => segmentEventsRoute.ask({ query }, context)
  const asking = attempt(ask({ ...now, ...own }))
  const current = modeOf(view)
  const [asked, compared, ...modes] = await Promise.all([
    asking,
    askBefore(request, (then) => ask({ ...then, ...own })),
    ...(isGrouped ? [] : headlinesOf(current)).map((measure) =>
      measure === current ? asking : attempt(ask({ ...now, ...counted, mode: measure.mode })),
    ),
  ])
  if (asked.problem) return asked
  const { xValues, yValues: series, groups_total, other } = asked.data
  const headlines = modes.map(({ data }) => data?.yValues[0] ?? null)
  return {
    problem: null,
    data: {
      days: xValues.data,
      series,
      groups_total,
      other,
      isComparable: compared.query !== null,
      before: compared.before?.yValues ?? null,
      headlines: isGrouped ? null : headlines.filter((headline) => headline !== null),
      isFilteredOut: series.every(({ empty }) => empty) && (await occursUnfiltered(request)),
    },
  }
}

async function occursUnfiltered({ view, context }: ApplicationRequest): Promise<boolean> {
  if (view.filters.length === 0) return false
  const { filters: _, ...period } = commonQuery(view)
  const event = view.params.get('event') ?? ANY_EVENT
  const { data } = await attempt(segmentEventsRoute.ask({ query: { ...period, event } }, context))
  return data?.yValues.some(({ empty }) => !empty) ?? false
}
