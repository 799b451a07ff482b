import { expect, it, vi } from 'vitest'
import { createApplication, getJson, postJson, request } from '../support/client.ts'
import { sealInBrowser } from '../support/tracking-clients.ts'

it('takes an event of the React client', async () => {
  const { key } = await createApplication()
  const config = await request('/v1/client/config', { headers: { authorization: `Bearer ${key}` } })
  const { public_key } = (await config.json()) as { public_key: string }
  const event = { eventType: 'Session start', telegramID: '7234567890', timestamp: String(Math.floor(Date.now() / 1000)), userDetails: { username: 'lemon', firstName: '', lastName: '', isPremium: true }, language: 'en', sessionIdentifier: '1' }
  expect((await postJson('/v1/client/events', key, sealInBrowser(event, public_key))).status).toBe(200)
  await vi.waitFor(async () => {
    const { data } = (await (await getJson('/users/segmentation', key)).json()) as { data: unknown[] }
    expect(data).toMatchObject([{ telegram_id: 7234567890, username: 'lemon', firstname: null, is_premium: true }])
  }, 5000)
})
