import { expect, it } from 'vitest'
import { type Event, type EventProperties, mapProperties } from '../../src/base/event.ts'
import { type Collected, toDistinct, toRows } from '../../src/collection/rows.ts'

const MIDNIGHT = Date.UTC(2026, 10, 20)
const DAY = MIDNIGHT / 86_400_000
const HOUR_MS = 3_600_000
/** When events of around midnight are nothing new any more. */
const LATER = MIDNIGHT + 2 * HOUR_MS

const SILENT = mapProperties(() => null) as EventProperties

function collected(parts: Partial<Event> = {}, applicationId = 7): Collected {
  const event: Event = {
    name: 'a',
    time: MIDNIGHT,
    telegramId: 1,
    key: 1,
    id: null,
    claimsId: false,
    session: null,
    properties: SILENT,
    volume: 0,
    params: null,
    ...parts,
  }
  return { applicationId, scope: 'full', event }
}

it('has nothing to say of nothing', () => {
  expect(Object.values(toRows([], LATER)).flat()).toEqual([])
})

it('takes an event that comes twice once: by key, or by id even with other fields', () => {
  const twice = [collected(), collected(), collected({ key: 2 }), collected({ time: MIDNIGHT + 1 })]
  expect(toDistinct(twice)).toHaveLength(3)
  const renamed = [collected({ id: 'ff', name: 'first' }), collected({ id: 'ff', name: 'second', telegramId: 2 })]
  const rows = toRows(toDistinct(renamed), LATER)
  expect([rows.names, rows.users.length]).toEqual([[{ applicationId: 7, name: 'first', share: 'full' }], 1])
})

it('keeps applications and users apart', () => {
  const rows = toRows([collected(), collected({}, 8), collected({ telegramId: 2 })], LATER)
  expect(rows.names).toEqual([
    { applicationId: 7, name: 'a', share: 'full' },
    { applicationId: 8, name: 'a', share: 'full' },
  ])
  expect(rows.users.map(({ applicationId, telegramId }) => [applicationId, telegramId])).toEqual([
    [7, 1],
    [8, 1],
    [7, 2],
  ])
})

it('writes each name and context once, and points at them by index', () => {
  const english = { ...SILENT, language: 'en' }
  const events = [
    collected({ key: 1, name: 'a b' }),
    collected({ key: 2, properties: english }),
    collected({ key: 3, name: 'a b', properties: english }),
  ]
  const rows = toRows(events, LATER)
  expect(rows.names.map(({ name }) => name)).toEqual(['a b', 'a'])
  expect(rows.contexts).toHaveLength(2)
  expect(rows.events).toHaveLength(3)
})

it('names a context by the properties that the first ones had, however many there are now', () => {
  const [silent, german] = [SILENT, { ...SILENT, language: 'de' }].map(
    (properties) => toRows([collected({ properties })], LATER).contexts[0]?.fingerprint,
  )
  expect(silent).toBe('[null,null,null,null,null,null,null,null,null,null,null]')
  expect(german).toBe('["de",null,null,null,null,null,null,null,null,null,null]')
})

it('cuts a session that spans midnight into days', () => {
  const times = [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 1]
  const events = times.map((time) => collected({ time, session: 's 1' }))
  const rows = toRows(events, LATER)
  const session = { applicationId: 7, telegramId: 1, session: 's 1' }
  expect(rows.sessions).toEqual([
    { ...session, day: DAY - 1 },
    { ...session, day: DAY },
  ])
  expect(rows.users).toHaveLength(1)
})

it('notes for each name and hour the span of its events, and what the ids of their users leave', () => {
  const sent = [
    collected({ time: MIDNIGHT + 5, telegramId: 16 }),
    collected({ time: MIDNIGHT + 2, telegramId: 33 }),
    collected({ time: MIDNIGHT + 9, telegramId: 17 }),
    collected({ time: MIDNIGHT - 1 }),
    collected({ time: MIDNIGHT, name: 'b' }),
    collected({ time: MIDNIGHT, name: 'b' }, 8),
  ]
  const hour = MIDNIGHT / HOUR_MS
  const moment = { isLive: false, from: MIDNIGHT, to: MIDNIGHT, slots: [1] }
  expect(toRows(sent, LATER).changes).toEqual([
    { ...moment, name: 0, bucket: hour, from: MIDNIGHT + 2, to: MIDNIGHT + 9, slots: [0, 1] },
    { ...moment, name: 0, bucket: hour - 1, from: MIDNIGHT - 1, to: MIDNIGHT - 1 },
    { ...moment, name: 1, bucket: hour },
    { ...moment, name: 2, bucket: hour },
  ])
})

it('notes live events by when they are stored, the last hour by the minute, so that what comes late is not read together with what is new', () => {
  const now = MIDNIGHT + HOUR_MS
  const sent = [now + 20_000, now + 1, now - 1, now - 14_999, now - 15_000, now - 1_800_000, MIDNIGHT + 1, MIDNIGHT]
  const collecteds = [...sent, MIDNIGHT - 1].map((time) => collected({ time }))
  const changes = toRows(collecteds, now).changes
  const buckets = changes.map(({ bucket, from, to }) => [bucket, from - now, to - now])
  const [live, minute, hour] = [now / 5_000, now / 60_000, now / HOUR_MS]
  expect(buckets).toEqual([
    [minute, 20_000, 20_000],
    [live, -14_999, 1],
    [minute - 1, -15_000, -15_000],
    [minute - 30, -1_800_000, -1_800_000],
    [minute - 60, 1 - HOUR_MS, 1 - HOUR_MS],
    [hour - 1, -HOUR_MS, -HOUR_MS],
    [hour - 2, -HOUR_MS - 1, -HOUR_MS - 1],
  ])
  expect(changes.filter(({ isLive }) => isLive).map(({ bucket }) => bucket)).toEqual([live])
})
