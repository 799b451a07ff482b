import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { eventsQuery } from '../../../questions/saved/contract.ts'
import { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { acquisitionQuery, byOf } from '../../faces/acquisition/question.ts'
import { namesQuery } from '../../faces/events/question.ts'
import { queryOf as funnelQuery } from '../../faces/funnels/question.ts'
import { pathsQuery } from '../../faces/paths/question.ts'
import { retentionQuestion } from '../../faces/retention/question.ts'
import { revenueQuery } from '../../faces/revenue/question.ts'
import { queryOf as trendsQuery } from '../../faces/trends/question.ts'
import { commonQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import {
  drawAcquisition,
  drawActivity,
  drawEvent,
  drawFunnel,
  drawNames,
  drawPaths,
  drawRetention,
  drawRevenue,
  drawTrends,
} from './draw.ts'
import type { CardFigures } from './figures.ts'

/** A report that a card can show: asks its operation, and draws the answer. */
export interface CardReport {
  readonly draw: (context: RequestContext) => Promise<CardFigures>
}

interface Asked {
  readonly ask: (request: { readonly query: QueryParams }, context: RequestContext) => Promise<unknown>
}

function report<O extends Asked>(
  operation: O,
  query: QueryParams,
  draw: (answer: AnswerTo<O>) => CardFigures,
): CardReport {
  return { draw: async (context) => draw((await operation.ask({ query }, context)) as AnswerTo<O>) }
}

/** The report of a page (its path behind the application's own) and a view; null where the view asks nothing yet. */
export function reportOf(page: string, view: View): CardReport | null {
  switch (page) {
    case '':
      return report(getUserActivityRoute, commonQuery(view), (answer) => drawActivity(answer, view))
    case 'events':
      if (!view.params.has('event')) return report(listEventNamesRoute, namesQuery(view), drawNames)
      return report(segmentEventsRoute, { ...commonQuery(view), ...eventsQuery(view) }, (answer) =>
        drawEvent(answer, view),
      )
    case 'trends':
      return ifAsked(trendsQuery(view), (query) =>
        report(analyzeTrendsRoute, query, (answer) => drawTrends(answer, view)),
      )
    case 'funnels':
      return ifAsked(funnelQuery(view), (query) => {
        // A card has no room for groups.
        const { group_by: _, ...whole } = query
        return report(analyzeFunnelRoute, whole, (answer) => drawFunnel(answer, view))
      })
    case 'retention': {
      const { query, interval } = retentionQuestion(view)
      return report(analyzeRetentionRoute, query, (answer) => drawRetention(answer, interval, view))
    }
    case 'paths':
      return report(getEventPathsRoute, pathsQuery(view), (answer) => drawPaths(answer, view))
    case 'revenue':
      return report(getRevenueRoute, revenueQuery(view), (answer) => drawRevenue(answer, view))
    case 'acquisition':
      return report(getAcquisitionRoute, acquisitionQuery(view), (answer) => drawAcquisition(answer, byOf(view)))
    default:
      return null
  }
}

function ifAsked(query: QueryParams | null, make: (query: QueryParams) => CardReport): CardReport | null {
  return query && make(query)
}
