import { INTERVALS } from '../../../base/time/intervals.ts'
import { fittingInterval } from '../../figures/fitting-interval.ts'
import { commonQuery, ownQuery, type View } from '../../request/address.ts'

export const FIELDS = ['start_event', 'return_event', 'interval', 'mode', 'group_by']

/** What a view asks; the interval is the one that fits its period, unless it names another one. */
export function retentionQuestion(view: View) {
  const fitting = fittingInterval(view.period)
  const query = { interval: fitting, ...commonQuery(view), ...ownQuery(view, FIELDS) }
  return { query, fitting, interval: INTERVALS.find((name) => name === query.interval) ?? fitting }
}
