import { beforeAll, describe, expect, it, vi } from 'vitest'
import { expectFaults, get, newUser } from './client.ts'
import { expectLastDays } from './figures.ts'
import {
  type Answer,
  ask,
  collect,
  compact,
  DAY_MS,
  daysAgo,
  did,
  findQuietDays,
  nameOf,
  pathOf,
  period,
  type Query,
} from './history.ts'

const visit = nameOf('visit')
const QUESTIONS: [string, Query][] = [
  ['/users/segmentation/aggregated', {}],
  ['/users/activity', {}],
  ['/funnels', { events: [visit, visit] }],
  ['/events/segmentation', { event: visit }],
]

/** A day such that, from three days before to one day after, nobody else's events happened. */
let last = 0

beforeAll(async () => {
  last = (await findQuietDays(5, 4)) + 3 * DAY_MS
  const times = [
    // Too early for 30 days that end with the last one, and just in time.
    last - 29 * DAY_MS - 1,
    last - 29 * DAY_MS,
    // The last moment of the day before, the first and the last of the day, the first of the day after.
    last - 1,
    last,
    last + DAY_MS - 1,
    last + DAY_MS,
  ]
  await collect(times.map((time) => did(visit, newUser(), time)))
  await collect([did(visit, newUser(), Date.now())])
})

describe.each(QUESTIONS)('the period of %s (§5, §6, §7, §Gaps)', (path, question) => {
  const answer = (query: Query) => ask(path, { ...question, ...query })
  const refuse = (query: Query) => get(pathOf(path, { ...question, ...query }))

  const count = ({ yValues }: Answer) => (path === '/funnels' ? yValues[0]?.data[0] : yValues[0]?.key_value) ?? 0
  const countIn = async (query: Query) => count(await answer(query))

  it('includes both its days, from the first moment to the last', async () => {
    expect(await countIn(period(last - 2 * DAY_MS))).toBe(0)
    expect(await countIn(period(last - DAY_MS))).toBe(1)
    expect(await countIn(period(last))).toBe(2)
    expect(await countIn(period(last - DAY_MS, last))).toBe(3)
  })

  it('starts 29 days before its end by default', async () => {
    expect(await answer({ end: compact(last) })).toEqual(await answer(period(last - 29 * DAY_MS, last)))
    expect(await countIn({ end: compact(last) })).toBeLessThan(await countIn(period(last - 30 * DAY_MS, last)))
    expect(await countIn({ end: compact(last) })).toBeGreaterThan(await countIn(period(last - 28 * DAY_MS, last)))
  })

  it('ends today by default', async () => {
    // Others may be collecting at this moment, and a new day may begin.
    await vi.waitFor(async () => {
      const [asked, meant] = await Promise.all([answer({ start: compact(daysAgo(0)) }), answer(period(daysAgo(0)))])
      expect(asked).toEqual(meant)
      expect(count(asked)).toBeGreaterThan(0)
    }, 60_000)
  })

  it('is the last 30 days by default', async () => {
    await vi.waitFor(async () => {
      const [asked, meant] = await Promise.all([answer({}), answer(period(daysAgo(29), daysAgo(0)))])
      expect(asked).toEqual(meant)
    }, 60_000)
  })

  it('has 366 days at most', async () => {
    expect((await refuse({ start: '20240101', end: '20241231' })).status).toBe(200)
    const fault = { loc: ['query', 'start'], type: 'value_error' }
    await expectFaults(await refuse({ start: '20231231', end: '20241231' }), fault)
    await expectFaults(await refuse({ start: compact(daysAgo(367)) }), fault)
  })

  it('does not end before it starts', async () => {
    const fault = { loc: ['query', 'start'], type: 'value_error' }
    await expectFaults(await refuse({ start: '20250602', end: '20250601' }), fault)
    await expectFaults(await refuse({ start: compact(daysAgo(-2)) }), fault)
  })

  it('is reported as wrong together with everything else', async () => {
    await expectFaults(
      await refuse({ start: '20250602', end: '20250601', project: ['', ''] }),
      { loc: ['query', 'project'], type: 'string_type' },
      { loc: ['query', 'start'], type: 'value_error' },
    )
  })

  it.each(['', 'today', '2025-06-01', '20250230', '2025061', '202506011', '20251301', '２０２５０６０１'])(
    'has no day "%s"',
    async (day) => {
      await expectFaults(await refuse({ start: day }), { loc: ['query', 'start'], type: 'value_error' })
      await expectFaults(
        await refuse({ start: day, end: day }),
        { loc: ['query', 'start'], type: 'value_error' },
        { loc: ['query', 'end'], type: 'value_error' },
      )
    },
  )
})

it('the days of an answer are those of the period, today included', async () => {
  const { xValues } = await ask('/events/segmentation', { event: visit })
  expectLastDays(xValues.data, 30)
})
