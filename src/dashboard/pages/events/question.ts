import type { QueryParams } from '../../../http/params.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { FigureSeries } from '../../../questions/event-segments/contract.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { commonQuery, ownQuery, type View } from '../../address.ts'
import type { ApplicationRequest } from '../../application-request.ts'
import { askBefore } from '../../comparison.ts'
import { type Attempt, attempt } from '../../components/problem.tsx'
import { ANY_EVENT } from '../../components/question-form.tsx'
import { toCount, toFigure, toPercent } from '../../format.ts'

export const OWN_PARAMS = ['event', 'mode', 'group_by']

const NAMES_ON_A_PAGE = '50'

export function askForNames({ view, context }: Pick<ApplicationRequest, 'view' | 'context'>) {
  const query = { ...commonQuery(view), limit: NAMES_ON_A_PAGE, ...ownQuery(view, ['contains', 'offset']) }
  return listEventNamesRoute.ask({ query }, context)
}

export const MODES = [
  { mode: 'uniques', label: 'Unique users', hint: 'Users who did the event at least once', toText: toCount },
  { mode: 'totals', label: 'Total events', hint: 'Number of times the event happened', toText: toCount },
  { mode: 'average', label: 'Average per user', hint: 'Events per user who did the event', toText: toFigure },
  {
    mode: 'pct_dau',
    label: '% of active users',
    hint: 'Users who did the event, as a percentage of all active users',
    toText: toPercent,
  },
] as const

export type EventMeasure = (typeof MODES)[number]

export function modeOf({ params }: Pick<View, 'params'>): EventMeasure {
  return MODES.find(({ mode }) => mode === params.get('mode')) ?? MODES[0]
}

export interface EventAnswer {
  readonly days: readonly string[]
  readonly series: readonly FigureSeries[]
  readonly isComparable: boolean
  /** Of the previous period; null without one, or if it could not be counted. */
  readonly before: readonly FigureSeries[] | null
  /** The headline of each mode, in their order; null where the question has groups. */
  readonly headlines: readonly Headline[] | null
  /** Where nothing was found: whether the event occurred, only not with these filters. */
  readonly isFilteredOut: boolean
}

type Headline = Pick<FigureSeries, 'key_value' | 'change'>

export async function askForEvent(request: ApplicationRequest): Promise<Attempt<EventAnswer>> {
  const { view, context } = request
  const own = ownQuery(view, OWN_PARAMS)
  const now = commonQuery(view)
  const isGrouped = own.group_by !== undefined
  const ask = (query: QueryParams) => segmentEventsRoute.ask({ query }, context)
  const asking = attempt(ask({ ...now, ...own }))
  const current = modeOf(view).mode
  const [asked, compared, ...modes] = await Promise.all([
    asking,
    askBefore(request, (then) => ask({ ...then, ...own })),
    ...(isGrouped ? [] : MODES).map(({ mode }) => (mode === current ? asking : attempt(ask({ ...now, ...own, mode })))),
  ])
  if (asked.problem) return asked
  const { xValues, yValues: series } = asked.data
  const headlines = modes.map(({ data }) => data?.yValues[0] ?? null)
  return {
    problem: null,
    data: {
      days: xValues.data,
      series,
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
