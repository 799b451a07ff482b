import type { RequestContext } from '../../http/context.ts'
import type { QueryParams } from '../../http/params.ts'

/** The parameters in the address of a page. */
export interface PageAddress {
  readonly params: URLSearchParams
}

/** A report saved from the page of a question: what its address asks, and what alerts, digests and the bot say of the answer. */
export interface SavedReport<Answer = unknown> {
  /** The name of the page in addresses. */
  readonly page: string
  /** What the address asks besides period and filters; null if it lacks what the question needs. */
  toQuery(address: PageAddress): QueryParams | null
  /** The figures of all intervals, by which alerts go. Absent if the answer has none. */
  toFigures?(answer: Answer, address: PageAddress): IntervalFigures
  /** The steps that users went through. Absent if the answer has none. */
  toSteps?(answer: Answer): readonly ReportStep[]
}

/** A saved report whose question can be asked. */
export interface AskedReport extends SavedReport {
  /** Throws what the question throws. */
  ask(request: { readonly query: QueryParams }, context: RequestContext): Promise<unknown>
}

export interface IntervalFigures {
  /** The days, or the moments at which intervals begin. */
  readonly labels: readonly string[]
  readonly data: readonly (number | null)[]
  /** `%`, a currency, or nothing. */
  readonly unit: string
}

export interface ReportStep {
  readonly step: number
  readonly event: string
  readonly users: number
  readonly conversion_from_start: number
}

interface OneSeries {
  readonly data: readonly (number | null)[]
}

/** An answer with a figure for each interval. */
export interface SeriesAnswer {
  readonly xValues: { readonly data: readonly string[] }
  readonly yValues: readonly OneSeries[]
}

/** The figures of one series of an answer. */
export function figuresIn({ xValues }: SeriesAnswer, series: OneSeries | undefined, unit = ''): IntervalFigures {
  return { labels: xValues.data, data: series?.data ?? [], unit }
}
