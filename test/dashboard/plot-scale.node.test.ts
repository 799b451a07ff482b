import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  extentAt,
  lastFigure,
  marksOf,
  markTexts,
  scaleOf,
  stacked,
  tickText,
  weekendsOf,
} from '../../src/dashboard/browser/plot-scale.ts'
import { holds } from '../support/cases.ts'

const CASES = { atLeast: 20, atMost: 2_000 }
const DAY_MS = 86_400_000
const daysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, day) => new Date((first + day) * DAY_MS).toISOString().slice(0, 10))

const amounts = fc.oneof(fc.integer({ min: -1e6, max: 1e9 }), fc.double({ min: -1e6, max: 1e9, noNaN: true }))

it('has room for every figure between few ticks of equal distance, one of which is 0', async () => {
  await holds(
    fc.property(fc.array(fc.option(amounts), { maxLength: 40 }), (figures) => {
      const { bottom, top, ticks } = scaleOf(figures)
      const known = figures.filter((figure) => figure !== null)
      for (const figure of [0, ...known, ...ticks]) {
        expect(figure).toBeGreaterThanOrEqual(bottom - 1e-9)
        expect(figure).toBeLessThanOrEqual(top)
      }
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThanOrEqual(8)
      expect(ticks).toContain(0)
      const step = (ticks[1] as number) - (ticks[0] as number)
      for (const [place, tick] of ticks.entries()) expect(tick - (ticks[0] as number)).toBeCloseTo(place * step, 5)
      if (known.every(Number.isInteger)) expect(ticks.every(Number.isInteger)).toBe(true)
    }),
    CASES,
  )
})

it('names labels in order, as many as there is room for, and no name twice in a row', async () => {
  const labels = fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 400 }))
  await holds(
    fc.property(labels, fc.integer({ min: 1, max: 30 }), ([first, count], room) => {
      const days = daysFrom(first, count)
      const marks = marksOf(days, room)
      expect(marks[0]).toBe(0)
      expect(marks).toEqual([...marks].sort((a, b) => a - b))
      expect(marks.length).toBeLessThanOrEqual(room)
      const texts = markTexts(days, marks).filter((text) => text !== '')
      expect(new Set(texts).size).toBe(texts.length)
    }),
    CASES,
  )
})

it('finds weekends only where each label is a day', async () => {
  const labels = fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 2, max: 60 }))
  await holds(
    fc.property(labels, ([first, count]) => {
      // Day 0 was a Thursday.
      const expected = Array.from({ length: count }, (_, day) => day).filter((day) =>
        [2, 3].includes((first + day) % 7),
      )
      expect(weekendsOf(daysFrom(first, count))).toEqual(expected)
      expect(weekendsOf(daysFrom(first, count * 7).filter((_, day) => day % 7 === 0))).toEqual([])
    }),
    CASES,
  )
  expect(weekendsOf(['0', '1'])).toEqual([])
})

it('names heights in few characters', () => {
  const texts = [0, 0.05, 250, 2_500, 12_000, 1_500_000, -20_000].map((value) => tickText(value, undefined))
  expect(texts).toEqual(['0', '0.05', '250', '2,500', '12K', '1.5M', '-20K'])
  expect(tickText(40, 'percent')).toBe('40%')
  expect(markTexts(['00:00', '01:00'], [0, 1])).toEqual(['00:00', '01:00'])
})

it('stacks series on one another and below zero, and finds the last figure', () => {
  expect(
    stacked([
      { data: [1, null] },
      { data: [5, 1], isBelow: true },
      { data: [2, 3] },
      { data: [null, 4] },
      { data: [2, null], isBelow: true },
    ]),
  ).toEqual([
    [1, 0],
    [-5, -1],
    [3, 3],
    [3, 7],
    [-7, -1],
  ])
  const heights = [
    [1, -5],
    [3, null],
  ]
  expect([0, 1].map((index) => extentAt(heights, index))).toEqual([
    [0, 3],
    [-5, 0],
  ])
  expect(
    lastFigure([
      [1, null, null],
      [1, 0, null],
    ]),
  ).toBe(1)
  expect(lastFigure([[null]])).toBe(-1)
})
