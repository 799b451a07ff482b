import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonFault } from '../../src/base/json-fault.ts'
import { holds } from '../support/cases.ts'

function faultOf(text: string) {
  try {
    JSON.parse(text)
  } catch (error) {
    return jsonFault(text, error)
  }
  throw new Error(`${text} is JSON`)
}

const LONG = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index })))

it.each([
  ['', 0, 1, 1],
  ['{', 1, 1, 2],
  ['{x', 1, 1, 2],
  ['country', 0, 1, 1],
  ['undefined', 0, 1, 1],
  ['[1,]', 3, 1, 4],
  ['{"a":}', 5, 1, 6],
  ['{"a":1}{', 7, 1, 8],
  ['["a', 3, 1, 4],
  ['{\n  "a": 1,\n  "b": tru,\n}', 22, 3, 11],
  [`${LONG.slice(0, -1)},]`, LONG.length, 1, LONG.length + 1],
])('%.40s is no JSON from character %i on', (text, position, line, column) => {
  expect(faultOf(text)).toEqual({
    type: 'json_invalid',
    position,
    msg: `JSON decode error at line ${line}, column ${column}`,
  })
})

it('names no position that would take long to find out', () => {
  const broken = `${'1,'.repeat(20)}],${'1,'.repeat(20)}`
  const text = `["${broken}", ${'1,'.repeat(40_000)}${broken}1]`
  expect(faultOf(text)).toEqual({ type: 'json_invalid', position: null, msg: 'JSON decode error' })
})

it('finds the first character that is wrong, at any position', async () => {
  const property = fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, seed) => {
    const position = seed % (json.length + 1)
    expect(faultOf(`${json.slice(0, position)}\u0001${json.slice(position)}`).position).toBe(position)
  })
  await holds(property, { atLeast: 100, atMost: 100_000 })
})
