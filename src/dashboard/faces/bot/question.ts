import type { RequestContext } from '../../../http/context.ts'
import type { QueryParams } from '../../../http/params.ts'
import { BOT_PREFIX } from '../../../questions/bot-reach/bot-events.ts'
import { getBotReachRoute } from '../../../questions/bot-reach/routes.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { ownQuery, periodQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { type PageQuestion, pageQuestion } from '../../request/page-question.ts'

/** The page has no filters. */
export const reach: PageQuestion<typeof getBotReachRoute, QueryParams> = {
  ...pageQuestion(getBotReachRoute),
  query: (view) => ({ ...periodQuery(view), ...ownQuery(view, ['by']) }),
}

/** The largest page of event names. */
const ALL_NAMES = '1000'

/** Messages of all kinds, also commands, say what they contain. */
const MESSAGES = JSON.stringify({ prop: 'params.content', op: 'is not', values: ['(none)'] })

export interface BotAnswer {
  readonly reach: AnswerTo<typeof getBotReachRoute>
  readonly names: AnswerTo<typeof listEventNamesRoute>['data']
  /** Users by the type of the chat that they wrote in. */
  readonly chats: CountedGroups
  /** Users by the data of the button that they pressed. */
  readonly buttons: CountedGroups
}

type CountedGroups = Pick<AnswerTo<typeof segmentEventsRoute>, 'yValues' | 'groups_total'>

/** How the users of chats and of buttons are asked for. */
export const BY_CHAT = { mode: 'uniques', event: ANY_EVENT, group_by: 'params.chat_type', filters: MESSAGES } as const
export const BY_BUTTON = { mode: 'uniques', event: `${BOT_PREFIX}callback_query`, group_by: 'params.data' } as const

export async function askAboutBot(view: View, context: RequestContext): Promise<BotAnswer> {
  const period = periodQuery(view)
  const countBy = (asked: QueryParams) => segmentEventsRoute.ask({ query: { ...period, ...asked } }, context)
  const [reached, names, chats, buttons] = await Promise.all([
    reach.operation.ask({ query: reach.query(view) }, context),
    listEventNamesRoute.ask({ query: { ...period, contains: BOT_PREFIX, limit: ALL_NAMES } }, context),
    countBy(BY_CHAT),
    countBy(BY_BUTTON),
  ])
  return { reach: reached, names: names.data.filter(({ name }) => name.startsWith(BOT_PREFIX)), chats, buttons }
}
