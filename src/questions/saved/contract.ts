import { textItems } from '../../http/list-params.ts'
import { pickParams, type QueryParams } from '../../http/params.ts'
import { isMeasure, type Measure } from '../event-segments/contract.ts'
import { LETTERS } from '../trends/formula.ts'

// What the address of a page asks, without its period and its filters. Pages ask it, and so do notifications about saved reports.

/** The parameters of an address. */
interface Address {
  readonly params: URLSearchParams
}

export const EVENTS_PARAMS = ['event', 'mode', 'of', 'group_by']

const WITHOUT_MEASURED = EVENTS_PARAMS.filter((name) => name !== 'of')

/** Of event segmentation. A parameter that was chosen before means nothing where users or events are counted. */
export function eventsQuery({ params }: Address): QueryParams {
  const mode = params.get('mode')
  return pickParams(params, mode !== null && isMeasure(mode as Measure) ? EVENTS_PARAMS : WITHOUT_MEASURED)
}

/** An event of an address of trends, and the names of its fields there. */
export interface TrendLine {
  readonly event: string
  readonly mode: string
  readonly of: string
  /** Each is JSON, as it stands in the address. */
  readonly filters: readonly string[]
}

const TREND_FIELDS = ['event', 'mode', 'of', 'filters'] as const

/** The parameter of the address that has a field of a line, counted from 0. */
export function trendParam(field: (typeof TREND_FIELDS)[number], line: number): string {
  return `${field}_${LETTERS.charAt(line).toLowerCase()}`
}

/** The operation's own parameters, which the address has as they are. */
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

/** Of trends; null without an event. */
export function trendsQuery(address: Address): QueryParams | null {
  const lines = trendLines(address)
  if (lines.length === 0) return null
  const series = lines.map(({ event, mode, of, filters }) => ({
    event,
    ...(mode && { mode }),
    // What was chosen before means nothing where users or events are counted.
    ...(of && isMeasure(mode) && { of }),
    ...(filters.length > 0 && { filters: filters.map(parsed) }),
  }))
  return { series: JSON.stringify(series), ...pickParams(address.params, SHARED_BY_TRENDS) }
}

/** What is no JSON is left to the operation to refuse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const FUNNEL_PARAMS = ['events', 'order', 'exclude', 'window_seconds', 'group_by']

/** Names in an address, each a parameter; of one alone also a JSON array, as the operation takes it. */
export function namesIn({ params }: Address, name: 'events' | 'exclude'): string[] {
  const texts = params.getAll(name)
  return texts.flatMap((text) => textItems(text, texts.length === 1).map(String))
}

/** Of a funnel, with the names as JSON, so that none is taken for an array. */
export function funnelQuery(address: Address): QueryParams {
  const excluded = namesIn(address, 'exclude')
  return {
    ...pickParams(address.params, FUNNEL_PARAMS),
    events: JSON.stringify(namesIn(address, 'events')),
    ...(excluded.length > 0 && { exclude: JSON.stringify(excluded) }),
  }
}
