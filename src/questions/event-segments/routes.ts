import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../event-name.ts'
import { question } from '../operation.ts'
import type { AnyReport } from '../question.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { amountsReport } from './amounts.ts'
import { segmentCandidatesReport } from './candidates.ts'
import { isMeasure, segmentEvents } from './contract.ts'
import { distinctValuesReport } from './distinct-values.ts'
import { askForSegments, eventSegmentsReport, toFigures } from './event-segments.ts'
import { askForMeasure, toMeasureSeries } from './measures.ts'
import { quantilesReport } from './quantiles.ts'

export const segmentEventsRoute = question(
  segmentEvents,
  async ({ query: params }, asking) => {
    const { mode, of, filters, group_by: groupBy, event = params.event_type } = params
    const { calendar, period, before } = asking
    const answer = { xValues: toDateSeries(period), time_zone: calendar.timeZone, ...SUCCESS }
    const common = { event: toEventName(event), filters, groupBy, ...period, before }
    if (isMeasure(mode)) {
      const query = { ...common, measure: mode, of: of as string }
      const groups = await askForMeasure(query, asking)
      return { ...answer, yValues: groups.map((group) => toMeasureSeries(group, query)) }
    }
    const query = { ...common, mode, groups: null }
    const segments = await askForSegments(query, asking)
    return { ...answer, yValues: toFigures(segments, query).map(toNumberSeries) }
  },
  {
    reports: [
      eventSegmentsReport,
      segmentCandidatesReport,
      amountsReport,
      distinctValuesReport,
      quantilesReport,
    ] as readonly AnyReport[],
  },
)
