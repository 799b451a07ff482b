import type { AssistantQuestion, Pages } from '../assistants/pages.ts'
import { jsonItems } from '../http/list-params.ts'
import { SHARED_BY_TRENDS, trendParam } from '../questions/saved/contract.ts'
import { LETTERS } from '../questions/trends/formula.ts'
import { USER_FILTERS } from './faces/users/question.ts'
import { hrefOfSaved } from './frame/saved-menu.tsx'
import { homeOf } from './request/address.ts'
import { DASHBOARD } from './request/next-page.ts'

/** A page behind that of its application, with the parameters that are its own. */
type Place = readonly [page: string, own?: readonly (readonly [name: string, value: string])[]]

/** Where a question is shown; the overview for all others. */
const PLACES: Readonly<Record<string, (asked: AssistantQuestion) => Place>> = {
  listAnnotations: () => ['annotations'],
  getRevenueRules: () => ['settings/revenue'],
  listCohorts: () => ['cohorts'],
  getCohort: ({ path }) => ['cohorts', [['name', path.name ?? '']]],
  listCohortUsers: ({ path }) => ['cohorts', [['name', path.name ?? '']]],
  listUsers: ({ query }) => ['users', usersParams(query)],
  findUsers: ({ query }) => ['users', [...usersParams(query), ...given(query, ['definition', 'search'])]],
  getUser: ({ path }) => [`users/${path.telegram_id}`],
  listUserEvents: ({ path, query }) => [`users/${path.telegram_id}`, given(query, ['event'])],
  listUserDays: ({ path }) => [`users/${path.telegram_id}`],
  aggregateUsers: ({ query }) => ['values', [['property', query.get('aggregation_param') ?? 'language']]],
  listPropertyValues: ({ path, query }) => [
    'values',
    [['property', path.property ?? ''], ...given(query, ['contains'])],
  ],
  analyzeRetention: ({ query }) => [
    'retention',
    [
      ['interval', query.get('interval') ?? 'day'],
      ...given(query, ['start_event', 'return_event', 'mode', 'group_by']),
    ],
  ],
  getAcquisition: ({ query }) => ['acquisition', given(query, ['by', 'activation_event', 'currency'])],
  getBotReach: ({ query }) => ['bot', given(query, ['by'])],
  analyzeFunnel: ({ query }) => ['funnels', given(query, ['events', 'order', 'exclude', 'window_seconds', 'group_by'])],
  segmentEvents: ({ query }) => [
    'events',
    [['event', query.get('event') ?? query.get('event_type') ?? ''], ...given(query, ['mode', 'of', 'group_by'])],
  ],
  analyzeEventHours: ({ query }) => ['events', given(query, ['event', 'mode'])],
  listEventNames: ({ query }) => ['events', given(query, ['contains'])],
  countLiveUsers: () => ['events/live'],
  analyzeTrends: ({ query }) => ['trends', trendParams(query)],
  getEventPaths: ({ query }) => ['paths', given(query, ['event', 'direction', 'steps', 'exclude_pageviews'])],
  getRevenue: ({ query }) => ['revenue', given(query, ['currency', 'group_by'])],
  analyzeRevenueLtv: ({ query }) => [
    'revenue',
    [['interval', query.get('interval') ?? 'day'], ...given(query, ['currency', 'group_by'])],
  ],
  exportEvents: () => ['settings/data#export'],
  exportUsers: () => ['settings/data#export'],
}

export const PAGES_OF_QUESTIONS: Pages = {
  ofQuestion,
  ofSaved: (address, handle) => hrefOfSaved(homeOf({ handle }), address),
}

function ofQuestion(asked: AssistantQuestion, handle: string | null): string {
  if (handle === null) return DASHBOARD
  const [place, own = []] = PLACES[asked.operationId]?.(asked) ?? ['']
  const [page = '', anchor] = place.split('#')
  const common = [...given(asked.query, ['start', 'end']), ...filtersOf(asked.query)]
  const params = new URLSearchParams([...own, ...common].map(([name, value]) => [name, value]))
  const home = homeOf({ handle })
  const behind = `${params.size > 0 ? `?${params}` : ''}${anchor ? `#${anchor}` : ''}`
  return `${page === '' ? home : `${home}/${page}`}${behind}`
}

function given(query: URLSearchParams, names: readonly string[]) {
  return names.flatMap((name) => query.getAll(name).map((value) => [name, value] as const))
}

/** Pages have one filter in each parameter. */
function filtersOf(query: URLSearchParams) {
  const filters = query.getAll('filters').flatMap((text) => jsonItems(text, true))
  return filters.map((filter) => ['filters', JSON.stringify(filter)] as const)
}

interface SentSeries {
  readonly event: string
  readonly mode?: string
  readonly of?: string
  readonly filters?: readonly unknown[]
}

/** The page has an order of its own by default. */
function usersParams(query: URLSearchParams) {
  const sortBy = ['sort_by', query.get('sort_by') ?? 'curr_balance'] as const
  return [sortBy, ...given(query, [...USER_FILTERS, 'sort_order', 'offset'])]
}

/** The page has a field for each part of a series, and seven days of hours by default, as the operation. */
function trendParams(query: URLSearchParams) {
  const series = query.getAll('series').flatMap((text) => jsonItems(text, true) as SentSeries[])
  const lines = series
    .slice(0, LETTERS.length)
    .flatMap(({ event, mode, of, filters = [] }, line) => [
      [trendParam('event', line), event] as const,
      ...(mode ? [[trendParam('mode', line), mode] as const] : []),
      ...(of ? [[trendParam('of', line), of] as const] : []),
      ...filters.map((filter) => [trendParam('filters', line), JSON.stringify(filter)] as const),
    ])
  const isByHour = query.get('interval') === 'hour' && !query.has('start') && !query.has('end')
  return [...lines, ...given(query, SHARED_BY_TRENDS), ...(isByHour ? [['period', '7d'] as const] : [])]
}
