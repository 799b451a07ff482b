import { unrounded } from '../engine/change.ts'
import { ANY_EVENT } from '../engine/event-name.ts'
import { nameOf } from '../engine/groups.ts'
import { percentChange, roundedQuotient, toNumber } from '../engine/quotient.ts'
import type { Asking } from '../engine/report.ts'
import { toNumberSeries } from '../engine/series.ts'
import { type FigureSeries, isMeasure, type Measure, type SegmentationMode } from './contract.ts'
import { askForOther, askForSegments, figuresOf, type SegmentFigures, toFigures } from './event-segments.ts'
import { askForMeasure, askForOtherSums, type MeasuredGroup } from './measures.ts'
import type { EventQuery } from './query.ts'

/** A question about an event: what to count, or what to measure of a parameter. */
export interface SeriesQuery extends EventQuery {
  readonly mode: SegmentationMode | Measure
  /** The name of the parameter, in modes that measure one. */
  readonly of: string | undefined
}

/** A series, and the figures to compare it with. */
export interface EventSeries {
  readonly series: FigureSeries
  /** The figures of each interval of the period to compare with. */
  readonly before: readonly (number | null)[]
  /** The headlines of both periods, not rounded; null without numeric values. */
  readonly total: number | null
  readonly totalBefore: number | null
}

/** One series, or one for each of the largest groups. */
export interface FoundSeries {
  readonly series: readonly EventSeries[]
  /** The number of all groups; null if nothing is grouped. */
  readonly total: number | null
  /** One series of all groups beyond the largest; null if there are none, or if the mode is not additive. */
  readonly other: EventSeries | null
}

export async function askForSeries({ mode, of, ...query }: SeriesQuery, asking: Asking): Promise<FoundSeries> {
  const isCut = (total: number | null, groups: readonly unknown[]) => total !== null && total > groups.length
  if (isMeasure(mode)) {
    const asked = { ...query, measure: mode, of: of as string }
    const { groups, total } = await askForMeasure(asked, asking)
    const other = mode === 'sum' && isCut(total, groups) ? await askForOtherSums(asked, groups, asking) : null
    return {
      series: groups.map((group) => fromMeasure(group, query)),
      total: query.groupBy.length > 0 ? total : null,
      other: other && fromMeasure(other, query),
    }
  }
  const asked = { ...query, mode, groups: null }
  const found = await askForSegments(asked, asking)
  const { groups, total } = found
  const other = mode === 'totals' && isCut(total, groups) ? await askForOther(asked, found, asking) : null
  return {
    series: toFigures(found, asked).map(fromCounts),
    total,
    other: other && fromCounts(figuresOf(other, null, asked)),
  }
}

function fromCounts(figures: SegmentFigures): EventSeries {
  return {
    series: toNumberSeries(figures),
    before: figures.dataBefore,
    total: unrounded(figures.headline),
    totalBefore: unrounded(figures.before),
  }
}

/** Converts a measured group to a series, which is `empty` if each figure is null or 0. */
function fromMeasure({ values, now, before, notNumeric }: MeasuredGroup, { event, groupBy }: EventQuery): EventSeries {
  const data = now.intervals.map(toNumber)
  const total = toNumber(now.whole)
  return {
    series: {
      name: groupBy.length > 0 ? nameOf(values) : (event ?? ANY_EVENT),
      data_type: 'time_series',
      data,
      length: data.length,
      key_value: roundedQuotient(now.whole),
      total,
      not_numeric: notNumeric,
      empty: data.every((value) => value === null || value === 0),
      change: percentChange(now.whole, before.whole),
    },
    before: before.intervals.map(toNumber),
    total,
    totalBefore: toNumber(before.whole),
  }
}
