import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { LEA, thirdPartyInitData } from '../support/init-data.ts'
import { apiKey, call, get, newHandle, newUser, owned, post, registrationOf } from './client.ts'
import { DAY_MS, pathOf, period } from './history.ts'

const BOT = 7_342_037_359
const COLLECTION = '/v1/client/events'
const NOW = Date.now()
const CLIENT_USER = newUser()
const SERVER_USER = newUser()

function send(method: string, path: string, body: unknown, key = apiKey): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return call(path, { method, headers, body: JSON.stringify(body) })
}

function event(event_id: string, said: object = {}) {
  return { event_type: 'visit', datetime: NOW, event_id, ...said }
}

/** Keys of an application of its own, whose events nobody else counts. */
async function createApplication() {
  const handle = newHandle().slice(0, 40)
  await post('/applications/register', registrationOf(handle))
  const path = `/applications/${handle.slice(1)}`
  const keyOf = async (scope: string) => {
    const issued = (await (await post('/keys', { name: 'Verified', scope, handle })).json()) as {
      data: { key: string }
    }
    return issued.data.key
  }
  return { path, client: await keyOf('client'), read: await keyOf('read') }
}

/** Skips what needs init data signed with the key of these tests, which other services reject. */
describe.skipIf(owned === null)('users that are real', () => {
  let keys: Awaited<ReturnType<typeof createApplication>>
  const good = { init_data: thirdPartyInitData({ botId: BOT, chatType: 'private' }), events: [event(randomUUID())] }

  const questions = (query: Record<string, string>) =>
    get(
      pathOf('/events/segmentation', { event: '_active', mode: 'totals', ...period(NOW - DAY_MS, NOW), ...query }),
      keys.read,
    )

  /** Series by name, with how many events each has. */
  async function figuresOf(query: Record<string, string>): Promise<Record<string, number>> {
    const { yValues } = (await (await questions(query)).json()) as { yValues: { name: string; key_value: number }[] }
    return Object.fromEntries(yValues.map(({ name, key_value }) => [name, key_value]))
  }

  const by = (op: string, ...values: unknown[]) =>
    figuresOf({ filters: JSON.stringify([{ prop: 'verified', op, values }]) }).then(({ _active }) => _active)

  beforeAll(async () => {
    keys = await createApplication()
    const settings = { bot_id: BOT, init_data_hours: 48 }
    const changed = await send('PATCH', keys.path, settings)
    expect(await changed.json()).toMatchObject({ data: { ...settings, verified_only: false } })
    const plain = [event(randomUUID(), { telegram_id: CLIENT_USER }), event(randomUUID(), { telegram_id: SERVER_USER })]
    for (const body of [plain, { ...good, sent_at: NOW }, good]) {
      expect((await send('POST', COLLECTION, body, keys.client)).status).toBe(200)
    }
    const all = () => by('is', 'true', 'false')
    await vi.waitFor(async () => expect(await all()).toBe(3), { timeout: 60_000, interval: 200 })
  })

  it('can be selected by filters and groups', async () => {
    expect(await figuresOf({ group_by: 'verified' })).toEqual({ true: 1, false: 2 })
    expect(await figuresOf({ group_by: 'verified,referrer_type' })).toEqual({ 'true, private': 1, 'false, (none)': 2 })
    const told = [by('is', true), by('is', false), by('is not', 'true'), by('is', '(none)'), by('is not', '(none)')]
    expect(await Promise.all(told)).toEqual([1, 2, 2, 0, 3])
    const others = [by('contains', 'als'), by('greater', 'false'), by('set is', 'false'), by('set is not', 'false')]
    expect(await Promise.all(others)).toEqual([2, 1, 2, 1])
  })

  it('are shown as such, one by one and as values', async () => {
    const values = await get('/properties/verified/values', keys.read)
    expect(await values.json()).toMatchObject({
      property: 'verified',
      data: [
        { value: 'false', events: 2, users: 2 },
        { value: 'true', events: 1, users: 1 },
      ],
    })
    const properties = (await (await get('/properties', keys.read)).json()) as { data: { property: string }[] }
    expect(properties.data).toContainEqual({ property: 'verified', events: 3 })
    for (const [id, verified] of [
      [LEA.id, true],
      [CLIENT_USER, false],
    ] as const) {
      const events = await get(`/users/${id}/events`, keys.read)
      expect(await events.json()).toMatchObject({ data: [{ context: { verified } }] })
    }
  })

  it('cannot be made up', async () => {
    const forged = good.init_data.replace('Lea', 'Eve')
    const refused = await send('POST', COLLECTION, { ...good, init_data: forged }, keys.client)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({
      detail: `This init data is not signed by the messenger for the bot ${BOT}, which the application names as its bot_id.`,
    })
    const foreign = await send('POST', COLLECTION, { ...good, events: [event('x', { telegram_id: 1 })] }, keys.client)
    expect([foreign.status, await foreign.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'events', 0, 'telegram_id'] }] },
    ])
  })
})
