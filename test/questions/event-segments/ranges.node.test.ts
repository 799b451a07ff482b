import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ParamNumbers } from '../../../src/columns/selection/numbers.ts'
import type { Limits } from '../../../src/questions/engine/by-rank.ts'
import { Histogram } from '../../../src/questions/event-segments/histogram.ts'
import { type NumericValue, RangesOfCells } from '../../../src/questions/event-segments/value-ranges.ts'
import { ValuesWithin } from '../../../src/questions/event-segments/values-within.ts'
import { holds } from '../../support/cases.ts'

const CELLS = 5
const number = fc.integer({ min: -10, max: 20 })

/** Events of a segment: the codes of numbers and the cells of each. */
const segment = fc.uniqueArray(number, { minLength: 1, maxLength: 10 }).chain((values) =>
  fc.record({
    values: fc.constant(values.toSorted((a, b) => a - b)),
    events: fc.array(fc.record({ code: fc.nat(values.length), cell: fc.nat(CELLS - 1) }), {
      minLength: 1,
      maxLength: 30,
    }),
  }),
)
const limits = fc.option(fc.tuple(number, fc.nat(10)).map(([from, width]) => limitsOf(from, from + width)))

function limitsOf(least: number, most: number): Limits<NumericValue> {
  return { least: { near: least, exact: null }, most: { near: most, exact: null } }
}

function numbersOf(values: readonly number[], codes: readonly number[]): ParamNumbers {
  const near = Float64Array.of(Number.NaN, ...values)
  const kinds = Uint8Array.from(near, (_, code) => Number(code > 0))
  const common = { kinds, near, groupsOfNine: new Map(), isInexact: false, isComplete: !codes.includes(0) }
  return { ...common, codes: Uint16Array.from(codes), count: values.length }
}

it('finds numbers within limits, and ranges that contain as many numbers as reported', () =>
  holds(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      fc.array(limits, { minLength: CELLS, maxLength: CELLS }),
      fc.record({
        room: fc.integer({ min: 16, max: 200 }),
        max: fc.integer({ min: 4, max: 12 }),
        isGrouped: fc.boolean(),
      }),
      (segments, allLimits, { room, max, isGrouped }) => {
        const [histogram, found] = [new Histogram(room), new RangesOfCells(1_000)]
        const within = new ValuesWithin(allLimits, found)
        const numbersOfCells = Array.from({ length: CELLS }, (): number[] => [])
        for (const { values, events } of segments) {
          const numbers = numbersOf(
            values,
            events.map(({ code }) => code),
          )
          const groups = isGrouped ? Uint32Array.from(events, ({ cell }) => cell) : null
          const rows = { users: new Uint32Array(0), groups, from: 0, to: events.length, indexes: null }
          const cells = isGrouped ? { firstCells: [0], groups: CELLS } : { firstCells: [1, 3], groups: 1 }
          histogram.add(rows, numbers, cells)
          within.add(rows, numbers, cells)
          for (const { code, cell } of events) {
            if (code > 0)
              for (const own of isGrouped ? [cell] : [1, 3]) numbersOfCells[own]?.push(values[code - 1] as number)
          }
        }
        histogram.addUp()
        for (const [cell, own] of numbersOfCells.entries()) {
          own.sort((a, b) => a - b)
          const { ends, counts } = histogram.rangesOf(cell, max)
          let from = 0
          for (const [index, count] of counts.entries()) {
            expect(
              [own[from], own[from + count - 1]].every((one) => isIn(one, ends[2 * index], ends[2 * index + 1])),
            ).toBe(true)
            from += count
          }
          expect(from).toBe(own.length)
          const [least, most] = [allLimits[cell]?.least.near, allLimits[cell]?.most.near]
          expect(found.of(cell).flatMap((range) => new Array(range.count).fill(range.least.near))).toEqual(
            own.filter((one) => isIn(one, least, most)),
          )
          if (least !== undefined) expect(within.belowOf(cell)).toBe(own.filter((one) => one < least).length)
        }
      },
    ),
    { atLeast: 200, atMost: 5_000 },
  ))

function isIn(one: number | undefined, least = Number.NaN, most = Number.NaN): boolean {
  return one !== undefined && one >= least && one <= most
}
