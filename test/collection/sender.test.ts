import { expect, it } from 'vitest'
import { readSender, type SendingDevice } from '../../src/collection/sender.ts'

const BERLIN = { country: 'Germany', city: 'Berlin' }
const NOTHING: SendingDevice = { country: null, city: null, os: null, brand: null, model: null }
const ORIGIN = 'https://shop.example'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

function requestWith(headers: Record<string, string>, cf: Record<string, unknown> = { country: 'DE', city: 'Berlin' }) {
  return new Request('https://mauve.test/v1/client/events', { method: 'POST', headers, cf: cf as never })
}

it.each<[headers: Record<string, string>, sender: SendingDevice]>([
  [
    { origin: ORIGIN, 'user-agent': IPHONE },
    { ...BERLIN, os: 'iOS', brand: 'Apple', model: 'iPhone' },
  ],
  [
    { origin: ORIGIN, 'user-agent': WINDOWS },
    { ...BERLIN, os: 'Windows', brand: null, model: null },
  ],
  [{ origin: ORIGIN }, { ...NOTHING, ...BERLIN }],
  [
    { origin: 'null', 'user-agent': 'lemon' },
    { ...NOTHING, ...BERLIN },
  ],
  [{}, NOTHING],
  [{ 'user-agent': WINDOWS }, NOTHING],
  [{ 'user-agent': 'Go-http-client/1.1' }, NOTHING],
  [{ 'user-agent': 'python-requests/2.32.3' }, NOTHING],
  [{ 'user-agent': 'node' }, NOTHING],
])('takes %j for', (headers, sender) => {
  expect(readSender(requestWith(headers))).toEqual(sender)
  expect(readSender(requestWith(headers))).toEqual(sender)
})

it.each([[{}], [{ country: 'XX' }], [{ country: 'T1', city: '' }]])('finds nowhere in %j', (cf) => {
  const { country, city } = readSender(requestWith({ origin: ORIGIN }, cf))
  expect([country, city]).toEqual([null, null])
})

it('reads a place without a city', () => {
  expect(readSender(requestWith({ origin: ORIGIN }, { country: 'us' }))).toMatchObject({
    country: 'United States',
    city: null,
  })
})
