import { textItems } from '../../http/list-params.ts'
import { pickParams, type QueryParams } from '../../http/params.ts'
import { isMeasure, type Measure } from '../event-segments/contract.ts'
import { LETTERS } from '../trends/formula.ts'

// Turns a page's address, except for period and filters, into queries. Pages and notifications about saved reports use it.

/** The parameters of an address. */
interface Address {
  readonly params: URLSearchParams
}

export const EVENTS_PARAMS = ['event', 'mode', 'of', 'group_by']

const WITHOUT_MEASURED = EVENTS_PARAMS.filter((name) => name !== 'of')

/** Parameters of event segmentation. `of` is dropped if it only remains from a mode that measured a parameter. */
export function eventsQuery({ params }: Address): QueryParams {
  const mode = params.get('mode')
  return pickParams(params, mode !== null && isMeasure(mode as Measure) ? EVENTS_PARAMS : WITHOUT_MEASURED)
}

/** A line of trends: one event, with the texts of its fields in the address. */
export interface TrendLine {
  readonly event: string
  readonly mode: string
  readonly of: string
  /** JSON texts, as they are in the address. */
  readonly filters: readonly string[]
}

const TREND_FIELDS = ['event', 'mode', 'of', 'filters'] as const

/** The parameter of an address that holds a field of a line; lines are counted from 0. */
export function trendParam(field: (typeof TREND_FIELDS)[number], line: number): string {
  return `${field}_${LETTERS.charAt(line).toLowerCase()}`
}

/** Parameters that the address and the operation have in common. */
export const SHARED_BY_TRENDS = ['formula', 'interval', 'compare', 'first_time', 'group_by']

export const TRENDS_PARAMS = [
  ...[...LETTERS].flatMap((_, line) => TREND_FIELDS.map((field) => trendParam(field, line))),
  ...SHARED_BY_TRENDS,
]

/** The lines that have an event, in order. */
export function trendLines({ params }: Address): TrendLine[] {
  const textOf = (field: (typeof TREND_FIELDS)[number], line: number) => params.get(trendParam(field, line)) ?? ''
  const lines = [...LETTERS].map((_, line) => ({
    event: textOf('event', line),
    mode: textOf('mode', line),
    of: textOf('of', line),
    filters: params.getAll(trendParam('filters', line)),
  }))
  return lines.filter(({ event }) => event !== '')
}

/** Parameters of trends; null if the address has no event. */
export function trendsQuery(address: Address): QueryParams | null {
  const lines = trendLines(address)
  if (lines.length === 0) return null
  const series = lines.map(({ event, mode, of, filters }) => ({
    event,
    ...(mode && { mode }),
    // `of` may remain from another mode; it means nothing where users or events are counted.
    ...(of && isMeasure(mode) && { of }),
    ...(filters.length > 0 && { filters: filters.map(parsed) }),
  }))
  return { series: JSON.stringify(series), ...pickParams(address.params, SHARED_BY_TRENDS) }
}

/** Text that is not JSON is passed on, so that the operation refuses it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const FUNNEL_PARAMS = ['events', 'order', 'exclude', 'window_seconds', 'group_by']

/** Names in an address, one per parameter; a single parameter may also be a JSON array, as in the operation. */
export function namesIn({ params }: Address, name: 'events' | 'exclude'): string[] {
  const texts = params.getAll(name)
  return texts.flatMap((text) => textItems(text, texts.length === 1).map(String))
}

/** Parameters of a funnel. Names are sent as JSON so that none is taken for an array. */
export function funnelQuery(address: Address): QueryParams {
  const excluded = namesIn(address, 'exclude')
  return {
    ...pickParams(address.params, FUNNEL_PARAMS),
    events: JSON.stringify(namesIn(address, 'events')),
    ...(excluded.length > 0 && { exclude: JSON.stringify(excluded) }),
  }
}
