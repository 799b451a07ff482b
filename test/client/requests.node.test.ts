import { describe, expect, it } from 'vitest'
import { bodyOf, refusedOf } from '../../src/client/batch.ts'
import { pauseMs } from '../../src/client/requests.ts'

describe('a pause', () => {
  it('doubles from a second to five minutes, and is up to a half shorter', () => {
    expect([1, 2, 3, 9, 10, 2000].map((failures) => pauseMs(failures, null, 0))).toEqual([
      1000, 2000, 4000, 256_000, 300_000, 300_000,
    ])
    expect(pauseMs(3, null, 1)).toBe(2000)
  })

  it('is as long as the service says, as far as a timer goes', () => {
    expect(pauseMs(5, '7', 1)).toBe(7000)
    expect(pauseMs(1, '99999999', 0)).toBe(2_000_000_000)
    for (const told of ['0', '', 'Sun, 22 Nov 2026 04:00:00 GMT', '-1']) expect(pauseMs(1, told, 0)).toBe(1000)
  })
})

it("a body has the user's data in each event, or once for all", () => {
  const events = '[{"event_type":"a","params":{"__proto__":1}},{"event_type":"\\ud83c"}]'
  expect(bodyOf({ init_data: 'x' }, JSON.parse(events), 5)).toBe(`{"init_data":"x","sent_at":5,"events":${events}}`)
  expect(bodyOf({ user: { telegram_id: 1 } }, [{ event_type: 'a' }], 5)).toBe(
    '{"sent_at":5,"events":[{"telegram_id":1,"event_type":"a"}]}',
  )
})

describe('what a refusal means', () => {
  const batch = ['a', 'b', 'c']
  const refused = (...locs: unknown[][]) => refusedOf(JSON.stringify({ detail: locs.map((loc) => ({ loc })) }), batch)

  it('is what it names, each once', () => {
    expect(refused(['body', 'events', 2, 'params'], ['body', 'events', 0], ['body', 'events', 2])).toEqual(['a', 'c'])
  })

  it('a refusal that names no event is of all of them', () => {
    expect(refused(['body', 'init_data'])).toBe(batch)
    expect(refused(['body', 'events', 7])).toBe(batch)
    for (const text of ['', '<html>', '{}', 'null', '{"detail":"no"}', '{"detail":[null]}', '{"detail":[{}]}'])
      expect(refusedOf(text, batch)).toBe(batch)
  })
})
