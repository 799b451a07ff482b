import type { RequestContext } from '../../../http/context.ts'
import type { TableOf } from '../../figures/csv-of.ts'
import type { View } from '../../request/address.ts'
import { eventNames, segments } from './question.ts'

export const eventsTable: TableOf = async (view, context) => {
  const event = view.params.get('event')
  return { name: [event ?? 'events'], rows: await (event === null ? namesOf(view, context) : daysOf(view, context)) }
}

async function namesOf(view: View, context: RequestContext) {
  const { data } = await eventNames.operation.ask({ query: eventNames.query(view) }, context)
  const head = ['event', 'events', 'users', 'first_seen_at', 'last_seen_at']
  const rows = data.map((row) => [row.name, row.events, row.users, row.first_seen_at, row.last_seen_at])
  return [head, ...rows]
}

/** One row per day, one column per group. A day without a figure has an empty cell. */
async function daysOf(view: View, context: RequestContext) {
  const { xValues, yValues } = await segments.operation.ask({ query: segments.query(view) }, context)
  const rows = xValues.data.map((day, place) => [day, ...yValues.map(({ data }) => data[place] ?? '')])
  return [['day', ...yValues.map(({ name }) => name)], ...rows]
}
