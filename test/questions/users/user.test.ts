import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { createKey, getJson, request } from '../../support/client.ts'
import { createCrowd } from '../../support/crowd.ts'
import { type ListedUser, storedFields } from '../../support/user-list.ts'

it('shows the same fields of a user as the list of users', async () => {
  const crowd = await createCrowd(12)
  for (const { provider, curr_balance, curr_volume, ...user } of crowd.users) {
    const { data, ...rest } = await (await getJson(`/users/${user.telegram_id}`, crowd.key)).json<{
      data: ListedUser
    }>()
    expect(rest).toEqual({ status_code: 200, message: 'Success' })
    expect(storedFields(data)).toEqual(user)
    expect(data.acquired_by).toBe(user.utm)
  }
})

it('answers 404 for a user who was never seen, or only in other applications', async () => {
  const { users } = await createCrowd(1)
  const { accountId, key } = await createPlainApplication()
  for (const id of [users[0]?.telegram_id, 1, 2 ** 53 - 1]) {
    const response = await getJson(`/users/${id}`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'No event of this user was ever stored.' })
  }
  expect((await getJson('/users/1', await createKey(accountId, 'client'))).status).toBe(403)
})

describe('a path', () => {
  it.each([
    ['x', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['0', 'greater_than_equal'],
    ['-1', 'greater_than_equal'],
    [String(2 ** 53), 'less_than_equal'],
  ])('a path with %s for a messenger id is rejected', async (id, type) => {
    const { key } = await createPlainApplication()
    for (const path of [`/users/${id}`]) {
      const response = await getJson(path, key)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ detail: [{ loc: ['path', 'telegram_id'], type }] })
    }
  })

  it('a path of another question still answers that question', async () => {
    const { key } = await createPlainApplication()
    expect(await (await getJson('/users/segmentation', key)).json()).toMatchObject({ limit: 20, data: [] })
    expect(await (await getJson('/users', key)).json()).toMatchObject({ limit: 20, users: 0, data: [] })
    expect((await getJson('/users/1/x', key)).status).toBe(404)
  })

  it('does not accept POST', async () => {
    const { key } = await createPlainApplication()
    const allowed = {
      '/users/1': 'GET, HEAD, DELETE',
      '/users/segmentation': 'GET, HEAD',
      '/users/x': 'GET, HEAD, DELETE',
    }
    for (const [path, allow] of Object.entries(allowed)) {
      const response = await request(path, { method: 'POST', headers: { 'x-api-key': key } })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe(allow)
    }
  })
})
