import { unrounded } from '../engine/change.ts'
import { ANY_EVENT } from '../engine/event-name.ts'
import { nameOf } from '../engine/groups.ts'
import type { Asking } from '../engine/report.ts'
import { toNumberSeries } from '../engine/series.ts'
import { type FigureSeries, isMeasure, type Measure, type SegmentationMode } from './contract.ts'
import { askForOther, askForSegments, figuresOf, type SegmentFigures, toFigures } from './event-segments.ts'
import { askForMeasure, askForOtherSums, type MeasuredGroup } from './measures.ts'
import type { EventQuery } from './query.ts'
import { percentChange, roundedQuotient, toNumber } from './quotient.ts'

/** An event and what is counted of it, or measured of a parameter. */
export interface SeriesQuery extends EventQuery {
  readonly mode: SegmentationMode | Measure
  /** The name of the parameter, in modes that measure one. */
  readonly of: string | undefined
}

/** A series, and what it is compared with. */
export interface EventSeries {
  readonly series: FigureSeries
  /** The figures of each interval of the other period. */
  readonly before: readonly (number | null)[]
  /** The headlines of both, not rounded; null without numeric values. */
  readonly total: number | null
  readonly totalBefore: number | null
}

/** One series, or one for each of the largest groups. */
export interface FoundSeries {
  readonly series: readonly EventSeries[]
  /** The number of all groups; null where nothing is grouped. */
  readonly total: number | null
  /** The groups beyond the largest together; null if there are none, or if the mode does not add up over groups. */
  readonly other: EventSeries | null
}

export async function askForSeries({ mode, of, ...query }: SeriesQuery, asking: Asking): Promise<FoundSeries> {
  const isCut = (total: number | null, groups: readonly unknown[]) => total !== null && total > groups.length
  if (isMeasure(mode)) {
    const asked = { ...query, measure: mode, of: of as string }
    const { groups, total } = await askForMeasure(asked, asking)
    const other = mode === 'sum' && isCut(total, groups) ? await askForOtherSums(asked, groups, asking) : null
    return {
      series: groups.map((group) => ofMeasure(group, query)),
      total: query.groupBy.length > 0 ? total : null,
      other: other && ofMeasure(other, query),
    }
  }
  const asked = { ...query, mode, groups: null }
  const found = await askForSegments(asked, asking)
  const { groups, total } = found
  const other = mode === 'totals' && isCut(total, groups) ? await askForOther(asked, found, asking) : null
  return {
    series: toFigures(found, asked).map(ofCounts),
    total,
    other: other && ofCounts(figuresOf(other, null, asked)),
  }
}

function ofCounts(figures: SegmentFigures): EventSeries {
  return {
    series: toNumberSeries(figures),
    before: figures.dataBefore,
    total: unrounded(figures.headline),
    totalBefore: unrounded(figures.before),
  }
}

/** An interval without a figure differs from zero no more than one with 0. */
function ofMeasure({ values, now, before, notNumeric }: MeasuredGroup, { event, groupBy }: EventQuery): EventSeries {
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
