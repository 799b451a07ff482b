import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../event-name.ts'
import { question } from '../operation.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { segmentCandidatesReport } from './candidates.ts'
import { segmentEvents } from './contract.ts'
import { askForSegments, eventSegmentsReport, toFigures } from './event-segments.ts'

export const segmentEventsRoute = question(
  segmentEvents,
  async ({ query: params }, asking) => {
    const { mode, filters, group_by: groupBy, event = params.event_type } = params
    const { calendar, period, before } = asking
    const query = { event: toEventName(event), mode, filters, groupBy, ...period, before, groups: null }
    const segments = await askForSegments(query, asking)
    const yValues = toFigures(segments, query).map(toNumberSeries)
    return { xValues: toDateSeries(period), yValues, time_zone: calendar.timeZone, ...SUCCESS }
  },
  { reports: [eventSegmentsReport, segmentCandidatesReport] },
)
