import type { QueryParams } from '../http/params.ts'
import type { NumberSeries } from '../reports/contract.ts'
import { segmentEventsRoute } from '../reports/event-segments/routes.ts'
import type { ApplicationRequest } from './application-request.ts'
import { attempt, type Problem } from './components/problem.tsx'
import { ANY_EVENT } from './components/question-form.tsx'
import { toCount, toFigure, toPercent } from './format.ts'
import type { View } from './view.ts'
import { commonQuery, ownQuery, queryBefore } from './view-query.ts'

/** What this page's own question consists of. */
export const OWN_PARAMS = ['event', 'mode', 'group_by']

/** What can be counted, as the operation calls it and as people do. */
export const MODES = [
  { mode: 'uniques', label: 'Users', hint: 'Different users who had the event', toText: toCount },
  { mode: 'totals', label: 'Events', hint: 'How often the event happened', toText: toCount },
  { mode: 'average', label: 'Events per user', hint: 'Of the users who had the event', toText: toFigure },
  {
    mode: 'pct_dau',
    label: 'Share of active users',
    hint: 'Users who had the event, in percent of all who were active',
    toText: toPercent,
  },
] as const

export type Mode = (typeof MODES)[number]

/** The mode that an address asks for. */
export function modeOf({ params }: Pick<View, 'params'>): Mode {
  return MODES.find(({ mode }) => mode === params.get('mode')) ?? MODES[0]
}

export interface EventAnswer {
  readonly days: readonly string[]
  readonly series: readonly NumberSeries[]
  /** The same question about the time before; null where that could not be counted, or is not kept: then nothing is compared. */
  readonly before: readonly NumberSeries[] | null
  /** The headline of each mode, in their order; null where the question has groups. */
  readonly headlines: readonly Headline[] | null
  /** Where nothing was found: whether the event occurred, only not with these filters. */
  readonly isFilteredOut: boolean
}

type Headline = Pick<NumberSeries, 'key_value' | 'change'>

type Asked =
  | { readonly answer: EventAnswer; readonly problem: null }
  | { readonly answer: null; readonly problem: Problem }

/** Asks what the address asks. */
export async function askForEvent(request: ApplicationRequest): Promise<Asked> {
  const { view, context } = request
  const own = ownQuery(view, OWN_PARAMS)
  const [now, then] = [commonQuery(view), queryBefore(request)]
  const isGrouped = own.group_by !== undefined
  const ask = (query: QueryParams) => attempt(segmentEventsRoute.ask({ query }, context))
  const asking = ask({ ...now, ...own })
  const current = modeOf(view).mode
  const [asked, before, ...modes] = await Promise.all([
    asking,
    then && ask({ ...then, ...own }),
    ...(isGrouped ? [] : MODES).map(({ mode }) => (mode === current ? asking : ask({ ...now, ...own, mode }))),
  ])
  if (asked.problem) return { answer: null, problem: asked.problem }
  const { xValues, yValues: series } = asked.data
  const headlines = modes.map(({ data }) => data?.yValues[0] ?? null)
  return {
    problem: null,
    answer: {
      days: xValues.data,
      series,
      before: before?.data?.yValues ?? null,
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
