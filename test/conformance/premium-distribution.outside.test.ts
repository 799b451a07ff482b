import { describe, expect, it } from 'vitest'
import { expectProblem, get, handle, needOwned, newHandle, post, registrationOf } from './client.ts'
import { aCount, expectFigures, expectLastDays } from './figures.ts'

const HANDLES = '/enterprise/available-handles'

interface Distribution {
  readonly handle: string
  readonly data: readonly { date: string; premium_users: number; non_premium_users: number }[]
}

function pathOf(handle: string): string {
  return `/enterprise/${handle}/premium-timeseries`
}

async function read(handle: string): Promise<Distribution> {
  const response = await get(pathOf(handle))
  expect(response.status).toBe(200)
  return (await response.json()) as Distribution
}

async function listHandles(): Promise<string[]> {
  const response = await get(HANDLES)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return (await response.json()) as string[]
}

async function register(handle: string): Promise<void> {
  expect((await post('/applications/register', registrationOf(handle))).status).toBe(200)
}

describe('the premium distribution (§8, §Premium distribution response, §Limits)', () => {
  it('has every field, and nothing else', async () => {
    const response = await get(pathOf(handle))
    expectFigures(response)
    const body = (await response.json()) as Distribution
    expect(body).toEqual({ handle, data: expect.any(Array), status_code: 200, message: 'Success' })
    const day = { date: expect.any(String), premium_users: aCount, non_premium_users: aCount }
    for (const entry of body.data) expect(entry).toEqual(day)
  })

  it('has the midnights of the last 60 days, oldest first', async () => {
    const dates = (await read(handle)).data.map(({ date }) => date)
    for (const date of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    expectLastDays(
      dates.map((date) => date.slice(0, 10)),
      60,
    )
  })

  it('is zero where nothing happened', async () => {
    const name = newHandle()
    await register(name)
    const counts = (await read(name.slice(1))).data.map((day) => [day.premium_users, day.non_premium_users])
    expect(counts).toEqual(Array.from({ length: 60 }, () => [0, 0]))
  })

  it.each([`@${handle}`, `%40${handle}`, handle.toUpperCase()])('takes the handle as %s', async (given) => {
    expect((await read(given)).handle).toBe(handle)
  })

  it.each(['conformance_nobody', `@@${handle}`, '%27%20or%201=1%20--', '@', 'x'.repeat(5000)])(
    'does not find a handle that nobody has (%#)',
    async (given) => expectProblem(await get(pathOf(given)), 404),
  )

  it('does not find a handle of another account', async (context) => {
    const { foreignHandle } = needOwned(context)
    for (const given of [foreignHandle, `@${foreignHandle}`, foreignHandle.toUpperCase()]) {
      await expectProblem(await get(pathOf(given)), 404)
    }
  })
})

describe('the available handles (§9)', () => {
  it("are the account's own, without an at-sign, in order", async () => {
    const handles = await listHandles()
    expect(handles).toContain(handle)
    for (const name of handles) expect(name).toMatch(/^[A-Za-z0-9_]+$/)
    const lower = handles.map((name) => name.toLowerCase())
    expect(lower).toEqual(lower.toSorted())
  })

  it("do not include another account's", async (context) => {
    expect(await listHandles()).not.toContain(needOwned(context).foreignHandle)
  })

  it('include a new one immediately, in the letter case in which it was registered', async () => {
    const name = `${newHandle()}_Mixed`
    await register(name)
    expect(await listHandles()).toContain(name.slice(1))
  })

  it('are empty if no application is registered', async (context) => {
    const [, , , key] = needOwned(context).newKeys
    const response = await get(HANDLES, key)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual([])
  })
})

it('with the plan "standard" neither opens, not even for an application of one\'s own (§8, §9, §Authentication)', async (context) => {
  const { newStandardKey: standardKey } = needOwned(context)
  const name = newHandle()
  const registered = await post('/applications/register', registrationOf(name), { 'x-api-key': standardKey })
  expect(registered.status).toBe(200)
  for (const path of [pathOf(name.slice(1)), pathOf(handle), HANDLES]) {
    await expectProblem(await get(path, standardKey), 403)
  }
})
