import { expect, it } from 'vitest'
import { OUTSIDE_INTERVALS, timetableOf } from '../../../src/questions/retention/query.ts'

it('days outside of all cohorts, and users without a day, are in no cohort', () => {
  const { intervalOf } = timetableOf([10, 17, 24])
  expect([10, 16, 17, 23].map(intervalOf)).toEqual([0, 0, 1, 1])
  const noDay = new Int32Array(0)[0] as number
  expect([9, 24, -5, noDay].map(intervalOf)).toEqual([9, 24, -5, noDay].map(() => OUTSIDE_INTERVALS))
  expect([12, 18].map(timetableOf([10, 17, 24], { first: 1, last: 1 }).intervalOf)).toEqual([OUTSIDE_INTERVALS, 1])
})
