import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_CAPTURE, MESSENGER_EVENTS, MINI_APP_EVENTS } from '../../../src/storage/capture-settings.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createAccount, getJson, postJson, registrationOf, request, sendJson } from '../../support/client.ts'

async function dataOf<T = Record<string, unknown>>(answer: Promise<Response>): Promise<T> {
  const response = await answer
  expect(response.status).toBe(200)
  const { data, ...envelope } = await response.json<{ data: T }>()
  expect(envelope).toEqual({ status_code: 200, message: 'Success' })
  return data
}

async function faultsOf(answer: Promise<Response>): Promise<string[]> {
  const response = await answer
  expect(response.status).toBe(422)
  const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
  return detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`).toSorted()
}

const change = (key: string, handle: string, body: unknown) =>
  sendJson('PATCH', `/applications/${handle}`, { key, body })

const put = (key: string, handle: string, body: unknown) =>
  sendJson('PUT', `/applications/${handle}/client-config`, { key, body })

const hostile = `<img src=x onerror=alert(1)> '"; drop table applications; -- \u202e🍋 $& %s {{x}}`

describe("an account's applications", () => {
  it('are listed by handle, with all that was said of them', async () => {
    const { key } = await createAccount()
    const suffix = randomUUID().slice(0, 8)
    const projects: string[] = []
    for (const handle of [`Zebra_${suffix}`, `ape_${suffix}`]) {
      const registered = await postJson('/applications/register', key, registrationOf(handle))
      projects.push((await registered.json<{ project_id: string }>()).project_id)
    }
    const [ape, zebra] = [`ape_${suffix}`, `Zebra_${suffix}`].map((handle, index) => ({
      ...registrationOf(handle),
      handle,
      bot_id: null,
      init_data_hours: 24,
      verified_only: false,
      keep_months: null,
      data_since: null,
      time_zone: 'UTC',
      time_zone_next: null,
      project_id: projects[1 - index],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    }))
    expect(await dataOf(getJson('/applications', key))).toEqual([ape, zebra])
    expect(await dataOf(getJson(`/applications/@${`Zebra_${suffix}`.toUpperCase()}`, key))).toEqual(zebra)
  })

  it('are an empty list at first', async () => {
    expect(await dataOf(getJson('/applications', (await createAccount()).key))).toEqual([])
  })

  it('are hidden from everybody else, in every operation', async () => {
    const [own, other] = [await createPlainApplication(), await createPlainApplication()]
    const before = await dataOf(getJson(`/applications/${other.handle}`, other.key))
    const ask = (handle: string) => [
      getJson(`/applications/${handle}`, own.key),
      change(own.key, handle, { name: 'Mine' }),
      getJson(`/applications/${handle}/client-config`, own.key),
      put(own.key, handle, { auto_capture: false }),
    ]
    const [foreign, none] = await Promise.all(
      [other.handle, 'nobody_has_this'].map(async (handle) =>
        Promise.all((await Promise.all(ask(handle))).map(async (answer) => [answer.status, await answer.text()])),
      ),
    )
    expect(foreign).toEqual(none)
    expect(foreign?.map(([status]) => status)).toEqual([404, 404, 404, 404])
    expect(await dataOf(getJson(`/applications/${other.handle}`, other.key))).toEqual(before)
    expect(await dataOf(getJson('/applications', own.key))).toMatchObject([{ handle: own.handle }])
  })

  it('may be called "register", and is then found with its at-sign', async () => {
    const { key } = await createAccount()
    await postJson('/applications/register', key, registrationOf('register'))
    expect(await dataOf(getJson('/applications/@register', key))).toMatchObject({ handle: 'register' })
    expect((await getJson('/applications/register', key)).status).toBe(405)
    expect(await dataOf(getJson('/applications/register/client-config', key))).toEqual(DEFAULT_CAPTURE)
  })
})

describe('a changed application', () => {
  it('has the given fields, and the others as they were', async () => {
    const { key, handle } = await createPlainApplication()
    const before = await dataOf(getJson(`/applications/${handle}`, key))
    expect(await dataOf(change(key, handle, {}))).toEqual(before)
    const renamed = { ...before, name: hostile, photo_url: 'https://example.org/é?"<' }
    expect(await dataOf(change(key, handle, { name: hostile, photo_url: renamed.photo_url }))).toEqual(renamed)
    expect(await dataOf(change(key, `@${handle}`, { description: '' }))).toEqual({ ...renamed, description: '' })
    expect(await dataOf(getJson(`/applications/${handle}`, key))).toEqual({ ...renamed, description: '' })
  })

  it('keeps to the bounds of a registration, and names every field that it does not know', async () => {
    const { key, handle } = await createPlainApplication()
    const wrong = '{"name":"","link":"javascript:1","photo_url":null,"handle":"@x","__proto__":{"a":1},"nmae":"x"}'
    expect(await faultsOf(change(key, handle, wrong))).toEqual([
      'body __proto__: extra_forbidden',
      'body handle: extra_forbidden',
      'body link: value_error',
      'body name: string_too_short',
      'body nmae: extra_forbidden',
      'body photo_url: string_type',
    ])
    expect(await faultsOf(change(key, handle, []))).toEqual(['body: dict_type'])
    expect(await faultsOf(change(key, handle, ''))).toEqual(['body: missing'])
    expect(await faultsOf(change(key, 'nobody_has_this', { nmae: 1 }))).toEqual(['body nmae: extra_forbidden'])
  })

  it('may name its bot, how old init data may be, and whether only verified events are taken', async () => {
    const { key, handle } = await createPlainApplication()
    const first = { bot_id: 4711, init_data_hours: 168, verified_only: true }
    expect(await dataOf(change(key, handle, first))).toMatchObject({ ...first, name: 'Lemon Shop' })
    expect(await dataOf(change(key, handle, { init_data_hours: 1 }))).toMatchObject({ ...first, init_data_hours: 1 })
    const none = { bot_id: null, verified_only: false }
    expect(await dataOf(change(key, handle, none))).toMatchObject(none)
    expect(await dataOf(change(key, handle, { bot_id: Number.MAX_SAFE_INTEGER }))).toMatchObject({
      verified_only: false,
    })
    expect(await dataOf(getJson('/applications', key))).toMatchObject([{ bot_id: Number.MAX_SAFE_INTEGER }])
  })

  it('may say for how many months events are kept, and tells since when there is data', async () => {
    const { key, handle, applicationId } = await createPlainApplication()
    expect(await dataOf(change(key, handle, { keep_months: 2 }))).toMatchObject({ keep_months: 2, data_since: null })
    const day = Date.UTC(2026, 0, 20) / 86_400_000
    await env.DB.prepare('update applications set kept_from = ? where id = ?').bind(day, applicationId).run()
    const kept = { keep_months: 2, data_since: '2026-02-19' }
    expect(await dataOf(getJson('/applications', key))).toMatchObject([kept])
    expect(await dataOf(change(key, handle, { keep_months: null }))).toMatchObject({ ...kept, keep_months: null })
  })

  it('takes verified events only if it has a bot', async () => {
    const { key, handle } = await createPlainApplication()
    const refused = async (body: unknown, field: string) =>
      expect(await faultsOf(change(key, handle, body))).toEqual([`body ${field}: value_error`])
    await refused({ verified_only: true }, 'verified_only')
    await refused({ verified_only: true, bot_id: null, name: 'Other' }, 'verified_only')
    await dataOf(change(key, handle, { bot_id: 4711, verified_only: true }))
    await refused({ bot_id: null, name: 'Other' }, 'bot_id')
    expect(await dataOf(change(key, handle, {}))).toMatchObject({
      bot_id: 4711,
      verified_only: true,
      name: 'Lemon Shop',
    })
  })

  it('stays consistent when two people change it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, handle } = await createPlainApplication()
      await dataOf(change(key, handle, { bot_id: 4711 }))
      await Promise.all([change(key, handle, { bot_id: null }), change(key, handle, { verified_only: true })])
      const { bot_id, verified_only } = await dataOf(change(key, handle, {}))
      expect([bot_id, verified_only]).not.toEqual([null, true])
    }
  })

  it.each([
    [{ bot_id: 0 }, 'bot_id: greater_than_equal'],
    [{ bot_id: -5 }, 'bot_id: greater_than_equal'],
    [{ bot_id: 1.5 }, 'bot_id: int_type'],
    [{ bot_id: 2 ** 53 }, 'bot_id: less_than_equal'],
    [{ bot_id: '4711' }, 'bot_id: int_type'],
    [{ bot_id: '4711:token' }, 'bot_id: int_type'],
    [{ init_data_hours: 0 }, 'init_data_hours: greater_than_equal'],
    [{ init_data_hours: 169 }, 'init_data_hours: less_than_equal'],
    [{ init_data_hours: null }, 'init_data_hours: int_type'],
    [{ verified_only: null }, 'verified_only: bool_type'],
    [{ verified_only: 'yes' }, 'verified_only: bool_type'],
    [{ keep_months: 1 }, 'keep_months: greater_than_equal'],
    [{ keep_months: 121 }, 'keep_months: less_than_equal'],
    [{ keep_months: 6.5 }, 'keep_months: int_type'],
    [{ data_since: null }, 'data_since: extra_forbidden'],
  ])('keeps to their bounds: %j', async (body, fault) => {
    const { key, handle } = await createPlainApplication()
    expect(await faultsOf(change(key, handle, body))).toEqual([`body ${fault}`])
  })
})

describe('capture settings', () => {
  afterEach(() => void vi.useRealTimers())

  it('are changed field by field', async () => {
    const { key, handle } = await createPlainApplication()
    expect(await dataOf(put(key, handle, {}))).toEqual(DEFAULT_CAPTURE)
    const first = { auto_capture: false, auto_capture_messages: [hostile.slice(0, 100)] }
    expect(await dataOf(put(key, handle, first))).toEqual({ ...DEFAULT_CAPTURE, ...first })
    const second = {
      auto_capture_mini_app_events: [...MINI_APP_EVENTS],
      auto_capture_telegram_events: [...MESSENGER_EVENTS],
    }
    const both = { ...DEFAULT_CAPTURE, ...first, ...second }
    expect(await dataOf(put(key, handle, second))).toEqual(both)
    expect(await dataOf(getJson(`/applications/${handle}/client-config`, key))).toEqual(both)
    expect(await dataOf(put(key, handle, DEFAULT_CAPTURE))).toEqual(DEFAULT_CAPTURE)
  })

  it('keep the changes of two requests at the same moment', async () => {
    const { key, handle } = await createPlainApplication()
    await Promise.all([
      put(key, handle, { auto_capture: false }),
      put(key, handle, { auto_capture_classes: ['buy'] }),
      put(key, handle, { auto_capture_commands: ['/start'] }),
    ])
    expect(await dataOf(put(key, handle, {}))).toEqual({
      ...DEFAULT_CAPTURE,
      auto_capture: false,
      auto_capture_classes: ['buy'],
      auto_capture_commands: ['/start'],
    })
  })

  it('name once what a list names twice', async () => {
    const { key, handle } = await createPlainApplication()
    const lists = {
      auto_capture_tags: ['b', 'a', 'b'],
      advanced_tracking_features: new Array(3).fill('wallet_connected'),
    }
    expect(await dataOf(put(key, handle, lists))).toMatchObject({
      auto_capture_tags: ['b', 'a'],
      advanced_tracking_features: ['wallet_connected'],
    })
  })

  it('keep to their bounds, and no others are known', async () => {
    const { key, handle } = await createPlainApplication()
    const most = { auto_capture_classes: Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(100, 'x')) }
    expect(await dataOf(put(key, handle, most))).toMatchObject(most)
    const wrong = {
      auto_capture: 'yes',
      auto_capture_tags: ['', 'x'.repeat(101), 5, 'a\0'],
      auto_capture_classes: new Array(101).fill('a'),
      auto_capture_commands: null,
      auto_capture_telegram_events: ['message', 'massage'],
      app_name: 'x',
      host: 'https://elsewhere.example',
    }
    expect(await faultsOf(put(key, handle, wrong))).toEqual([
      'body app_name: extra_forbidden',
      'body auto_capture: bool_type',
      'body auto_capture_classes: too_long',
      'body auto_capture_commands: list_type',
      'body auto_capture_tags 0: string_too_short',
      'body auto_capture_tags 1: string_too_long',
      'body auto_capture_tags 2: string_type',
      'body auto_capture_tags 3: value_error',
      'body auto_capture_telegram_events 1: enum',
      'body host: extra_forbidden',
    ])
    expect(await dataOf(getJson(`/applications/${handle}/client-config`, key))).toMatchObject(most)
  })

  it('reach tracking clients within 90 seconds', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const { key, handle } = await createPlainApplication()
    const config = async () =>
      (await request('/v1/client/config', { headers: { authorization: key } })).json<Record<string, unknown>>()
    expect(await config()).toMatchObject({ auto_capture: true })
    await put(key, handle, { auto_capture: false, auto_capture_tags: ['input'] })
    await change(key, handle, { name: 'Lime Shop' })
    vi.setSystemTime(start + 90_000)
    expect(await config()).toMatchObject({
      app_name: 'Lime Shop',
      auto_capture: false,
      auto_capture_tags: ['input'],
      auto_capture_telegram: false,
    })
  })
})

it('an application that was kept without some settings has the default ones', async () => {
  const { key, handle, applicationId } = await createPlainApplication()
  const update = env.DB.prepare(`update applications set capture = '{"auto_capture":false}' where id = ?`)
  await update.bind(applicationId).run()
  expect(await dataOf(put(key, handle, { auto_capture_classes: ['x'] }))).toEqual({
    ...DEFAULT_CAPTURE,
    auto_capture: false,
    auto_capture_classes: ['x'],
  })
})
