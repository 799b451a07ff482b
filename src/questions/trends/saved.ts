import { pickParams, type QueryParams } from '../../http/params.ts'
import { figuresIn, type PageAddress, type SavedReport, type SeriesAnswer } from '../engine/saved.ts'
import { isMeasure } from '../event-segments/contract.ts'
import { LETTERS } from './formula.ts'

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
export function trendLines({ params }: PageAddress): TrendLine[] {
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
export function trendsQuery(address: PageAddress): QueryParams | null {
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

export const savedTrends: SavedReport<SeriesAnswer> = {
  page: 'trends',
  toQuery(address) {
    const asked = trendsQuery(address)
    if (!asked) return null
    const { compare: _, ...query } = asked
    return query
  },
  // A formula is what the others are for.
  toFigures: (answer, { params }) => figuresIn(answer, answer.yValues.at(params.has('formula') ? -1 : 0)),
}
