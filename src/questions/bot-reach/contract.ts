import { createRoute, z } from '@hono/zod-openapi'
import { MAX_GROUPS } from '../../columns/selection/filter.ts'
import { answer, answers, dayCell, figuresOf, groupsTotal, label, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { userPropertyParam } from '../filters/contract.ts'

export const REACH_SERIES = ['reachable', 'gained', 'lost'] as const

const series = Series.shape.yValues.openapi({
  description:
    'In this order: `reachable` (users whom the bot may write to at the end of each day; `key_value` is that of the last day, `change` compares it with the end of the preceding period), ' +
    '`gained` (users who became reachable on that day), `lost` (users who stopped being reachable). Their `key_value` counts each user of the period once.',
})

const BotReach = answer('BotReach', {
  xValues: Series.shape.xValues,
  yValues: series,
  time_zone: Series.shape.time_zone,
  groups: z.array(z.object({ name: label('The value; `(none)` if it is missing.'), yValues: series })).openapi({
    description: `The ${MAX_GROUPS} groups with the most users who were ever reachable up to the end of the period, ties by name. Empty without \`by\`.`,
  }),
  groups_total: groupsTotal,
})

export const getBotReach = createRoute({
  method: 'get',
  path: '/bot/reach',
  operationId: 'getBotReach',
  summary: 'Bot reach',
  description:
    "How many users the bot of the caller's application may write to, day by day. A user is reachable from their first message in the private chat with the bot " +
    'until they block it, and again once they unblock it or write to it. Counted from the events of a bot client: `telegram_message`, `telegram_command …`, `telegram_bot_blocked`, ' +
    '`telegram_bot_unblocked` and `telegram_my_chat_member`.',
  tags: ['Users'],
  sample: { query: 'by=source' },
  request: { query: z.object({ by: userPropertyParam.optional(), ...periodParams }) },
  responses: answers(BotReach, 'Reach by day.'),
})

/** Users who were reachable at the end of a day or of the period, or who became so or stopped being so in it. */
export const reachFigures = figuresOf(
  getBotReach,
  z.strictObject({ series: z.enum(REACH_SERIES).default('reachable'), day: dayCell, group: z.string().optional() }),
  ({ by }, { group }) => (group !== undefined && by === undefined ? "The question should have a 'by'" : null),
)
