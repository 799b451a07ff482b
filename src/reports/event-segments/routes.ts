import { applicationOf } from '../../accounts/access.ts'
import { SUCCESS } from '../../api/answers.ts'
import { operation } from '../../api/operation.ts'
import { dayOf } from '../../time/days.ts'
import { precedingPeriod, resolvePeriod } from '../../time/period.ts'
import { ask } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { toEventName } from '../event-name.ts'
import { periodFaults } from '../period.ts'
import { toDateSeries, toNumberSeries } from '../series.ts'
import { segmentEvents } from './contract.ts'
import { eventSegmentsReport } from './event-segments.ts'
import { toFigures } from './figures.ts'
import { findLargestGroups, headlinesReport } from './largest-groups.ts'

export const segmentEventsRoute = operation(
  segmentEvents,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: asked }, context) => {
    const { mode, filters, group_by: groupBy, event = asked.event_type } = asked
    const period = resolvePeriod(asked, dayOf(context.now))
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
      ? await findLargestGroups(query, async (part) => (await ask(headlinesReport, part, context)).data)
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
