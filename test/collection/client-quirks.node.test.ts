import { expect, it } from 'vitest'
import { asMeant } from '../../src/collection/client-quirks.ts'

const NET = 'telemetree_net'
const PYTHON_0_2 = 'python-sdk-v2'
const LONGEST = 'aZ0_-'.repeat(12).padEnd(64, 'x')

it.each<[source: string, details: Record<string, unknown>, found: unknown]>([
  [NET, { startParameter: '/start promo42' }, 'promo42'],
  [NET, { startParameter: `/start ${LONGEST}` }, LONGEST],
  [NET, { startParameter: `/start ${LONGEST}x` }, undefined],
  [NET, { startParameter: '/start' }, undefined],
  [NET, { startParameter: '/start promo42 and more' }, undefined],
  [NET, { startParameter: '/start лимон' }, undefined],
  [NET, { startParameter: 'see /start promo42' }, undefined],
  [NET, { startParameter: 'promo42' }, undefined],
  [NET, { startParameter: 5 }, null],
  [PYTHON_0_2, { startParameter: 'promo42', text: '/start promo42' }, 'promo42'],
  [PYTHON_0_2, { startParameter: 'https://a.b/start', text: 'open https://a.b/start now' }, undefined],
  [PYTHON_0_2, { startParameter: 'lemons' }, undefined],
  ['telemetree_twa', { startParameter: 'promo42', text: 'Hello there' }, 'promo42'],
])('the start parameter %s means by %j is %j', (eventSource, details, found) => {
  expect(asMeant({ eventSource, eventDetails: details }).eventDetails).toMatchObject({ startParameter: found })
})

it.each<[eventSource: string, eventType: string, isPremium: unknown, meant: unknown]>([
  [PYTHON_0_2, 'Message', false, null],
  [PYTHON_0_2, 'Message', true, true],
  [PYTHON_0_2, 'Inline query', false, false],
  [NET, 'Message', false, false],
])('by the premium of a %s %s, %j, is meant %j', (eventSource, eventType, isPremium, meant) => {
  expect(asMeant({ eventSource, eventType, userDetails: { isPremium } }).userDetails).toEqual({ isPremium: meant })
})

it('reads parameters that are partly in the details, without what a user wrote', () => {
  const details = { newStatus: 'kicked', chatType: 'private', text: 'a', startParameter: 'b', query: 'c', caption: 'd' }
  const meant = asMeant({ eventSource: PYTHON_0_2, eventparams: { plan: 'pro' }, eventDetails: details })
  expect(meant.eventDetails).toMatchObject({ params: { plan: 'pro', newStatus: 'kicked', chatType: 'private' } })
  expect(Object.keys((meant.eventDetails as { params: object }).params)).toHaveLength(3)
})

it('reads parameters beside the details of any client', () => {
  const meant = asMeant({ eventparams: { plan: 'pro' }, eventDetails: { startParameter: '' } })
  expect(meant.eventDetails).toEqual({ startParameter: '', params: { plan: 'pro' } })
})

it.each([
  ['the true id in application_id', 2_147_483_647, '7234567890', 7_234_567_890],
  ['an application_id that is no id', 2_147_483_647, 'my-shop', 2_147_483_647],
  ['an id that is not cut off', 42, '7', 42],
])('takes the user of an event with %s', (_what, telegram_id, application_id, user) => {
  expect(asMeant({ telegram_id, application_id }).telegram_id).toBe(user)
})

const MOMENT = Date.UTC(2026, 10, 21, 14, 49, 22, 636)
const HOUR_MS = 3_600_000

/** A moment as Python writes it, to the microsecond and without an offset. */
function local(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '442')
}

it.each([
  ['in UTC', 0],
  ['in Kathmandu', 5.75 * HOUR_MS],
  ['on Kiritimati', 14 * HOUR_MS],
  ['on Baker Island', -12 * HOUR_MS],
  ['where the clock was read two seconds apart', HOUR_MS + 2000],
])('Python means its session_id %s', (_where, offset) => {
  const event = { event_source: 'python_SDK', datetime: local(MOMENT + offset), session_id: MOMENT }
  expect(asMeant(event)).toMatchObject({ datetime: MOMENT, session_id: undefined })
})

it.each([
  ['three seconds off a quarter of an hour', local(MOMENT + HOUR_MS + 3000), MOMENT],
  ['further from UTC than any clock', local(MOMENT - 48 * HOUR_MS), MOMENT],
  ['with an offset', local(MOMENT + HOUR_MS).replace('442', '+00:00'), MOMENT],
  ['in UTC, and says so', local(MOMENT + HOUR_MS).replace('442', 'Z'), MOMENT],
  ['beside a session that is no moment', local(MOMENT + HOUR_MS), 'lemon'],
])('Python means a datetime %s', (_what, datetime, session_id) => {
  expect(asMeant({ event_source: 'python_SDK', datetime, session_id })).toMatchObject({ datetime })
})

it('all other clients mean their datetime', () => {
  const datetime = local(MOMENT + HOUR_MS)
  expect(asMeant({ event_source: 'telemetree_wasm', datetime, session_id: MOMENT })).toMatchObject({ datetime })
})
