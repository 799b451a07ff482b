import { describe, expect, it } from 'vitest'
import { expectFaults, expectProblem, get, handle, needOwned, newHandle, post, registrationOf } from './client.ts'
import { aCount, expectFigures, expectLastDays } from './figures.ts'

interface Timeseries {
  readonly handle: string
  readonly timeseries_data: Record<string, number>
}

function pathOf(handle: string): string {
  return `/monthly-active-users/timeseries/${handle}`
}

async function read(path: string): Promise<Timeseries> {
  const response = await get(path)
  expect(response.status).toBe(200)
  return (await response.json()) as Timeseries
}

it('has every field, and nothing else (§2, §Monthly-active-users timeseries response)', async () => {
  const response = await get(pathOf(handle))
  expectFigures(response)
  expect(await response.json()).toEqual({
    name: 'Conformance',
    handle,
    link: `https://t.me/${handle}`,
    timeseries_data: expect.any(Object),
    status_code: 200,
    message: 'Success',
  })
})

it('has one count a day, oldest first, for 30 days by default (§2)', async () => {
  const { timeseries_data } = await read(pathOf(handle))
  expectLastDays(Object.keys(timeseries_data), 30)
  for (const users of Object.values(timeseries_data)) expect(users).toEqual(aCount)
})

it('is zero where nothing happened', async () => {
  const name = newHandle()
  expect((await post('/applications/register', registrationOf(name))).status).toBe(200)
  const { timeseries_data } = await read(`${pathOf(name.slice(1))}?days=3`)
  expect(Object.values(timeseries_data)).toEqual([0, 0, 0])
})

describe('days (§2, §Limits)', () => {
  it.each([
    ['1', 1],
    ['30', 30],
    ['%2B5', 5],
    ['3650', 3650],
  ])('may be %s', async (days, count) => {
    expectLastDays(Object.keys((await read(`${pathOf(handle)}?days=${days}`)).timeseries_data), count)
  })

  it.each([
    ['0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['-1', 'greater_than_equal', 'Input should be greater than or equal to 1'],
    ['3651', 'less_than_equal', 'Input should be less than or equal to 3650'],
    ['9'.repeat(40), 'less_than_equal', 'Input should be less than or equal to 3650'],
  ])('may not be %s', async (days, type, msg) => {
    await expectFaults(await get(`${pathOf(handle)}?days=${days}`), { loc: ['query', 'days'], type, msg })
  })
})

describe('a handle (§2, §Errors)', () => {
  it.each([`@${handle}`, `%40${handle}`, handle.toUpperCase(), `@${handle.toUpperCase()}`])(
    'may be given as %s; it is shown as it was registered',
    async (given) => expect((await read(pathOf(given))).handle).toBe(handle),
  )

  it('keeps the letter case in which it was registered', async () => {
    const name = `${newHandle()}_Mixed`
    expect((await post('/applications/register', registrationOf(name))).status).toBe(200)
    expect((await read(pathOf(name.toLowerCase()))).handle).toBe(name.slice(1))
  })

  it.each([
    'conformance_nobody',
    `@@${handle}`,
    `${handle}_`,
    `${handle}%20`,
    '%27%20or%201=1%20--',
    '%F0%9F%8D%8B',
    '%25',
    '@',
    'x'.repeat(5000),
  ])('an unknown handle is not found (%#)', async (given) => expectProblem(await get(pathOf(given)), 404))

  it('a handle of another account may be read', async (context) => {
    const { foreignHandle } = needOwned(context)
    expect((await read(pathOf(foreignHandle))).handle).toBe(foreignHandle)
  })

  it('may be read with the plan "standard"', async (context) => {
    expect((await get(pathOf(handle), needOwned(context).standardKey)).status).toBe(200)
  })
})
