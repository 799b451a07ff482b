import { expect, it } from 'vitest'
import { type IdentitySource, identify, memberOf } from '../../src/collection/identity.ts'

function keyOf(source: IdentitySource): number {
  return identify(source, { scope: 'full', isTimeAssigned: false }).key
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
])('distinguishes %s from %s', (one, other) => {
  expect(keyOfContent(one)).not.toBe(keyOfContent(other))
})

it('distinguishes the kinds of source, even if they read the same', () => {
  const sources: IdentitySource[] = [
    { kind: 'event-id', eventId: '"x"', telegramId: 5 },
    { kind: 'content', content: 'x' },
    { kind: 'sealed', opened: Buffer.from('"x"') },
  ]
  expect(new Set(sources.map(keyOf)).size).toBe(3)
})

it('gives keys that a double holds exactly', () => {
  const keys = Array.from({ length: 1000 }, (_, place) =>
    keyOf({ kind: 'event-id', eventId: `id-${place}`, telegramId: 5 }),
  )
  expect(keys.filter((key) => !Number.isInteger(key) || key < 0 || key >= 2 ** 47)).toEqual([])
  expect(new Set(keys).size).toBe(1000)
})

it('gives an id to events that name and time do not identify, and stores it only if it must', () => {
  const content: IdentitySource = { kind: 'content', content: {} }
  const sealed: IdentitySource = { kind: 'sealed', opened: Buffer.from('x') }
  const eventId: IdentitySource = { kind: 'event-id', eventId: 'order-1', telegramId: 5 }
  expect(identify(content, { scope: 'full', isTimeAssigned: false })).toMatchObject({ id: null, claimsId: false })
  const [arrived, timed] = [true, false].map((isTimeAssigned) => identify(sealed, { scope: 'full', isTimeAssigned }))
  expect(arrived).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), claimsId: true })
  expect(timed).toEqual({ ...arrived, claimsId: false })
  expect(identify(eventId, { scope: 'full', isTimeAssigned: false })).toMatchObject({ claimsId: true })
})

it('keeps event ids apart that are no well-formed text', () => {
  const ids = ['a\ud800', 'a\ud801', 'a\ufffd'].map(
    (eventId) => identify({ kind: 'event-id', eventId, telegramId: 5 }, { scope: 'full', isTimeAssigned: false }).id,
  )
  expect(new Set(ids).size).toBe(3)
})

it('distinguishes users and scopes of keys, and recognizes ids that were stored before an event_id belonged to a user', () => {
  const source: IdentitySource = { kind: 'event-id', eventId: 'order-1', telegramId: 5 }
  const [full, client] = (['full', 'client'] as const).map((scope) =>
    identify(source, { scope, isTimeAssigned: false }),
  )
  expect(client?.id).not.toBe(full?.id)
  expect(client?.key).not.toBe(full?.key)
  expect(full?.formerId).toBe('f8b5fbed5a968219d0cdd3e26ee654b2')
  const other = identify({ ...source, telegramId: 6 }, { scope: 'full', isTimeAssigned: false })
  expect(other.id).not.toBe(full?.id)
  expect(other.key).not.toBe(full?.key)
  expect(other.formerId).toBe(full?.formerId)
})

function idOf(eventId: string, telegramId = 5): string {
  return String(identify({ kind: 'event-id', eventId, telegramId }, { scope: 'full', isTimeAssigned: false }).id)
}

it('lets numbered ids of one user share rows, 32 each, and gives each a key of its own', () => {
  const ids = Array.from({ length: 96 }, (_, number) => idOf(`page#${number}`))
  const rows = Map.groupBy(ids.map(memberOf), ({ row }) => row)
  expect([...rows.values()].map((members) => members.map(({ member }) => member))).toEqual(
    Array(3).fill(Array.from({ length: 32 }, (_, member) => member)),
  )
  const keys = ids.map((_, number) => keyOf({ kind: 'event-id', eventId: `page#${number}`, telegramId: 5 }))
  expect(new Set(keys).size).toBe(96)
  for (const row of rows.keys()) expect(memberOf(row)).toEqual({ row, member: 0 })
})

it('distinguishes ids that look like the same number', () => {
  const ids = [
    'a#1',
    'a#01',
    'a#1.0',
    'a#-1',
    'a#',
    'a#33',
    'a#1\n',
    'b#1',
    '#1',
    '1',
    'a#1000000000',
    'a#b#1',
    'a#1#1',
  ]
  expect(new Set([...ids.map((id) => idOf(id)), idOf('a#1', 6)]).size).toBe(ids.length + 1)
  expect(new Set(ids.map((id) => memberOf(idOf(id)).row)).size).toBe(ids.length)
})
