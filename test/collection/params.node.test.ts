import { expect, it } from 'vitest'
import { toParams as prune, toShallow } from '../../src/collection/params.ts'

function toParams(value: unknown) {
  return prune(value).json
}

it.each([[null], [undefined], ['text'], [5], [[1, 2]], [{}]])('finds no parameters in %j', (value) => {
  expect(toParams(value)).toBeNull()
})

it.each([
  [{ amount: 250.5, item: 'lemon', tags: ['a', null, true], nested: { deep: [] } }],
  [{ '': 1, 'a.b': 2, '"': '\\' }],
  [JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')],
])('keeps %j as it is', (value) => {
  expect(toParams(value)).toBe(JSON.stringify(value))
})

it('replaces what a database cannot hold', () => {
  expect(toParams({ 'a\0': '\0b', c: '\ud83c' })).toBe('{"a\ufffd":"\ufffdb","c":"\ufffd"}')
})

it('cuts long texts and keys', () => {
  expect(toParams({ a: ['🍋'.repeat(1025)] })).toBe(JSON.stringify({ a: ['🍋'.repeat(1024)] }))
  expect(toParams({ ['k'.repeat(256)]: 1 })).toBe(JSON.stringify({ ['k'.repeat(255)]: 1 }))
})

it('keeps the properties that fit into 16 KiB, those after a large one too', () => {
  const exact = { a: numbers(8185), b: 11 }
  expect(Buffer.byteLength(JSON.stringify(exact))).toBe(16_384)
  expect(toParams(exact)).toBe(JSON.stringify(exact))
  expect(toParams({ ...exact, b: 111 })).toBe(JSON.stringify({ a: exact.a }))
  expect(prune({ big: numbers(10_000), small: 1 })).toEqual({
    json: '{"small":1}',
    leftOut: [{ loc: ['big'], msg: "Left out: at most 16384 bytes of JSON are kept of an event's parameters" }],
  })
  expect(toParams({ big: numbers(10_000) })).toBeNull()
})

/** JSON of twice as many bytes and one more. */
function numbers(count: number): number[] {
  return Array(count).fill(1)
}

it('says what it cuts, and how', () => {
  const long = 'x'.repeat(1025)
  expect(prune({ a: 'x'.repeat(1024), b: { c: [1, '🍋'.repeat(1024)] } }).leftOut).toEqual([])
  expect(prune({ a: { b: [1, long] }, ['k'.repeat(256)]: { c: JSON.parse('['.repeat(15) + ']'.repeat(15)) } })).toEqual(
    {
      json: expect.any(String),
      leftOut: [
        { loc: ['a', 'b', 1], msg: 'Cut: of a text 1024 characters are kept' },
        { loc: ['k'.repeat(255)], msg: "Cut: of a property's name 255 characters are kept" },
        { loc: ['k'.repeat(255), 'c', ...Array(14).fill(0)], msg: 'Left out: parameters are kept 16 levels deep' },
      ],
    },
  )
})

it('keeps 16 levels', () => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(toParams(nested(16))).toBe(JSON.stringify(nested(16)))
  const deep = `{"deep":${'{"a":'.repeat(15)}null${'}'.repeat(15)},"last":2}`
  expect(toParams({ deep: nested(16), last: 2 })).toBe(deep)
})

it('says so a hundred times at most', () => {
  expect(prune({ a: Array(200).fill('x'.repeat(1025)), b: 1 }).leftOut).toHaveLength(1)
  expect(prune({ a: Array(200).fill(JSON.parse('['.repeat(16) + ']'.repeat(16))) }).leftOut).toHaveLength(100)
})

it('cuts what is nested too deeply, and leaves everything else as it is', () => {
  const flat = { a: [[1], 'b', null] }
  expect(toShallow(flat, 3)).toBe(flat)
  expect(toShallow(flat, 2)).toEqual({ a: [null, 'b', null] })
  expect(toShallow(1, 0)).toBe(1)
})
