import { beforeAll, describe, expect, it } from 'vitest'
import { expectFaults, get, newUser } from './client.ts'
import {
  type Answer,
  ask,
  collect,
  DAY_MS,
  daysAgo,
  did,
  figuresOf,
  nameOf,
  pathOf,
  period,
  type Query,
} from './history.ts'

const PATH = '/funnels'
const SECOND_MS = 1000
const MONTH_MS = 30 * DAY_MS

/** Noon of the day on which everybody enters, unless it is said. */
const NOON = daysAgo(100) + DAY_MS / 2
const TODAY = period(NOON)

const [view, cart, order] = [nameOf('view'), nameOf('cart'), nameOf('order, at once')]
const [slow, slower, late, latest] = [nameOf('slow'), nameOf('slower'), nameOf('late'), nameOf('latest')]
const [again, done, one, other, solo, twice] = ['again', 'done', 'one', 'other', 'solo', 'twice'].map(nameOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const [enter, leave] = [nameOf('enter'), nameOf('leave')]
const [ann, ben, cid, dan, eve] = [newUser(), newUser(), newUser(), newUser(), newUser()]

/** After noon, in seconds. */
function at(seconds: number): number {
  return NOON + seconds * SECOND_MS
}

const GERMAN = { country: 'Germany', language: 'de' }
const AUSTRIAN = { country: 'Austria', language: 'de' }

/** Five view, three of them go on, one orders; Dan's order came first. The day before, one got through. */
const SHOP = [
  ...[ann, ben, cid, dan, eve].map((user) => did(view, user, at(0), user === eve ? AUSTRIAN : GERMAN)),
  did(cart, ann, at(10), GERMAN),
  did(cart, ben, at(30), GERMAN),
  did(cart, eve, at(110), AUSTRIAN),
  did(order, ann, at(60), AUSTRIAN),
  did(order, dan, at(-60), GERMAN),
  ...[view, cart, order].map((name, index) => did(name, ben, at(index) - DAY_MS)),
]

/** Windows that differ by a second from a minute, from the default, and from the period. */
const WINDOWS = [
  did(slow, ann, at(0)),
  did(slower, ann, at(60)),
  did(slow, ben, at(0)),
  did(slower, ben, at(61)),
  did(late, ann, at(0)),
  did(latest, ann, at(0) + MONTH_MS),
  did(late, ben, at(0)),
  did(latest, ben, at(1) + MONTH_MS),
]

const ORDERS = [
  did(again, ann, at(0)),
  did(again, ann, at(300)),
  did(done, ann, at(330)),
  did(one, ann, at(0)),
  did(other, ann, at(0)),
  did(solo, ann, at(0)),
  did(twice, ann, at(0)),
  did(twice, ann, at(0)),
]

/** Ann enters twice before she leaves; Ben enters and stays. */
const GROUPS = [
  did(enter, ann, at(0), GERMAN),
  did(enter, ann, at(60), AUSTRIAN),
  did(leave, ann, at(120), GERMAN),
  did(enter, ben, at(0), { ...GERMAN, language: 'en' }),
]

beforeAll(() => collect([...SHOP, ...WINDOWS, ...ORDERS, ...GROUPS]))

function analyze(events: readonly string[], query: Query = {}): Promise<Answer> {
  return ask(PATH, { events, ...TODAY, ...query })
}

/** Users who reached each step. */
async function reached(events: readonly string[], query: Query = {}): Promise<readonly number[] | undefined> {
  const { yValues } = await analyze(events, query)
  expect(yValues).toMatchObject([{ name: 'All users' }])
  return yValues[0]?.data
}

describe('an answer (§6)', () => {
  it('has xValues, yValues, steps and conversion times, and nothing else', async () => {
    const response = await get(pathOf(PATH, { events: [view, order] }))
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      xValues: expect.any(Object),
      yValues: expect.any(Array),
      steps: expect.any(Array),
      conversion_times: expect.any(Array),
      time_zone: 'UTC',
      status_code: 200,
      message: 'Success',
    })
  })

  it('has the names of the steps, and the users who reached each', async () => {
    const { xValues, yValues } = await analyze([view, cart, order])
    expect(xValues).toMatchObject({ name: 'step', data: [view, cart, order], key_value: 3 })
    expect(yValues).toMatchObject([{ name: 'All users', data: [5, 3, 1], key_value: 1, change: 0 }])
  })

  it('compares those who completed with the preceding period', async () => {
    expect((await analyze([view, cart])).yValues).toMatchObject([{ key_value: 3, change: 200 }])
    expect((await analyze([view, cart], period(NOON - DAY_MS))).yValues).toMatchObject([{ key_value: 1, change: 100 }])
    expect((await analyze([view, cart], period(NOON + DAY_MS))).yValues).toMatchObject([{ key_value: 0, change: -100 }])
  })

  it('has conversion and time from step to step', async () => {
    const { steps } = await analyze([view, cart, order])
    const group = 'All users'
    expect(steps).toEqual([
      {
        group,
        step: 1,
        event: view,
        users: 5,
        conversion_from_start: 100,
        conversion_from_previous: 100,
        median_seconds: null,
        average_seconds: null,
      },
      {
        group,
        step: 2,
        event: cart,
        users: 3,
        conversion_from_start: 60,
        conversion_from_previous: 60,
        median_seconds: 30,
        average_seconds: 50,
      },
      {
        group,
        step: 3,
        event: order,
        users: 1,
        conversion_from_start: 20,
        conversion_from_previous: expect.closeTo(100 / 3, 9),
        median_seconds: 50,
        average_seconds: 50,
      },
    ])
  })

  it('is empty where the events never occurred', async () => {
    const { xValues, yValues, steps } = await analyze([nameOf('never'), nameOf('never')])
    expect(xValues).toMatchObject({ length: 2, empty: false })
    expect(yValues).toMatchObject([{ name: 'All users', data: [0, 0], key_value: 0, empty: true, change: 0 }])
    expect(steps).toMatchObject([
      { users: 0, conversion_from_start: 0 },
      { users: 0, median_seconds: null },
    ])
  })
})

describe('events (§6, §Limits)', () => {
  it('may be repeated, or one JSON array', async () => {
    expect(await analyze([view, order])).toEqual(await ask(PATH, { events: JSON.stringify([view, order]), ...TODAY }))
  })

  it('are not divided at a comma: a name may have one', async () => {
    expect(order).toContain(',')
    expect((await analyze([view, order])).xValues.data).toEqual([view, order])
    await expectFaults(await get(`${PATH}?events=a,b`), { loc: ['query', 'events'], type: 'too_short' })
  })

  it('must be there', async () => {
    const fault = { loc: ['query', 'events'], type: 'missing', msg: 'Field required' }
    await expectFaults(await get(PATH), fault)
  })

  it.each([['a'], ['["a"]'], ['[]']])('are at least 2 (%s)', async (events) => {
    const msg = 'List should have at least 2 items'
    await expectFaults(await get(pathOf(PATH, { events })), { loc: ['query', 'events'], type: 'too_short', msg })
  })

  it('are at most 10', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `step ${index}`)
    expect((await analyze(names.slice(1))).xValues.length).toBe(10)
    for (const events of [names, JSON.stringify(names)]) {
      await expectFaults(await get(pathOf(PATH, { events })), { loc: ['query', 'events'], type: 'too_long' })
    }
  })

  it('have 1 to 255 characters each; the wrong one is named', async () => {
    expect((await analyze(['x', 'x'.repeat(255)])).xValues.length).toBe(2)
    await expectFaults(
      await get(pathOf(PATH, { events: ['', 'x', 'x'.repeat(256)] })),
      { loc: ['query', 'events', 0], type: 'string_too_short' },
      { loc: ['query', 'events', 2], type: 'string_too_long' },
    )
  })

  it.each(['["a", 5]', '["a", null]', '["a", ["b"]]'])('are texts (%s)', async (events) => {
    await expectFaults(await get(pathOf(PATH, { events })), { loc: ['query', 'events', 1], type: 'string_type' })
  })

  it('may begin like an array without being one', async () => {
    await expectFaults(await get(`${PATH}?events=["a",`), { loc: ['query', 'events'], type: 'too_short' })
    const excluded = `${PATH}?events=a&events=b&exclude=[TS] Transaction signed`
    expect(await (await get(excluded)).json()).toMatchObject({ status_code: 200 })
  })
})

describe('a step', () => {
  it('comes after the one before it', async () => {
    expect(await reached([cart, view])).toEqual([3, 0])
  })

  it('steps of the same instant are taken in the order in which they are named', async () => {
    expect(await reached([one, other])).toEqual([1, 1])
    expect(await reached([other, one])).toEqual([1, 1])
  })

  it('needs an event of its own', async () => {
    expect(await reached([solo, solo])).toEqual([1, 0])
    expect(await reached([twice, twice, twice])).toEqual([1, 1, 0])
  })

  it('may follow any entry, not only the first', async () => {
    expect(await reached([again, done], { window_seconds: 30 })).toEqual([1, 1])
    expect(await reached([again, done], { window_seconds: 29 })).toEqual([1, 0])
  })

  it('may be after the end of the period, but the entry may not', async () => {
    expect(await reached([late, latest], { window_seconds: 31_622_400 })).toEqual([2, 2])
    expect(await reached([late, latest], period(NOON + DAY_MS, NOON + 2 * MONTH_MS))).toEqual([0, 0])
  })
})

describe('window_seconds', () => {
  it('is the time from the first event to the last, both included', async () => {
    expect(await reached([slow, slower], { window_seconds: 59 })).toEqual([2, 0])
    expect(await reached([slow, slower], { window_seconds: 60 })).toEqual([2, 1])
    expect(await reached([slow, slower], { window_seconds: 61 })).toEqual([2, 2])
  })

  it('is counted from the entry, not from the step before', async () => {
    expect(await reached([view, cart, order], { window_seconds: 60 })).toEqual([5, 2, 1])
    expect(await reached([view, cart, order], { window_seconds: 59 })).toEqual([5, 2, 0])
  })

  it('is 30 days by default', async () => {
    expect(await reached([late, latest])).toEqual([2, 1])
    expect(await reached([late, latest], { window_seconds: 2_592_001 })).toEqual([2, 2])
  })

  it.each(['1', '31622400'])('may be %s', async (window_seconds) => {
    expect((await get(pathOf(PATH, { events: ['a', 'b'], window_seconds }))).status).toBe(200)
  })

  it.each([
    ['0', 'greater_than_equal'],
    ['31622401', 'less_than_equal'],
  ])('may not be %s', async (window_seconds, type) => {
    const response = await get(pathOf(PATH, { events: ['a', 'b'], window_seconds }))
    await expectFaults(response, { loc: ['query', 'window_seconds'], type })
  })
})

it("filters apply to every step's event (§6)", async () => {
  const filters = JSON.stringify({ prop: 'country', op: 'is', values: ['Germany'] })
  expect(await reached([view, cart, order], { filters })).toEqual([4, 2, 0])
})

describe('group_by (§6)', () => {
  it('counts a user in one group: that of the latest entry that leads to the furthest step', async () => {
    const answer = await analyze([enter, leave], { group_by: 'country' })
    expect(figuresOf(answer)).toEqual([
      ['Austria', [1, 1]],
      ['Germany', [1, 0]],
    ])
    expect(answer.steps.map(({ group, step, users }) => [group, step, users])).toEqual([
      ['Austria', 1, 1],
      ['Austria', 2, 1],
      ['Germany', 1, 1],
      ['Germany', 2, 0],
    ])
  })

  it('takes two properties', async () => {
    expect(figuresOf(await analyze([enter, leave], { group_by: ['language', 'country'] }))).toEqual([
      ['de, Austria', [1, 1]],
      ['en, Germany', [1, 0]],
    ])
  })

  it('gives no series if nobody entered', async () => {
    expect(await analyze([nameOf('never'), view], { group_by: 'country' })).toMatchObject({ yValues: [], steps: [] })
  })
})

it('names all faults of a query together (§6, §Validation error)', async () => {
  await expectFaults(
    await get(`${PATH}?events=a&window_seconds=0&filters=[&group_by=age&start=x&end=y`),
    { loc: ['query', 'events'], type: 'too_short' },
    { loc: ['query', 'window_seconds'], type: 'greater_than_equal' },
    { loc: ['query', 'filters'], type: 'json_invalid' },
    { loc: ['query', 'group_by', 0], type: 'enum' },
    { loc: ['query', 'start'], type: 'value_error' },
    { loc: ['query', 'end'], type: 'value_error' },
  )
  await expectFaults(
    await get(`${PATH}?window_seconds=0&start=20250602&end=20250601`),
    { loc: ['query', 'events'], type: 'missing' },
    { loc: ['query', 'window_seconds'], type: 'greater_than_equal' },
    { loc: ['query', 'start'], type: 'value_error' },
  )
})
