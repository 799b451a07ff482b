import type { RequestContext } from '../../../http/context.ts'
import { seriesRows, type TableOf } from '../../figures/csv-of.ts'
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

async function daysOf(view: View, context: RequestContext) {
  const { xValues, yValues } = await segments.operation.ask({ query: segments.query(view) }, context)
  return seriesRows('day', xValues.data, yValues)
}
