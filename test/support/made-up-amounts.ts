import fc from 'fast-check'
import { askPeriod, toPath } from './asking.ts'
import { type Json, type MadeHistory, madeHistory } from './event-history.ts'
import { type Asked, type AskedHistory, askedHistories, commonOf, nameOf } from './made-up-questions.ts'
import { MEASURES, type MeasureQuestion } from './measure-oracle.ts'

const STRANGE: readonly Json[] = [
  ...[
    '',
    ' ',
    ' 5',
    '5 ',
    '12x',
    '12,5',
    '+5',
    '05',
    '.5',
    '5.',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    'null',
    '(none)',
    '١٢',
  ],
  ...['1e999999999', '-1e999999999', '1e-999999999', '1e100', '1e-101', `0.${'3'.repeat(101)}`, '9'.repeat(101)],
  ...[true, false, [], [5], ['5'], {}, { amount: 5 }, null, 1.5e300, 2.5e-120, -1e100],
]

const NUMERIC: readonly Json[] = [
  ...[0, 5, 5.5, -3, 0.1, 0.2, 0.3, 250, 1e21, 1e-7, 1.5e99, 2.5e-90, 123456789.1234567, -0.000000001, 2 ** 53],
  ...['0', '-0', '0.0', '5', '5.0', '5e0', '50e-1', '12.5', '-12.50', '1E+2', '1e2', '0e999999999', '9007199254740993'],
  ...[
    '0.1',
    '0.2',
    '0.30000000000000004',
    '0.3',
    '0.123456789',
    '-0.000000001',
    '99999999999.999999999',
    '1e99',
    '1e-100',
  ],
]

const nineDecimals = fc
  .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.nat(999_999_999))
  .map(([whole, rest]): Json => `${whole}.${String(rest).padStart(9, '0')}`)

/** Amounts so close that they become the same double, or one of two. */
const close = fc.bigInt({ min: -30n, max: 30n }).map((last): Json => `1.${10n ** 24n + last}`)

const amount: fc.Arbitrary<Json | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NUMERIC) },
  { weight: 3, arbitrary: fc.constantFrom<Json | undefined>(...STRANGE, undefined) },
  { weight: 2, arbitrary: fc.integer({ min: -50, max: 50 }) },
  { weight: 2, arbitrary: nineDecimals },
  { weight: 1, arbitrary: close },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String) },
)

/** The parameter that most questions measure. */
export const AMOUNT = 'amount'

/** Histories whose events have amounts, now and then only numbers that are close to each other. */
export const historyWithAmounts: fc.Arbitrary<MadeHistory> = madeHistory.chain((history) => {
  const { length } = history.events
  const anyAmounts = fc.array(amount, { minLength: length, maxLength: length })
  const closeAmounts = fc.array(close, { minLength: length, maxLength: length })
  return fc.oneof({ weight: 5, arbitrary: anyAmounts }, { weight: 1, arbitrary: closeAmounts }).map((amounts) => ({
    ...history,
    events: history.events.map((event, place) => {
      const value = amounts[place]
      return value === undefined ? event : { ...event, params: { ...event.params, [AMOUNT]: value } }
    }),
    paramNames: [...history.paramNames, AMOUNT],
  }))
})

export function askedMeasures({
  questions,
}: {
  readonly questions: number
}): fc.Arbitrary<AskedHistory<MeasureQuestion>> {
  return askedHistories(historyWithAmounts, measureOf, questions)
}

function measureOf(history: MadeHistory): fc.Arbitrary<Asked<MeasureQuestion>> {
  const event = fc.oneof({ weight: 3, arbitrary: nameOf(history) }, { weight: 2, arbitrary: fc.constant('_active') })
  const of = fc.oneof(
    { weight: 6, arbitrary: fc.constant(AMOUNT) },
    { weight: 1, arbitrary: fc.constantFrom(...history.paramNames.filter((name) => name !== ''), 'never') },
  )
  return fc.tuple(commonOf(history), event, fc.constantFrom(...MEASURES), of).map(([common, event, mode, name]) => {
    const question = { ...common, event, mode, of: `params.${name}` }
    return { question, path: measurePath(question) }
  })
}

export function measurePath({ event, mode, of, filters, groupBy, from, to }: MeasureQuestion): string {
  return toPath('/events/segmentation', [
    ['event', event],
    ['mode', mode],
    ['of', of],
    ...askPeriod({ from, to }),
    ...(filters.length > 0 ? [['filters', JSON.stringify(filters)] as const] : []),
    ...(groupBy.length > 0 ? [['group_by', JSON.stringify(groupBy)] as const] : []),
  ])
}
