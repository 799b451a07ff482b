import { expect, it } from 'vitest'
import { parseMapping, WrongTable } from '../../../src/lifecycle/import/formats/csv.ts'
import { type FormatName, guessFormat, readerOf } from '../../../src/lifecycle/import/formats/formats.ts'
import { readLine } from '../../../src/lifecycle/import/line.ts'
import { Refusal } from '../../../src/lifecycle/import/refusal.ts'

const NOW = Date.UTC(2026, 10, 22)
const NO_MAPPING = parseMapping('')

/** A line as the Export API writes it: https://amplitude.com/docs/apis/analytics/export */
const AMPLITUDE = {
  app: 302_547,
  amplitude_id: 712_345_678_901,
  user_id: '7234567890',
  device_id: '5e8f6a4c-6d5e-4f0b-9d3a-2c1b0a9f8e7dR',
  event_type: 'Order Paid',
  event_time: '2026-11-20 10:15:30.123000',
  client_event_time: '2026-11-20 10:15:29.900000',
  uuid: '0a5b9c1e-c711-11f0-9a3e-8f2f3f4f5f6f',
  $insert_id: '3b1f0c9e-1c1c-4c2b-8b1d-2f6f7a8b9c0d',
  session_id: 1_795_169_700_000,
  platform: 'iOS',
  os_name: 'ios',
  device_brand: null,
  device_manufacturer: 'Apple',
  device_family: 'Apple iPhone',
  device_model: 'iPhone 15',
  country: 'Germany',
  city: 'Berlin',
  language: 'German',
  event_properties: { order_total: 250, method: 'stars' },
  user_properties: { is_premium: true },
}

/** A line as the raw export writes it: https://docs.mixpanel.com/reference/raw-event-export */
const MIXPANEL = {
  event: 'Order Paid',
  properties: {
    time: 1_795_169_730,
    distinct_id: '7234567890',
    $insert_id: '29fc2962-6d9c-455d-95ad-95b84f09b9e4',
    $city: 'Berlin',
    $region: 'Land Berlin',
    mp_country_code: 'DE',
    mp_lib: 'web',
    $os: 'iOS',
    $brand: 'Apple',
    $model: 'iPhone15,4',
    mp_processing_time_ms: 1_795_169_731_500,
    order_total: 250,
  },
}

/** An event as batch exports write it: https://posthog.com/docs/data-pipelines/batch-exports/s3 */
const POSTHOG = {
  uuid: '0193450b-4a2f-7c31-8f6e-2a1b3c4d5e6f',
  event: 'order_paid',
  distinct_id: '7234567890',
  person_id: '0193450b-0000-7c31-8f6e-2a1b3c4d5e6f',
  timestamp: '2026-11-20T10:15:30.123000+00:00',
  created_at: '2026-11-20T10:15:31.000000+00:00',
  elements_chain: '',
  properties: JSON.stringify({
    $os: 'Android',
    $device_type: 'Mobile',
    $browser_language: 'de-DE',
    $geoip_country_name: 'Germany',
    $geoip_country_code: 'DE',
    $geoip_city_name: 'Berlin',
    $session_id: '0193450b-1111-7c31-8f6e-2a1b3c4d5e6f',
    token: 'phc_lemon',
    distinct_id: '7234567890',
    order_total: 250,
  }),
}

function lineOf(format: FormatName, first: string, text = first, mapping = NO_MAPPING) {
  const sent = readerOf(format, { first, mapping }).read(text) ?? ''
  expect(readLine(sent, NOW).kind).toBe('event')
  return JSON.parse(sent)
}

const ID = expect.stringMatching(/^[0-9a-f]{32}$/)
const COMMON = { telegram_id: 7_234_567_890, key: expect.any(Number), event_id: ID, former_event_id: ID }

it.each([
  [
    'amplitude',
    AMPLITUDE,
    {
      name: 'Order Paid',
      time: '2026-11-20T10:15:30.123Z',
      session: '1795169700000',
      context: {
        ...{ language: 'German', is_premium: true, os: 'ios', device: 'iOS' },
        ...{ brand: 'Apple', model: 'iPhone 15', country: 'Germany', city: 'Berlin' },
      },
      params: { order_total: 250, method: 'stars' },
    },
  ],
  [
    'mixpanel',
    MIXPANEL,
    {
      name: 'Order Paid',
      time: '2026-11-20T10:15:30.000Z',
      session: null,
      context: { os: 'iOS', device: 'web', brand: 'Apple', model: 'iPhone15,4', country: 'DE', city: 'Berlin' },
      params: { order_total: 250 },
    },
  ],
  [
    'posthog',
    POSTHOG,
    {
      name: 'order_paid',
      time: '2026-11-20T10:15:30.123Z',
      session: '0193450b-1111-7c31-8f6e-2a1b3c4d5e6f',
      context: { language: 'de-DE', os: 'Android', device: 'Mobile', country: 'Germany', city: 'Berlin' },
      params: { order_total: 250 },
    },
  ],
] as const)('reads an event of %s', (format, event, line) => {
  const text = JSON.stringify(event)
  expect(guessFormat(text)).toBe(format)
  expect(lineOf(format, text)).toEqual({ ...COMMON, ...line })
})

it('handles what is particular to each service', () => {
  expect(lineOf('amplitude', JSON.stringify({ ...AMPLITUDE, session_id: -1 })).session).toBeNull()
  // An insert id is one within name, user and time.
  const idOf = (event: object) => lineOf('mixpanel', JSON.stringify(event)).event_id
  expect(idOf({ ...MIXPANEL, event: 'Other' })).not.toBe(idOf(MIXPANEL))
  const parsed = { ...POSTHOG, properties: JSON.parse(POSTHOG.properties) }
  expect(lineOf('posthog', JSON.stringify(parsed))).toEqual(lineOf('posthog', JSON.stringify(POSTHOG)))
})

it('an event is the same whenever it is read again, and another one is not', () => {
  const [text, other] = [AMPLITUDE, { ...AMPLITUDE, uuid: 'another' }].map((event) => JSON.stringify(event))
  expect(lineOf('amplitude', text ?? '')).toEqual(lineOf('amplitude', text ?? ''))
  expect(lineOf('amplitude', other ?? '').event_id).not.toBe(lineOf('amplitude', text ?? '').event_id)
  const withoutId = { ...MIXPANEL, properties: { ...MIXPANEL.properties, $insert_id: undefined } }
  const [line, paid] = [withoutId, { ...withoutId, event: 'Paid' }].map((event) =>
    lineOf('mixpanel', JSON.stringify(event)),
  )
  expect([line.event_id, paid.event_id, line.key === paid.key]).toEqual([null, null, false])
})

const HEADER = 'event;ts;uid;sum;note;country'

it('reads a table by its mapping; columns that are not mapped are parameters', () => {
  const mapping = parseMapping('name=event,time=ts,user=uid')
  expect(guessFormat(HEADER)).toBe('csv')
  const line = lineOf('csv', HEADER, 'paid;2026-11-20 10:15:30;5;250;"a ""b""; c\nd";DE', mapping)
  expect(line).toMatchObject({ name: 'paid', telegram_id: 5, event_id: null, context: { country: 'DE' } })
  expect(line.params).toEqual({ sum: 250, note: 'a "b"; c\nd' })
  const some = parseMapping('name=event,time=ts,user=uid,params.amount=sum,id=note')
  const chosen = lineOf('csv', HEADER, 'paid;1795169730;5;05;x;true', some)
  expect(chosen).toMatchObject({ event_id: ID, params: { amount: '05' } })
  expect(readerOf('csv', { first: HEADER, mapping }).read(HEADER)).toBeNull()
  const { isOpen } = readerOf('csv', { first: HEADER, mapping })
  const records = ['paid;1;5;5" screen', 'paid;1;5;"a ""b"""', 'paid;1;5;"a ""b', 'paid;1;5" wide;"a', 'paid;1;5;"a;b"']
  expect(records.map(isOpen)).toEqual([false, false, true, true, false])
})

it.each([
  ['name=event', /no field|time/],
  ['name=missing', /no column "missing".*The columns are: event, ts/],
  ['lemon=event', /no field "lemon"/],
  ['name', /no column/],
  ['name=event,name=ts', /twice/],
])('says what is wrong with the mapping %s', (text, message) => {
  expect(() => readerOf('csv', { first: HEADER, mapping: parseMapping(text) })).toThrow(WrongTable)
  expect(() => readerOf('csv', { first: HEADER, mapping: parseMapping(text) })).toThrow(message)
})

it('a header with an unclosed quotation is reported as one', () => {
  const first = '"name,time,user'
  expect(() => readerOf('csv', { first, mapping: parseMapping('') })).toThrow(
    'The header, which is the first line, cannot be read',
  )
})

it.each([
  ['amplitude', JSON.stringify({ ...AMPLITUDE, user_id: 'john@example.org' }), /^user: "john/],
  ['amplitude', JSON.stringify({ ...AMPLITUDE, user_id: null }), /^user: null/],
  ['mixpanel', JSON.stringify({ event: 'x', properties: { distinct_id: '5' } }), /^time: Nothing/],
  ['posthog', JSON.stringify({ ...POSTHOG, event: '' }), /^name:/],
  ['posthog', '[1]', /not a JSON object/],
  ['mixpanel', '{"event":', /not JSON/],
] as const)('says why it refuses such a line of %s', (format, text, message) => {
  const reader = readerOf(format, { first: text, mapping: NO_MAPPING })
  expect(() => reader.read(text)).toThrow(Refusal)
  expect(() => reader.read(text)).toThrow(message)
})

it.each(['', 'null', '{"lemon":1}'])('does not guess what %j is', (text) => {
  expect(guessFormat(text)).toBe(text === 'null' ? 'csv' : null)
})
