import { spanOf } from '../../base/time/calendar.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import { createChargeReader, onlyCurrency } from './charges.ts'
import { revenueFigures } from './contract.ts'
import { firstPayments } from './first-payments.ts'

/** The users with a payment, or with their first payment ever. */
export const payers = countedBy(revenueFigures, {
  toQuery(params, { series, day, group = null }, { today, revenueRules: rules }) {
    const { filters, currency = '', group_by: grouped } = params
    const { from, to } = onDay(resolvePeriod(params, today), day).period
    const groupBy = grouped.map(({ property }) => property)
    return { rules, filters, currency, isFirst: series === 'new_payers', groupBy, group, from, to }
  },
  *find(columns, query) {
    const { rules, filters, currency, isFirst, groupBy, group } = query
    const span = spanOf(columns.calendar, query)
    const firsts = isFirst ? yield* firstPayments(columns, query) : null
    const grouping = group && groupingByText(columns, groupBy, closedDictionary([group]))
    const reader = createChargeReader({ columns, rules, filters, grouping, ordinalOf: onlyCurrency(currency) })
    const found = new Uint8Array(columns.userCount)
    const pace = createPace()
    for (const slice of columns.slicesOf(reader.names, span)) {
      yield* reader.prepare(slice)
      const wanted = firsts && new Set(firsts.get(slice.segment.key))
      for (const charges of reader.of(slice)) {
        if (charges.isRefund) continue
        const [users, indexes] = [charges.users(), charges.indexes()]
        for (let at = 0; at < charges.length; at++) {
          if (!wanted || wanted.has(indexes[at] as number)) found[users[at] as number] = 1
        }
      }
      if (pace.isDue(slice.to - slice.from)) yield
    }
    return found
  },
})
