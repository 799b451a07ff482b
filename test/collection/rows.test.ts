import { expect, it } from 'vitest'
import type { Event, EventContext } from '../../src/collection/event.ts'
import { type Collected, toDistinct, toRows } from '../../src/collection/rows.ts'

const MIDNIGHT = Date.UTC(2026, 10, 20)
const DAY = MIDNIGHT / 86_400_000

const SILENT: EventContext = {
  language: null,
  isPremium: null,
  referrerType: null,
  os: null,
  device: null,
  brand: null,
  model: null,
  country: null,
  city: null,
  writeAccess: null,
  startParameter: null,
}

function collected(parts: Partial<Event> = {}, applicationId = 7): Collected {
  const event: Event = {
    name: 'a',
    time: MIDNIGHT,
    telegramId: 1,
    key: 1,
    id: null,
    claimsId: false,
    session: null,
    context: SILENT,
    username: null,
    firstname: null,
    lastname: null,
    params: null,
    wallet: null,
    ...parts,
  }
  return { applicationId, scope: 'full', event }
}

it('has nothing to say of nothing', () => {
  expect(Object.values(toRows([])).flat()).toEqual([])
})

it('takes an event that comes twice once: by key, or by id whatever else it says', () => {
  const twice = [collected(), collected(), collected({ key: 2 }), collected({ time: MIDNIGHT + 1 })]
  expect(toDistinct(twice)).toHaveLength(3)
  const renamed = [collected({ id: 'ff', name: 'first' }), collected({ id: 'ff', name: 'second', telegramId: 2 })]
  const rows = toRows(toDistinct(renamed))
  expect([rows.names, rows.users.length]).toEqual([[[7, 'first', 'full']], 1])
})

it('keeps applications and users apart', () => {
  const rows = toRows([collected(), collected({}, 8), collected({ telegramId: 2 })])
  expect(rows.names).toEqual([
    [7, 'a', 'full'],
    [8, 'a', 'full'],
  ])
  expect(rows.users.map(([applicationId, telegramId]) => [applicationId, telegramId])).toEqual([
    [7, 1],
    [8, 1],
    [7, 2],
  ])
})

it('writes each name and context once, and points at them by place', () => {
  const english = { ...SILENT, language: 'en' }
  const rows = toRows([
    collected({ key: 1, name: 'a b' }),
    collected({ key: 2, context: english }),
    collected({ key: 3, name: 'a b', context: english }),
  ])
  expect(rows.names).toEqual([
    [7, 'a b', 'full'],
    [7, 'a', 'full'],
  ])
  expect(rows.contexts).toHaveLength(2)
  expect(rows.events).toHaveLength(3)
})

it('cuts a session that spans midnight into days', () => {
  const times = [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 1]
  const rows = toRows(times.map((time) => collected({ time, session: 's 1' })))
  expect(rows.sessions).toEqual([
    [7, 1, 's 1', DAY - 1],
    [7, 1, 's 1', DAY],
  ])
  expect(rows.days).toEqual([
    [7, DAY - 1],
    [7, DAY],
  ])
  expect([rows.users.length, rows.userDays.length]).toEqual([1, 2])
})
