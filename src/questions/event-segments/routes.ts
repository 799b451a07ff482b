import { dividedByDay, undivided } from '../../base/time/divided-period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { groupFields } from '../engine/groups.ts'
import { question } from '../engine/question.ts'
import type { AnyReport } from '../engine/report.ts'
import { toDateSeries } from '../engine/series.ts'
import { amountsReport } from './amounts.ts'
import { segmentCandidatesReport } from './candidates.ts'
import { segmentEvents } from './contract.ts'
import { distinctValuesReport } from './distinct-values.ts'
import { eventSegmentsReport, segmentUsers } from './event-segments.ts'
import { quantilesReport } from './quantiles.ts'
import { savedSegments } from './saved.ts'
import { askForSeries } from './series.ts'

export const segmentEventsRoute = question(
  segmentEvents,
  async ({ query: params }, asking) => {
    const { mode, of, filters, group_by: groupBy, event = params.event_type } = params
    const { calendar } = asking
    const [period, before] = [dividedByDay(calendar, asking.period), undivided(asking.before)]
    const query = { event: toEventName(event), mode, of, filters, groupBy, period, before, isFirstTime: false }
    const { series, total, other } = await askForSeries(query, asking)
    return {
      xValues: toDateSeries(period),
      yValues: series.map((one) => one.series),
      ...groupFields({ total, other: other?.series }),
      time_zone: calendar.timeZone,
      ...SUCCESS,
    }
  },
  {
    reports: [
      eventSegmentsReport,
      segmentCandidatesReport,
      amountsReport,
      distinctValuesReport,
      quantilesReport,
    ] as readonly AnyReport[],
    users: segmentUsers,
    saved: savedSegments,
  },
)
