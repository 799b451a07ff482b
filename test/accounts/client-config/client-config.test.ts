import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ADVANCED_FEATURES, MESSENGER_EVENTS, MINI_APP_EVENTS } from '../../../src/storage/capture-settings.ts'
import { createApplication, postJson, registrationOf, request } from '../../support/client.ts'

function getConfig(key: string): Promise<Response> {
  return request('/v1/client/config', { headers: { authorization: `Bearer ${key}` } })
}

async function nameFor(key: string): Promise<string> {
  const response = await getConfig(key)
  return response.status === 200 ? (await response.json<{ app_name: string }>()).app_name : `${response.status}`
}

describe('the answer', () => {
  it('has the name, the public key, the address for events and the default settings', async () => {
    const { id, key } = await createApplication()
    const answer = await (await getConfig(key)).json()
    const statement = env.DB.prepare('select public_key from applications where account_id = ?').bind(id)
    expect(answer).toEqual({
      app_name: 'Lemon Shop',
      public_key: await statement.first('public_key'),
      host: 'https://mauve.test/v1/client/events',
      auto_capture: true,
      auto_capture_tags: ['a', 'button'],
      auto_capture_classes: [],
      auto_capture_mini_app_events: [],
      auto_capture_commands: [],
      auto_capture_messages: [],
      auto_capture_telegram: false,
      auto_capture_telegram_events: [],
      advanced_tracking_features: [],
    })
  })

  it('has the settings of the application, where they are not the default ones', async () => {
    const { id, key } = await createApplication()
    const capture = {
      auto_capture: false,
      auto_capture_tags: ['input'],
      auto_capture_classes: ['buy'],
      auto_capture_mini_app_events: [...MINI_APP_EVENTS],
      auto_capture_commands: ['/start'],
      auto_capture_messages: ['hello'],
      auto_capture_telegram: true,
      auto_capture_telegram_events: [...MESSENGER_EVENTS],
      advanced_tracking_features: [...ADVANCED_FEATURES],
    }
    const update = env.DB.prepare('update applications set capture = ? where account_id = ?')
    await update.bind(JSON.stringify(capture), id).run()
    expect(await (await getConfig(key)).json()).toMatchObject(capture)
  })

  it('has one more field for the clients of Mauve, and for no other', async () => {
    const { id, key } = await createApplication()
    const update = env.DB.prepare('update applications set capture = ? where account_id = ?')
    const mauve = { mini_app_events: ['HomeScreenAdded'], telegram_events: ['other'], errors: true }
    await update.bind(JSON.stringify({ auto_capture: true, mauve }), id).run()
    const textOf = async (query: string) =>
      (await request(`/v1/client/config${query}`, { headers: { authorization: key } })).text()
    const published = await textOf('')
    for (const query of ['?client=', '?client=Mauve', '?client=%00', '?client=mauve%20', '?mauve=1&mauve=1']) {
      expect(await textOf(query)).toBe(published)
    }
    const own = JSON.parse(await textOf('?client=mauve'))
    expect(own).toEqual({ ...JSON.parse(published), mauve: { ...mauve, foreground_time: false } })
  })

  it('the answer for published clients never changes by a byte', async () => {
    const { id, key } = await createApplication()
    const text = await (await getConfig(key)).text()
    const publicKey = await env.DB.prepare('select public_key from applications where account_id = ?')
      .bind(id)
      .first('public_key')
    expect(text.replace(JSON.stringify(publicKey), '"KEY"')).toBe(
      '{"app_name":"Lemon Shop","public_key":"KEY","host":"https://mauve.test/v1/client/events","auto_capture":true,' +
        '"auto_capture_tags":["a","button"],"auto_capture_classes":[],"auto_capture_mini_app_events":[],' +
        '"auto_capture_commands":[],"auto_capture_messages":[],"auto_capture_telegram":false,' +
        '"auto_capture_telegram_events":[],"advanced_tracking_features":[]}',
    )
  })

  it('contains no secret', async () => {
    const { key } = await createApplication()
    const text = await (await getConfig(key)).text()
    expect(text).not.toMatch(/private|sealed|hash|account/i)
    expect(text).not.toContain(key)
  })
})

describe('within 90 seconds', () => {
  const start = Date.now()

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
  afterEach(() => void vi.useRealTimers())

  /** Asks once, when the time is over. */
  function askLate(key: string): Promise<string> {
    vi.setSystemTime(start + 90_000)
    return nameFor(key)
  }

  /** Asks as often as busy pages do, so that copies are renewed. */
  async function askOften(key: string): Promise<string> {
    for (let seconds = 5; seconds < 90; seconds += 5) {
      vi.setSystemTime(start + seconds * 1000)
      await nameFor(key)
    }
    return askLate(key)
  }

  it.each([askLate, askOften])('a changed registration shows (%o)', async (ask) => {
    const { key, handle } = await createApplication()
    expect(await nameFor(key)).toBe('Lemon Shop')
    await postJson('/applications/register', key, { ...registrationOf(handle), name: 'Lime Shop' })
    expect(await ask(key)).toBe('Lime Shop')
  })
})
