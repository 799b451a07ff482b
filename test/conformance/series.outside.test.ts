import { beforeAll, describe, expect, it } from 'vitest'
import { get, newUser } from './client.ts'
import {
  type Answer,
  ask,
  collect,
  DAY_MS,
  dateOf,
  eventOf,
  findQuietDays,
  nameOf,
  pathOf,
  period,
  type Query,
} from './history.ts'

/** The objects that three questions answer with, field by field: two users come on the day asked about, one on the day before it. */

const [enter, leave] = [nameOf('enter'), nameOf('leave')]
let day = 0

beforeAll(async () => {
  day = (await findQuietDays(4, 3)) + 3 * DAY_MS
  const [ann, ben] = [newUser(), newUser()]
  await collect([
    eventOf(enter, ann, day - DAY_MS, { language: 'en' }),
    eventOf(leave, ann, day - DAY_MS + 1000, { language: 'en' }),
    eventOf(enter, ann, day, { language: 'en' }),
    eventOf(leave, ann, day + 1000, { language: 'en' }),
    eventOf(enter, ben, day, { language: 'de' }),
    eventOf(leave, ben, day + 1000, { language: 'de' }),
  ])
})

interface Expected {
  readonly query: Query
  readonly names: readonly [x: string, y: string]
  readonly labels: () => readonly string[]
  readonly figures: readonly number[]
  /** Headlines of `yValues` on the day and on the day before it, which has half as much. */
  readonly headlines: readonly [number, number]
}

const QUESTIONS: readonly [path: string, Expected][] = [
  [
    '/users/segmentation/aggregated',
    {
      query: {},
      names: ['language', 'users'],
      labels: () => ['de', 'en'],
      figures: [1, 1],
      headlines: [2, 1],
    },
  ],
  [
    '/funnels',
    {
      query: { events: [enter, leave] },
      names: ['step', 'All users'],
      labels: () => [enter, leave],
      figures: [2, 2],
      headlines: [2, 1],
    },
  ],
  [
    '/events/segmentation',
    {
      query: { event: enter },
      names: ['date', enter],
      labels: () => [dateOf(day)],
      figures: [2],
      headlines: [2, 1],
    },
  ],
]

describe.each(QUESTIONS)('the series of %s (§Series object)', (path, { query, names, labels, figures, headlines }) => {
  const answer = (asked = day): Promise<Answer> => ask(path, { ...query, ...period(asked) })

  it('are one object and an array of objects, with these fields and no other', async () => {
    const response = await get(pathOf(path, { ...query, ...period(day) }))
    const body = (await response.json()) as Answer & { data?: Answer }
    const { xValues, yValues } = body.data ?? body
    const common = ['data', 'data_type', 'empty', 'key_value', 'length', 'name']
    expect(Object.keys(xValues).toSorted()).toEqual(common)
    expect(yValues.map((series) => Object.keys(series).toSorted())).toEqual([['change', ...common].toSorted()])
  })

  it('have a name', async () => {
    const { xValues, yValues } = await answer()
    expect([xValues.name, yValues[0]?.name]).toEqual(names)
  })

  it('have the data_type time_series', async () => {
    const { xValues, yValues } = await answer()
    expect([xValues.data_type, yValues[0]?.data_type]).toEqual(['time_series', 'time_series'])
  })

  it('have data: strings in xValues, numbers in yValues', async () => {
    const { xValues, yValues } = await answer()
    expect(xValues.data).toEqual(labels())
    expect(yValues[0]?.data).toEqual(figures)
  })

  it('have a length, that of data', async () => {
    const { xValues, yValues } = await answer()
    expect([xValues.length, yValues[0]?.length]).toEqual([labels().length, figures.length])
  })

  it('have a key_value: the number of labels, and the users of the period', async () => {
    const { xValues, yValues } = await answer()
    expect([xValues.key_value, yValues[0]?.key_value]).toEqual([labels().length, headlines[0]])
    expect((await answer(day - DAY_MS)).yValues[0]?.key_value).toBe(headlines[1])
  })

  it('are empty where no item differs from zero', async () => {
    const { xValues, yValues } = await answer()
    expect([xValues.empty, yValues[0]?.empty]).toEqual([false, false])
    const nothing = await answer(day - 2 * DAY_MS)
    expect(nothing.yValues[0]?.empty).toBe(true)
    expect(nothing.xValues.empty).toBe(nothing.xValues.length === 0)
  })

  it('have in yValues alone the change against the preceding period, in whole percent', async () => {
    const { xValues, yValues } = await answer()
    expect(xValues).not.toHaveProperty('change')
    expect(yValues[0]?.change).toBe(100)
    expect((await answer(day + DAY_MS)).yValues[0]?.change).toBe(-100)
    expect((await answer(day - 2 * DAY_MS)).yValues[0]?.change).toBe(0)
  })
})
