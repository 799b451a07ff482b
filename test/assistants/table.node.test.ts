import { expect, it } from 'vitest'
import { toTables } from '../../src/assistants/table.ts'
import answers from '../../src/http/reference/answers.json'

const series = (name: string, data: unknown[], headline: number) => ({
  name,
  data,
  key_value: headline,
  length: data.length,
})

it('series are columns, with the headline figures below', () => {
  const answer = {
    xValues: { name: 'date', data: ['2026-11-20', '2026-11-21'] },
    yValues: [series('Order|paid', [3, 4.5], 7), series('none', [null, 0], 0)],
    time_zone: 'UTC',
    status_code: 200,
    message: 'Success',
  }
  expect(toTables(answer).split('\n')).toEqual([
    '| date | Order\\|paid | none |',
    '| --- | --- | --- |',
    '| 2026-11-20 | 3 |  |',
    '| 2026-11-21 | 4.5 | 0 |',
    '| key_value | 7 | 0 |',
    'time_zone: UTC',
  ])
})

it('items are rows, other fields are lines, and the last row of long series stays', () => {
  const answer = {
    data: [
      { name: 'a\nb', users: 1 },
      { name: 'c', extra: { x: [1] } },
    ],
    total: 2,
    names: ['x', 'y'],
    none: [],
  }
  expect(toTables(answer).split('\n')).toEqual([
    'data:',
    '| name | users | extra |',
    '| --- | --- | --- |',
    '| a b | 1 |  |',
    '| c |  | {"x":[1]} |',
    'total: 2',
    'names: x, y',
    'none: (none)',
  ])
  const days = Array.from({ length: 90 }, (_, day) => `day ${day}`)
  const lines = toTables({ xValues: { name: 'date', data: days }, yValues: [series('users', days, 5)] }).split('\n')
  expect(lines.slice(-3)).toEqual(['| day 30 | day 30 |', '| key_value | 5 |', '(and 59 more rows)'])
})

it('tables of figures have a line for each row, and an item alone is no table', () => {
  const answer = {
    data: [{ total: 5, cohorts: { '2026-11-02': 3 }, matrix: [['100.00', '2.50'], ['1']], means: [20 / 3] }],
  }
  expect(toTables(answer).split('\n')).toEqual([
    'data.total: 5',
    'data.cohorts.2026-11-02: 3',
    'data.matrix:',
    '100.00, 2.50',
    '1',
    'data.means: 6.66667',
  ])
  const figures = [0, -1.5, 1 / 3, 123_456_789.5, 2 ** 53, 1e300, 0.0000012345678]
  expect(toTables(figures)).toBe('0, -1.5, 0.333333, 123456790, 9007199254740992, 1e+300, 0.00000123457')
})

it('every answer is short', () => {
  for (const [name, answer] of Object.entries(answers)) expect(toTables(answer).length, name).toBeLessThan(6_100)
  const many = Array.from({ length: 5_000 }, (_, index) => ({ name: 'x'.repeat(500), index }))
  expect(toTables({ data: many, others: many.map(({ name }) => name) }).length).toBeLessThan(6_100)
  expect(toTables(many.map(({ index }) => index)).length).toBeLessThan(300)
})
