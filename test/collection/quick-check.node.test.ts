import {
  constant,
  constantFrom,
  dictionary,
  assert as holds,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  string,
} from 'fast-check'
import { expect, it } from 'vitest'
import { PROPERTY_NAMES, propertyOf } from '../../src/base/event.ts'
import { PLAIN_EVENTS } from '../../src/collection/contract.ts'
import { passesQuickCheck } from '../../src/collection/quick-check.ts'
import { readEvent, type Shape } from '../../src/collection/wire.ts'

const RUNS = 4_000

const text = oneof(
  string({ maxLength: 8 }),
  string({ unit: 'binary', maxLength: 6 }),
  constantFrom('', 'N/A', 'a\0b', '\ud800', 'de', 'x'.repeat(128), 'x'.repeat(129), '🍋'.repeat(128), 'x'.repeat(1025)),
)
const value = oneof(text, constantFrom(null, true, false, 0, 5, 1.5, [], {}), jsonValue({ maxDepth: 2 }))
const user = oneof(integer({ min: 1 }), constantFrom('7', ' 7 ', 0, -1, 2 ** 53, 'x', null, undefined))
const time = oneof(
  integer({ min: 0, max: 2 ** 45 }),
  constantFrom('2026-11-20T10:15:30Z', '1763633730', 'soon', null, undefined, -1),
)
const params = oneof(dictionary(text, value, { maxKeys: 3 }), constantFrom(null, undefined, [], 'x'))

function shapesOf(shape: Shape, path = ''): string[] {
  const paths = PROPERTY_NAMES.flatMap((name) => propertyOf(name).wire?.[shape] ?? [])
  return paths
    .filter((full) => full.startsWith(path) && !full.slice(path.length).includes('.'))
    .map((full) => full.slice(path.length))
}

/** Each of these fields with some value, or without one. */
function some(names: readonly string[]) {
  return record(
    Object.fromEntries(
      names.map((name) => [
        name,
        oneof({ weight: 6, arbitrary: constant(undefined) }, { weight: 1, arbitrary: value }),
      ]),
    ),
  )
}

const OTHERS = [
  'event_id',
  'application_id',
  'session_id',
  'event_source',
  'referrer',
  'wallet',
  'isAutocapture',
  'app',
  'sessionIdentifier',
  'eventSource',
  'userDetails.username',
  'eventDetails.startParameter',
]

const server = record({ event_type: oneof(text, value), telegram_id: user, datetime: time, params }).chain((own) =>
  some([...shapesOf('server'), ...OTHERS]).map((others) => ({ ...others, ...own })),
)
const details = record({ params }).chain((own) =>
  some([...shapesOf('browser', 'eventDetails.'), 'path']).map((others) => ({ ...others, ...own })),
)
const browser = record({
  eventType: oneof(text, value),
  telegramID: user,
  timestamp: time,
  userDetails: oneof(some(shapesOf('browser', 'userDetails.')), constantFrom(null, undefined, 5)),
  eventDetails: oneof(details, constantFrom(null, undefined, 'x')),
}).chain((own) => some([...shapesOf('browser'), ...OTHERS]).map((others) => ({ ...others, ...own })))

it.each([
  ['server', server],
  ['browser', browser],
] as const)('passes only what the contract of the shape of a %s accepts and reads the same', (shape, events) => {
  const seen = { passed: 0, refused: 0 }
  holds(
    property(events, (event) => {
      // As it comes over the wire: without what is undefined.
      const wire = JSON.parse(JSON.stringify(event))
      const { data } = PLAIN_EVENTS[shape].safeParse(wire)
      if (!passesQuickCheck(wire, shape)) {
        if (!data) seen.refused += 1
        return
      }
      seen.passed += 1
      expect(data).toBeDefined()
      expect(readEvent(wire, shape)).toEqual(readEvent(data ?? {}, shape))
    }),
    { numRuns: RUNS },
  )
  expect(Math.min(seen.passed, seen.refused)).toBeGreaterThan(50)
})

it('passes the usual event of each shape', () => {
  expect(passesQuickCheck({ event_type: 'a', telegram_id: 5, params: { a: 1 }, language: 'de' }, 'server')).toBe(true)
  const details = { userDetails: { username: 'lea', isPremium: true }, eventDetails: { params: { a: 1 }, path: '/' } }
  expect(passesQuickCheck({ eventType: 'a', telegramID: '5', timestamp: '1763633730', ...details }, 'browser')).toBe(
    true,
  )
})
