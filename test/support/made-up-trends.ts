import fc from 'fast-check'
import { askPeriod, type Parameter, toPath } from './asking.ts'
import { type MadeHistory, madeHistory } from './event-history.ts'
import { AMOUNT, historyWithAmounts } from './made-up-amounts.ts'
import {
  type Asked,
  type AskedHistory,
  askedHistories,
  filtersOf,
  nameOf,
  periodOf,
  propertyOf,
} from './made-up-questions.ts'
import { MEASURES } from './measure-oracle.ts'
import { MODES } from './segmentation-oracle.ts'
import type { FormulaTree, TrendQuestion, TrendSeriesAsked } from './trends-oracle.ts'
import { madeVisits } from './visits.ts'

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(madeVisits, madeHistory, historyWithAmounts)

export function askedTrends(questions: number, of = histories): fc.Arbitrary<AskedHistory<TrendQuestion>> {
  return askedHistories(of, (history) => trendOf(history).map(askTrend), questions)
}

/** Days that periods have. */
const LENGTHS = { hour: [1, 2, 3], day: [1, 2, 9], week: [1, 7, 8, 30], month: [1, 31, 32, 80] }

function trendOf(history: MadeHistory): fc.Arbitrary<TrendQuestion> {
  return fc.constantFrom('hour', 'day', 'week', 'month').chain((interval) =>
    fc
      .record({
        period: periodOf(history, LENGTHS[interval]),
        series: fc.array(seriesOf(history), { minLength: 1, maxLength: 3 }),
        trees: fc.array(tree, { maxLength: 2 }),
        compare: fc.constantFrom(undefined, 'previous' as const, '28d' as const),
        firstTime: fc.constantFrom(true, false, false),
        groupBy: fc.array(propertyOf(history), { maxLength: 1 }),
        common: filtersOf(history),
      })
      .map(({ period, series, trees, groupBy, ...others }) => {
        const isGrouped = groupBy.length > 0 && series.length === 1
        const fitting = trees.map((one) => fitted(one, series.length))
        const formulas = isGrouped ? [] : fitting.map((one) => ({ tree: one, text: write(one) }))
        return { ...period, ...others, interval, series, formulas, groupBy: isGrouped ? groupBy : [] }
      }),
  )
}

function seriesOf(history: MadeHistory): fc.Arbitrary<TrendSeriesAsked> {
  const event = fc.oneof({ weight: 3, arbitrary: nameOf(history) }, { weight: 2, arbitrary: fc.constant('_active') })
  const named = history.paramNames.filter((name) => name !== '')
  const measured = fc.constantFrom(AMOUNT, ...named).map((name) => `params.${name}`)
  const counted = fc.constantFrom(...MODES).map((mode) => ({ mode }))
  const amounts = fc.record({ mode: fc.constantFrom(...MEASURES), of: measured })
  return fc
    .tuple(event, fc.oneof({ weight: 3, arbitrary: counted }, { weight: 1, arbitrary: amounts }), filtersOf(history))
    .chain(([event, what, filters]) =>
      fc.constantFrom({}, { name: 'a name' }).map((named) => ({ event, ...what, filters, ...named })),
    )
}

// --- Formulas

const { tree } = fc.letrec<{ tree: FormulaTree }>((again) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.nat(5).map((letter) => ({ letter })),
    fc.constantFrom(0, 1, 2.5, 100).map((number) => ({ number })),
    again('tree').map((negated) => ({ negated })),
    fc.record({
      operator: fc.constantFrom('+', '-', '*', '/'),
      operands: fc.tuple(again('tree'), again('tree')),
    }),
  ),
}))

/** Replaces the letters of a formula, so that it refers to this many series only. */
function fitted(one: FormulaTree, series: number): FormulaTree {
  if ('letter' in one) return { letter: one.letter % series }
  if ('negated' in one) return { negated: fitted(one.negated, series) }
  if ('number' in one) return one
  const [a, b] = one.operands
  return { operator: one.operator, operands: [fitted(a, series), fitted(b, series)] }
}

/** With parentheses only where they are needed. */
function write(one: FormulaTree): string {
  if ('letter' in one) return 'ABCDEF'.charAt(one.letter)
  if ('number' in one) return String(one.number)
  if ('negated' in one) return `-${'operator' in one.negated ? `(${write(one.negated)})` : write(one.negated)}`
  const [a, b] = one.operands
  const isProduct = one.operator === '*' || one.operator === '/'
  const isSum = (part: FormulaTree) => 'operator' in part && (part.operator === '+' || part.operator === '-')
  const left = isProduct && isSum(a) ? `(${write(a)})` : write(a)
  return `${left} ${one.operator}${'operator' in b ? `(${write(b)})` : write(b)}`
}

// --- On the wire

function askTrend(question: TrendQuestion): Asked<TrendQuestion> {
  const { series, formulas, interval, compare, firstTime, groupBy, common, from, to } = question
  const said: (Parameter | null)[] = [
    ['series', JSON.stringify(series)],
    ...formulas.map(({ text }): Parameter => ['formula', text]),
    interval === 'day' ? null : ['interval', interval],
    compare ? ['compare', compare] : null,
    firstTime ? ['first_time', 'true'] : null,
    groupBy.length > 0 ? ['group_by', JSON.stringify(groupBy)] : null,
    common.length > 0 ? ['filters', JSON.stringify(common)] : null,
    ...askPeriod({ from, to }),
  ]
  return {
    question,
    path: toPath(
      '/events/trends',
      said.filter((one) => one !== null),
    ),
  }
}
