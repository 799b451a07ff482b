import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { createAccount, getJson } from '../../support/client.ts'

it('answers with 60 days, oldest first, ending today at midnight', async () => {
  const { handle, key } = await createPlainApplication()
  const response = await getJson(`/enterprise/@${handle.toUpperCase()}/premium-timeseries`, key)
  const { data, ...rest } = await response.json<{ data: { date: string }[] }>()
  expect(rest).toEqual({ handle, status_code: 200, message: 'Success' })
  expect(data).toHaveLength(60)
  expect(data.at(-1)).toEqual({
    date: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`,
    premium_users: 0,
    non_premium_users: 0,
  })
  expect(response.headers.has('figures-as-of')).toBe(true)
})

it('answers 404 for applications of others, as for unknown handles', async () => {
  const { handle } = await createPlainApplication()
  const { key } = await createAccount()
  const [foreign, unknown] = [handle, 'nobody_here'].map((name) =>
    getJson(`/enterprise/${name}/premium-timeseries`, key),
  )
  expect((await foreign)?.status).toBe(404)
  expect(await (await foreign)?.json()).toEqual(await (await unknown)?.json())
})

it.each(['/enterprise/available-handles', '/enterprise/any_handle/premium-timeseries'])(
  '%s requires the plan enterprise',
  async (path) => {
    const { key } = await createAccount('standard')
    const response = await getJson(path, key)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ detail: 'This operation needs the plan enterprise.' })
  },
)

it("lists the handles of the caller's applications", async () => {
  const { handle, key } = await createPlainApplication()
  await createPlainApplication()
  expect(await (await getJson('/enterprise/available-handles', key)).json()).toEqual([handle])
  expect(await (await getJson('/enterprise/available-handles', (await createAccount()).key)).json()).toEqual([])
})
