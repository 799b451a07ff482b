import { expect, it } from 'vitest'
import { identify, type Source } from '../../src/collection/identity.ts'

function keyOf(source: Source): number {
  return identify(source, { arrivalTimed: false }).key
}

function keyOfContent(json: string): number {
  return keyOf({ kind: 'content', content: JSON.parse(json) })
}

it.each([
  ['{"a":1,"b":{"c":[1,2],"d":null}}', '{ "b": {"d":null, "c":[1, 2]}, "a":1.0 }'],
  ['[{"a":1,"b":2}]', '[{"b":2,"a":1}]'],
  ['{"a":"\\u0062"}', '{"a":"b"}'],
])('knows %s again as %s', (one, other) => {
  expect(keyOfContent(one)).toBe(keyOfContent(other))
})

it.each([
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', '{}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"__proto__":{"a":1}}', '{}'],
])('tells %s from %s', (one, other) => {
  expect(keyOfContent(one)).not.toBe(keyOfContent(other))
})

it('tells the kinds of source apart, even where they read the same', () => {
  const sources: Source[] = [
    { kind: 'event-id', eventId: '"x"' },
    { kind: 'content', content: 'x' },
    { kind: 'sealed', opened: Buffer.from('"x"') },
  ]
  expect(new Set(sources.map(keyOf)).size).toBe(3)
})

it('gives keys that a double holds exactly', () => {
  const keys = Array.from({ length: 1000 }, (_, place) => keyOf({ kind: 'event-id', eventId: `id-${place}` }))
  expect(keys.filter((key) => !Number.isInteger(key) || key < 0 || key >= 2 ** 47)).toEqual([])
  expect(new Set(keys).size).toBe(1000)
})

it('gives an id to events that name or time do not tell', () => {
  const content: Source = { kind: 'content', content: {} }
  const eventId: Source = { kind: 'event-id', eventId: 'order-1' }
  expect(identify(content, { arrivalTimed: false }).id).toBeNull()
  expect(identify(content, { arrivalTimed: true }).id).toMatch(/^[0-9a-f]{32}$/)
  expect(identify(eventId, { arrivalTimed: false })).toEqual(identify(eventId, { arrivalTimed: true }))
})
