import { beforeAll, describe, expect, it } from 'vitest'
import { expectFaults, get, newUser } from './client.ts'
import {
  type Answer,
  ask,
  collect,
  DAY_MS,
  dateOf,
  did,
  figuresOf,
  findQuietDays,
  nameOf,
  pathOf,
  period,
  type Query,
} from './history.ts'

const PATH = '/events/segmentation'

const [order, view, ping, never] = [nameOf('order'), nameOf('view'), nameOf('ping'), nameOf('never')]
const USERS = Array.from({ length: 9 }, newUser)
const [ann, ben, cid] = USERS as [number, number, number]
/** The period is `first` and `second`, after another period of equal length. */
let [before, first, second, pings] = [0, 0, 0, 0]

/** Has this many users send a ping each. */
function pinged(users: number, day: number) {
  return USERS.slice(0, users).map((user) => did(ping, user, day))
}

beforeAll(async () => {
  const start = await findQuietDays(8, 2)
  ;[before, first, second, pings] = [1, 2, 3, 4].map((days) => start + days * DAY_MS) as [
    number,
    number,
    number,
    number,
  ]
  await collect([
    did(order, ann, before, { country: 'DE' }),
    did(order, ann, first, { country: 'DE', language: 'de' }),
    did(order, ann, first, { country: 'AT', language: 'de' }),
    did(order, ben, first + DAY_MS - 1, { country: 'AT', language: 'en' }),
    did(order, ann, second, { country: 'DE', language: 'de' }),
    did(view, cid, second),
    ...pinged(8, pings),
    ...pinged(7, pings + DAY_MS),
    ...pinged(8, pings + 2 * DAY_MS),
    ...pinged(9, pings + 3 * DAY_MS),
  ])
})

function segment(query: Query = {}): Promise<Answer> {
  return ask(PATH, { event: order, ...period(first, second), ...query })
}

describe('an answer (§7)', () => {
  it('has xValues and yValues, and nothing else', async () => {
    const response = await get(pathOf(PATH, { event: order }))
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      xValues: expect.any(Object),
      yValues: expect.any(Array),
      time_zone: 'UTC',
      status_code: 200,
      message: 'Success',
    })
  })

  it('has the days of the period, oldest first, and a series named after the event', async () => {
    const { xValues, yValues } = await segment(period(before, second))
    expect(xValues).toMatchObject({ name: 'date', data: [before, first, second].map(dateOf), key_value: 3 })
    expect(yValues).toMatchObject([{ name: order, length: 3 }])
  })
})

describe('event (§7)', () => {
  it('must be there', async () => {
    const fault = { loc: ['query', 'event'], type: 'missing', msg: 'Field required' }
    await expectFaults(await get(PATH), fault)
  })

  it('may be called event_type', async () => {
    expect(await ask(PATH, { event_type: order, ...period(first, second) })).toEqual(await segment())
  })

  it('means any event if it is _active', async () => {
    expect(figuresOf(await segment({ event: '_active' }))).toEqual([['_active', [2, 2]]])
    expect(figuresOf(await segment({ event: '_active', mode: 'totals' }))).toEqual([['_active', [3, 2]]])
    expect(figuresOf(await segment({ event: '_active', mode: 'pct_dau' }))).toEqual([['_active', [100, 100]]])
  })

  it('an event that never occurred is not an error: its series is empty', async () => {
    for (const mode of ['uniques', 'totals', 'average', 'pct_dau']) {
      const { xValues, yValues } = await segment({ event: never, mode })
      expect(xValues.length).toBe(2)
      expect(yValues).toMatchObject([{ name: never, data: [0, 0], key_value: 0, empty: true, change: 0 }])
    }
    expect((await segment({ event: never, group_by: 'country' })).yValues).toEqual([])
  })

  it('is found by its whole name only', async () => {
    for (const event of [order.toUpperCase(), order.slice(0, -1), ` ${order}`, '%', "' or 1=1 --"]) {
      expect((await segment({ event })).yValues).toMatchObject([{ name: event, empty: true }])
    }
  })

  it.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
  ])('has 1 to 255 characters (%#)', async (event, type) => {
    await expectFaults(await get(pathOf(PATH, { event })), { loc: ['query', 'event'], type })
    expect((await get(pathOf(PATH, { event: 'x'.repeat(255) }))).status).toBe(200)
  })
})

describe('mode (§7, §Gaps)', () => {
  it.each([
    ['uniques', 'distinct users a day; in the headline each once', [2, 1], 2, 100],
    ['totals', 'events', [3, 1], 4, 300],
    ['average', 'events per user: in all 4 of 2', [1.5, 1], 2, 100],
    ['pct_dau', 'percent of the active users: in all 2 of 3, before it 1 of 1', [100, 50], 67, -33],
  ])('%s counts %s', async (mode, _, data, key_value, change) => {
    expect((await segment({ mode })).yValues).toMatchObject([{ name: order, data, key_value, change }])
  })

  it('is uniques by default', async () => {
    expect(await segment()).toEqual(await segment({ mode: 'uniques' }))
  })

  it.each(['UNIQUES', 'total', ''])('may not be "%s"', async (mode) => {
    const msg =
      "Input should be 'uniques', 'totals', 'average', 'pct_dau', 'sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user' or 'distinct'"
    await expectFaults(await get(pathOf(PATH, { event: order, mode })), { loc: ['query', 'mode'], type: 'enum', msg })
  })
})

describe('change', () => {
  const changeOn = async (day: number) => (await segment({ event: ping, ...period(day) })).yValues[0]?.change

  it('is in whole percent, halves rounded away from zero', async () => {
    // 8 users, then 7, then 8, then 9.
    expect(await changeOn(pings + DAY_MS)).toBe(-13)
    expect(await changeOn(pings + 2 * DAY_MS)).toBe(14)
    expect(await changeOn(pings + 3 * DAY_MS)).toBe(13)
  })

  it('is 100 from zero to something, 0 from zero to zero, -100 from something to zero', async () => {
    expect(await changeOn(pings)).toBe(100)
    expect(await changeOn(before)).toBe(0)
    expect(await changeOn(pings + 4 * DAY_MS)).toBe(-100)
  })

  it('is of each group by itself', async () => {
    const { yValues } = await segment({ group_by: 'country' })
    expect(yValues.map(({ name, change }) => [name, change])).toEqual([
      ['Austria', 100],
      ['Germany', 0],
    ])
  })
})

describe('group_by (§7)', () => {
  it('gives a series for each value that occurs, largest headline first, then by name', async () => {
    expect(figuresOf(await segment({ group_by: 'country' }))).toEqual([
      ['Austria', [2, 0]],
      ['Germany', [1, 1]],
    ])
  })

  it('gives one for each combination of two properties', async () => {
    expect(figuresOf(await segment({ group_by: 'language,country', mode: 'totals' }))).toEqual([
      ['de, Germany', [1, 1]],
      ['de, Austria', [1, 0]],
      ['en, Austria', [1, 0]],
    ])
  })
})

it('filters narrow the events, but not the active users that pct_dau is a part of (§7)', async () => {
  const filters = JSON.stringify({ prop: 'country', op: 'is', values: ['Germany'] })
  expect(figuresOf(await segment({ filters }))).toEqual([[order, [1, 1]]])
  expect(figuresOf(await segment({ filters, mode: 'pct_dau' }))).toEqual([[order, [50, 50]]])
})

it('names all faults of a query together (§7, §Validation error)', async () => {
  await expectFaults(
    await get(`${PATH}?mode=total&filters=[&group_by=age&start=x&end=y`),
    { loc: ['query', 'event'], type: 'missing' },
    { loc: ['query', 'mode'], type: 'enum' },
    { loc: ['query', 'filters'], type: 'json_invalid' },
    { loc: ['query', 'group_by', 0], type: 'enum' },
    { loc: ['query', 'start'], type: 'value_error' },
    { loc: ['query', 'end'], type: 'value_error' },
  )
  await expectFaults(
    await get(`${PATH}?mode=total&start=20240101&end=20250101`),
    { loc: ['query', 'event'], type: 'missing' },
    { loc: ['query', 'mode'], type: 'enum' },
    { loc: ['query', 'start'], type: 'value_error' },
  )
  await expectFaults(
    await get(`${PATH}?mode=sum&start=20240101&end=20250101`),
    { loc: ['query', 'event'], type: 'missing' },
    { loc: ['query', 'of'], type: 'missing' },
    { loc: ['query', 'start'], type: 'value_error' },
  )
})
