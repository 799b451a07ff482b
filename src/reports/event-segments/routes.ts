import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { toName } from '../../text/text.ts'
import { dayOf, toDate } from '../../time/days.ts'
import { daysIn, precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { periodFaults } from '../period.ts'
import { run } from '../run.ts'
import { toLabelSeries, toNumberSeries } from '../series.ts'
import { segmentEvents } from './contract.ts'
import { ANY_EVENT, allActiveUsersReport, eventSegmentsReport, toFigures } from './event-segments.ts'

export const segmentEventsRoute = operation(
  segmentEvents,
  { header: 'x-api-key', scope: 'full' },
  async ({ query: asked }, { questions, now, access }) => {
    const { mode, filters, group_by: groupBy, event = asked.event_type } = asked
    const period = resolvePeriod(asked, dayOf(now))
    const query = {
      applicationId: applicationOf(access).id,
      event: event === ANY_EVENT ? null : toName(event),
      mode,
      filters,
      groupBy,
      ...period,
      before: precedingPeriod(period),
    }
    const [segments, all] = await Promise.all([
      run(eventSegmentsReport, query, questions),
      mode === 'pct_dau' ? run(allActiveUsersReport, query, questions) : undefined,
    ])
    const days = daysIn(period).map(toDate)
    return {
      xValues: toLabelSeries({ name: 'date', data: days, keyValue: days.length }),
      yValues: segments.map((segment) => toNumberSeries(toFigures(segment, query, all))),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
