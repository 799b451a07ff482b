import fc from 'fast-check'
import { askPeriod, type Parameter, toPath } from './asking.ts'
import type { MadeHistory } from './event-history.ts'
import {
  type Asked,
  type AskedHistory,
  askedHistories,
  askFilters,
  filtersOf,
  nameOf,
  periodOf,
  propertyOf,
} from './made-up-questions.ts'
import type { RetentionQuestion } from './retention-oracle.ts'

interface Asking {
  readonly questions: number
  /** When they are asked; some day around the period if it is not said. */
  readonly today?: number
}

export function askedRetentions(
  histories: fc.Arbitrary<MadeHistory>,
  { questions, today }: Asking,
): fc.Arbitrary<AskedHistory<RetentionQuestion>> {
  return askedHistories(histories, (history) => retentionOf(history, today).chain(askRetention), questions)
}

/** Days that periods have, by the length of their intervals. */
const LENGTHS = { day: [1, 2, 3, 7, 30, 40], week: [1, 2, 7, 8, 30, 90], month: [1, 2, 31, 62, 90, 400] }

function retentionOf(history: MadeHistory, now: number | undefined): fc.Arbitrary<RetentionQuestion> {
  return fc.constantFrom('day', 'week', 'month').chain((interval) =>
    periodOf(history, LENGTHS[interval]).chain((period) => {
      const today =
        now === undefined
          ? fc.constantFrom(period.to + 400, period.to, period.to - 1, period.from, period.from - 1)
          : fc.constant(now)
      return fc.record({
        from: fc.constant(period.from),
        to: fc.constant(period.to),
        interval: fc.constant(interval),
        mode: fc.constantFrom('n', 'unbounded'),
        startEvent: fc.oneof(fc.constant('_active'), nameOf(history)),
        returnEvent: fc.oneof(fc.constant('_active'), nameOf(history)),
        filters: filtersOf(history),
        groupBy: fc.array(propertyOf(history), { maxLength: 1 }),
        today,
      })
    }),
  )
}

function askRetention(question: RetentionQuestion): fc.Arbitrary<Asked<RetentionQuestion>> {
  const { from, to, interval, mode, startEvent, returnEvent, filters, groupBy } = question
  return fc.tuple(askFilters(filters), fc.boolean()).map(([asked, isSaid]) => {
    const said: Parameter[] = [
      ['interval', interval],
      ['mode', mode],
      ['start_event', startEvent],
      ['return_event', returnEvent],
    ]
    const needed = said.filter(([, value]) => isSaid || !DEFAULTS.has(value))
    const grouped: Parameter[] = groupBy.length > 0 ? [['group_by', JSON.stringify(groupBy)]] : []
    const period = askPeriod({ from, to })
    return { question, path: toPath('/retention', [...period, ...needed, ...asked, ...grouped]) }
  })
}

const DEFAULTS = new Set(['day', 'n', '_active'])
