import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalOf, parseDecimal } from '../../../src/base/decimal.ts'
import { decimalAt, NOT_NUMERIC, NUMBER, numbersOf, type ParamNumbers } from '../../../src/columns/selection/numbers.ts'
import { ExactSums } from '../../../src/questions/event-segments/exact-sums.ts'
import { columnsOf } from '../../support/columns.ts'

function numbersIn(values: readonly (string | number)[]): ParamNumbers {
  const events = values.map((amount, index) => ({
    event_id: `event ${index}`,
    event_type: 'paid',
    telegram_id: 1,
    datetime: index,
    params: { amount },
  }))
  const columns = columnsOf(events, { eventsPerSegment: values.length })
  const [slice] = [...columns.slicesOf('paid', { from: 0, to: values.length })]
  return numbersOf(slice?.segment as NonNullable<typeof slice>['segment'], 'amount') as ParamNumbers
}

const digits = fc.stringMatching(/^-?\d{0,12}\.?\d{0,12}$/)
const value = fc.oneof(
  digits,
  fc.stringMatching(/^-?\d{1,20}e-?\d{1,2}$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
)

/** Most of these lists have numbers of nine digits at most. */
const short = fc.stringMatching(/^-?[1-9]?\d\.\d{1,5}$/)
const list = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 20 }),
  fc.array(short, { minLength: 1, maxLength: 20 }),
)

it('knows whether a value is a number, and exactly which one', () => {
  fc.assert(
    fc.property(list, (values) => {
      const numbers = numbersIn(values)
      for (const [event, one] of values.entries()) {
        const code = numbers.codes[event] as number
        if (code === 0 || one === '(none)') continue
        const expected = parseDecimal(String(one))
        expect(numbers.kinds[code], String(one)).toBe(expected ? NUMBER : NOT_NUMERIC)
        if (!expected) continue
        expect(decimalAt(numbers, code)).toEqual(expected)
        expect(numbers.near[code]).toBe(Number(one) + 0)
      }
    }),
  )
})

it('adds up exactly, even more events than doubles can hold exactly', () => {
  const numbers = numbersIn(['-999999999.999999999'])
  const [length, times] = [65_536, 200]
  const sums = new ExactSums()
  const rows = { users: new Uint32Array(length), groups: null, from: 0, to: length, indexes: new Uint32Array(length) }
  for (let time = 0; time < times; time++) sums.add(rows, numbers, { firstCells: [0, 1], groups: 1 })
  const expected = decimalOf(BigInt(length * times) * -999_999_999_999_999_999n, 9)
  expect(sums.sumOf(0)).toEqual(expected)
  expect(sums.sumOf(1)).toEqual(expected)
})
