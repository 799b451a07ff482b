import { applicationOf } from '../../access/access.ts'
import { dayOf } from '../../base/time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventName } from '../event-name.ts'
import { periodFaults } from '../period.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { findLargestGroups, segmentCandidatesReport } from './candidates.ts'
import { segmentEvents } from './contract.ts'
import { eventSegmentsReport, toFigures } from './event-segments.ts'

export const segmentEventsRoute = operation(
  segmentEvents,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: params }, context) => {
    const { mode, filters, group_by: groupBy, event = params.event_type } = params
    const period = resolvePeriod(params, dayOf(context.now))
    const query = {
      event: toEventName(event),
      mode,
      filters,
      groupBy,
      ...period,
      before: precedingPeriod(period),
      groups: null,
    }
    const isSpread = applicationOf(context.access).objects > 1 && groupBy.length > 0
    const groups = isSpread
      ? await findLargestGroups(query, async (part) => (await ask(segmentCandidatesReport, part, context)).data)
      : null
    const { asOf, data } = await ask(eventSegmentsReport, { ...query, groups }, context)
    context.setHeader(AS_OF_HEADER, asOf)
    return {
      xValues: toDateSeries(period),
      yValues: toFigures(data, query).map(toNumberSeries),
      ...SUCCESS,
    }
  },
  { findFaults: periodFaults },
)
