import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SegmentSlice } from '../../../src/columns/columns.ts'
import { firstPayments } from '../../../src/questions/revenue/first-payments.ts'
import type { RevenueRule } from '../../../src/storage/revenue-rule.ts'
import { holds } from '../../support/cases.ts'
import { columnsOf } from '../../support/columns.ts'
import type { SentEvent } from '../../support/event-history.ts'
import { runToEnd } from '../../support/parts.ts'

const ruleOf = (event: string, plan: string): RevenueRule => ({
  event,
  filters: [{ prop: 'params.plan', op: 'is', values: [plan] }],
  kind: 'sale',
  amount: 1,
  currency: 'XTR',
  unit: 'major',
})
const everyEvent = (event: string): RevenueRule => ({ ...ruleOf(event, ''), filters: [] })

const rules = fc.constantFrom(
  [everyEvent('Order')],
  [everyEvent('Order'), everyEvent('visit')],
  [ruleOf('Order', 'a'), everyEvent('visit'), ruleOf('Order', 'b')],
)

/** Few users and moments: many pay several times at one instant. */
const payment = fc.record({
  event_type: fc.constantFrom('Order', 'Order', 'visit'),
  telegram_id: fc.integer({ min: 1, max: 3 }),
  datetime: fc.integer({ min: 1, max: 6 }),
  params: fc.record({ plan: fc.constantFrom('a', 'b') }),
})

it('finds the payments before which a user paid nothing', () =>
  holds(
    fc.property(
      fc.array(payment, { minLength: 1, maxLength: 20 }),
      rules,
      fc.integer({ min: 1, max: 6 }),
      (payments, own, eventsPerSegment) => {
        const events = payments.map((one, index) => ({ ...one, event_id: `event ${index}` }) as SentEvent)
        const columns = columnsOf(events, { eventsPerSegment })
        const isPaid = new Set(own.map(({ event }) => event))
        const slices = [...columns.slicesOf([...isPaid], { from: 0, to: 10 })]
        const found = runToEnd(firstPayments(columns, { rules: own }))
        const indexesOf = (keep: (slice: SegmentSlice, index: number) => boolean) =>
          slices.map((slice) => [...slice.segment.times.keys()].filter((index) => keep(slice, index)))
        const isFirst = ({ segment: { users, times } }: SegmentSlice, index: number) =>
          slices.every(({ segment }) =>
            segment.users.every(
              (user, at) => user !== users[index] || (segment.times[at] as number) >= (times[index] as number),
            ),
          )
        expect(slices.map(({ segment }) => [...(found.get(segment.key) ?? [])])).toEqual(indexesOf(isFirst))
      },
    ),
    { atLeast: 100, atMost: 10_000 },
  ))
