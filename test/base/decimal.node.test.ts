import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  compareDecimals,
  type Decimal,
  decimalOf,
  multiply,
  parseDecimal,
  quotientOf,
  subtract,
  toDouble,
  ZERO,
} from '../../src/base/decimal.ts'
import { holds } from '../support/cases.ts'

const TRIED = { atLeast: 200, atMost: 100_000 }

describe('a text', () => {
  it.each<[string, bigint, number]>([
    ['0', 0n, 0],
    ['-0', 0n, 0],
    ['0.000', 0n, 0],
    ['0e999999999', 0n, 0],
    ['12.5', 125n, 1],
    ['-12.50', -125n, 1],
    ['100', 100n, 0],
    ['1e2', 100n, 0],
    ['1.5E+3', 1500n, 0],
    ['15e-1', 15n, 1],
    ['1200e-2', 12n, 0],
    ['0.000000001', 1n, 9],
    ['9007199254740993', 9007199254740993n, 0],
    [`0.${'0'.repeat(99)}1`, 1n, 100],
    ['1e-100', 1n, 100],
    ['1e99', 10n ** 99n, 0],
    [`1${'0'.repeat(99)}.00`, 10n ** 99n, 0],
  ])('%s is a number', (text, digits, scale) => {
    expect(parseDecimal(text)).toEqual({ digits, scale })
  })

  it.each([
    ...[
      '',
      ' ',
      '5 ',
      ' 5',
      '12x',
      '+5',
      '05',
      '.5',
      '5.',
      '1e',
      '1e+',
      '--1',
      '0x10',
      '1_000',
      '1,5',
      'NaN',
      'Infinity',
    ],
    ...['null', 'true', '[1]', '"5"', '5\n', '١'],
  ])('%j is no number', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  it.each([
    '1e100',
    '1e999999999',
    '-1e999999999',
    `1e${'9'.repeat(400)}`,
    '1e-101',
    '1e-999999999',
    `1e-${'9'.repeat(400)}`,
  ])('%s has too many digits', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  it('is read quickly, however long it is', () => {
    const before = performance.now()
    expect(parseDecimal(`${'0'.repeat(3)}1`)).toBeNull()
    expect(parseDecimal(`1${'0'.repeat(1_000_000)}`)).toBeNull()
    expect(parseDecimal(`0.${'0'.repeat(1_000_000)}`)).toEqual(ZERO)
    expect(parseDecimal(`0.${'9'.repeat(1_000_000)}`)).toBeNull()
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

/** With up to 60 digits, of which up to 40 stand after the point. */
const anyDecimal = fc
  .record({
    digits: fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }),
    few: fc.bigInt({ min: -999n, max: 999n }),
    scale: fc.nat(40),
    isFew: fc.boolean(),
  })
  .map(({ digits, few, scale, isFew }) => decimalOf(isFew ? few : digits, scale))

/** The number as a fraction of whole numbers. */
function fractionOf({ digits, scale }: Decimal): [bigint, bigint] {
  return [digits, 10n ** BigInt(scale)]
}

/** A double as a fraction of whole numbers. */
function exactly(double: number): [bigint, bigint] {
  let [size, power] = [double, 0]
  while (!Number.isInteger(size)) {
    size *= 2
    power += 1
  }
  return [BigInt(size), 2n ** BigInt(power)]
}

function distance([a, b]: [bigint, bigint], [c, d]: [bigint, bigint]): [bigint, bigint] {
  const difference = a * d - c * b
  return [difference < 0n ? -difference : difference, b * d]
}

function isAtMost([a, b]: [bigint, bigint], [c, d]: [bigint, bigint]): boolean {
  return a * d <= c * b
}

/** The doubles beside one. */
function neighboursOf(double: number): [number, number] {
  const view = new DataView(new ArrayBuffer(8))
  const next = (by: bigint) => {
    view.setFloat64(0, double)
    view.setBigInt64(0, view.getBigInt64(0) + by)
    return view.getFloat64(0)
  }
  return [next(-1n), next(1n)]
}

function isEven(double: number): boolean {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, double)
  return (view.getBigInt64(0) & 1n) === 0n
}

function expectNearest(double: number, exact: [bigint, bigint]): void {
  if (exact[0] === 0n) {
    expect(double).toBe(0)
    return
  }
  const off = distance(exactly(double), exact)
  for (const other of neighboursOf(double)) {
    const otherOff = distance(exactly(other), exact)
    expect(isAtMost(off, otherOff)).toBe(true)
    if (isAtMost(otherOff, off)) expect(isEven(double)).toBe(true)
  }
}

describe('numbers', () => {
  it('add up exactly, in any order', async () => {
    const texts = ['0.1', '0.2', '-0.3', '1e21', '0.000000001', '-1e21']
    expect(texts.map((text) => parseDecimal(text) as Decimal).reduce(add, ZERO)).toEqual({ digits: 1n, scale: 9 })
    await holds(
      fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
        expect(add(add(a, b), c)).toEqual(add(a, add(b, c)))
        expect(subtract(add(a, b), b)).toEqual(a)
        const [[p, q], [r, s]] = [fractionOf(a), fractionOf(b)]
        const [sum, whole] = fractionOf(add(a, b))
        expect(sum * q * s).toBe((p * s + r * q) * whole)
        const [product, unit] = fractionOf(multiply(a, b))
        expect(product * q * s).toBe(p * r * unit)
      }),
      TRIED,
    )
  })

  it('have an order', async () => {
    await holds(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const [[p, q], [r, s]] = [fractionOf(a), fractionOf(b)]
        expect(compareDecimals(a, b)).toBe(Number(p * s > r * q) - Number(p * s < r * q))
        expect(compareDecimals(a, decimalOf(a.digits * 10n, a.scale + 1))).toBe(0)
      }),
      TRIED,
    )
  })

  it('become the nearest double', async () => {
    await holds(
      fc.property(anyDecimal, (decimal) => {
        expectNearest(toDouble(decimal), fractionOf(decimal))
        expect(toDouble(decimal)).toBe(Number(`${decimal.digits}e-${decimal.scale}`) + 0)
      }),
      TRIED,
    )
    await holds(
      fc.property(fc.double({ noNaN: true, min: -1e80, max: 1e80 }), (double) => {
        const decimal = parseDecimal(JSON.stringify(double))
        if (decimal) expect(toDouble(decimal)).toBe(double + 0)
        else expect(Math.abs(double)).toBeLessThan(1e-80)
      }),
      TRIED,
    )
  })

  it('become the even one of two doubles that are as near', () => {
    expect(toDouble(decimalOf(2n ** 53n + 1n))).toBe(2 ** 53)
    expect(toDouble(decimalOf(2n ** 53n + 3n))).toBe(2 ** 53 + 4)
    expect(toDouble(add(decimalOf(2n ** 53n + 1n), decimalOf(1n, 60)))).toBe(2 ** 53 + 2)
    expect(toDouble(decimalOf(-(2n ** 53n) - 1n))).toBe(-(2 ** 53))
  })

  it('divide to the nearest double', async () => {
    expect(quotientOf(decimalOf(3n, 1), decimalOf(3n))).toBe(0.1)
    expect(quotientOf(decimalOf(-1n), decimalOf(3n))).toBe(-1 / 3)
    expect(quotientOf(ZERO, decimalOf(-3n))).toBe(0)
    expect(() => quotientOf(decimalOf(1n), ZERO)).toThrow(RangeError)
    await holds(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        if (b.digits === 0n) return
        const [[p, q], [r, s]] = [fractionOf(a), fractionOf(b)]
        expectNearest(quotientOf(a, b), [r < 0n ? -p * s : p * s, q * (r < 0n ? -r : r)])
      }),
      TRIED,
    )
  })
})
