import type { Columns } from '../../../columns/columns.ts'
import { acquiredUsers } from '../../acquisition/users.ts'
import { reachedUsers } from '../../bot-reach/users.ts'
import type { AskedFigure, FigureQuery } from '../../engine/cohort-rule.ts'
import type { AnyFigureUsers, FigureContext } from '../../engine/figures.ts'
import type { Bounds } from '../../engine/report.ts'
import { nameUsers } from '../../event-names/users.ts'
import { segmentUsers } from '../../event-segments/users.ts'
import { funnelUsers } from '../../funnels/users.ts'
import { pathUsers } from '../../paths/users.ts'
import { retentionUsers } from '../../retention/users.ts'
import { payers } from '../../revenue/users.ts'
import { ltvUsers } from '../../revenue-ltv/users.ts'
import { trendUsers } from '../../trends/users.ts'
import { activityUsers } from '../../user-activity/users.ts'
import { frequencyUsers } from '../../user-frequency/users.ts'
import { propertyUsers } from '../../user-properties/users.ts'

/** How each question says its users, by its path. */
const USERS = {
  '/acquisition': acquiredUsers,
  '/bot/reach': reachedUsers,
  '/events/names': nameUsers,
  '/events/paths': pathUsers,
  '/events/segmentation': segmentUsers,
  '/events/trends': trendUsers,
  '/funnels': funnelUsers,
  '/retention': retentionUsers,
  '/revenue': payers,
  '/revenue/ltv': ltvUsers,
  '/users/activity': activityUsers,
  '/users/frequency': frequencyUsers,
  '/users/segmentation/aggregated': propertyUsers,
} as unknown as Readonly<Record<string, AnyFigureUsers>>

/** Throws if no question has that path: it was checked before. */
function usersOf(question: string): AnyFigureUsers {
  const users = USERS[question]
  if (!users) throw new Error(`no figures of ${question}`)
  return users
}

export function toFigureQuery({ question, params, cell }: AskedFigure, context: FigureContext): FigureQuery {
  return { question, query: usersOf(question).toQuery(params, cell, context) }
}

export function findFigureUsers(
  columns: Columns,
  { question, query }: FigureQuery,
  bounds: Bounds,
): Generator<void, Uint8Array> {
  return usersOf(question).find(columns, query, bounds)
}
