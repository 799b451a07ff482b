import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  count,
  counts,
  greatest,
  groups,
  keyed,
  least,
  list,
  money,
  onlyOfOne,
  orTooMuch,
  record,
  same,
  together,
} from '../../../src/questions/engine/totals.ts'

const described = record({
  values: same<readonly string[]>(),
  users: count,
  days: list(count),
  cells: counts,
  net: money,
  first: least,
  last: greatest,
})

const part = fc.record({
  values: fc.constant(['DE']),
  users: fc.nat(1_000),
  days: fc.array(fc.nat(1_000), { minLength: 3, maxLength: 3 }),
  cells: fc.array(fc.nat(1_000), { minLength: 2, maxLength: 2 }).map((all) => Uint32Array.from(all)),
  net: fc.record({ digits: fc.bigInt({ min: -1_000n, max: 1_000n }), scale: fc.constant(2) }),
  first: fc.nat(1_000),
  last: fc.nat(1_000),
})

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

it('adds up each field of a record as described, in any number of parts', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const all = together(described)(parts)
      expect(all.values).toEqual(['DE'])
      expect(all.users).toBe(sum(parts.map(({ users }) => users)))
      expect(all.days).toEqual([0, 1, 2].map((day) => sum(parts.map(({ days }) => days[day] as number))))
      expect([...all.cells]).toEqual([0, 1].map((cell) => sum(parts.map(({ cells }) => cells[cell] as number))))
      const cents = (net: { digits: bigint; scale: number }) => net.digits * 10n ** BigInt(2 - net.scale)
      expect(cents(all.net)).toBe(parts.reduce((digits, { net }) => digits + net.digits, 0n))
      expect(all.first).toBe(Math.min(...parts.map(({ first }) => first)))
      expect(all.last).toBe(Math.max(...parts.map(({ last }) => last)))
    }),
  )
})

it('adds up groups with equal values, in any position', () => {
  const total = together(groups(record({ values: same<readonly string[]>(), users: count })))
  const [german, both] = [
    { values: ['DE'], users: 2 },
    { values: ['DE', 'de'], users: 1 },
  ]
  expect(total([[german, both], [], [both, { values: ['"DE"'], users: 4 }, german]])).toEqual([
    { values: ['DE'], users: 4 },
    { values: ['DE', 'de'], users: 2 },
    { values: ['"DE"'], users: 4 },
  ])
})

it('keeps items apart whose keys are names of JavaScript object properties', () => {
  const total = together(keyed(({ name }: { name: string }) => name, record({ name: same<string>(), users: count })))
  const items = ['__proto__', 'constructor', ''].map((name) => ({ name, users: 1 }))
  expect(total([items, items])).toEqual(items.map((item) => ({ ...item, users: 2 })))
})

it('is null if one object has too much to answer, and for a median of several objects', () => {
  const total = together(orTooMuch(list(count)))
  expect([total([[1], [2]]), total([[1], null]), total([null])]).toEqual([[3], null, null])
  const median = together(onlyOfOne<number>())
  expect([median([7]), median([7, 7])]).toEqual([7, null])
})
