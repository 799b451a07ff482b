import type { TableOf } from '../../figures/csv-of.ts'
import { seriesOf } from '../home-figure.ts'
import { metricsIn, type RevenueAnswer, revenue } from './question.ts'

/** All figures of the page of revenue. */
export const revenueTable: TableOf = async (view, context) => {
  const answer = await revenue.operation.ask({ query: revenue.query(view) }, context)
  return { name: ['revenue', answer.currency], rows: rowsOf(answer) }
}

/** One row per day; with groups, one per day and group. */
function rowsOf({ xValues, yValues, currency, groupBy, groups }: RevenueAnswer) {
  const sets = groupBy === '' ? [{ name: null, yValues }] : groups
  const metrics = metricsIn(currency)
  const head = ['day', 'currency', ...(groupBy === '' ? [] : [groupBy]), ...metrics.map(({ name }) => name)]
  const rows = xValues.data.flatMap((day, place) =>
    sets.map((set) => [
      day,
      currency,
      ...(set.name === null ? [] : [set.name]),
      ...metrics.map(({ name }) => seriesOf(set, name).data[place] ?? 0),
    ]),
  )
  return [head, ...rows]
}
