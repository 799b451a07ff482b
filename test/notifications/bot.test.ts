import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { botWebhookOf } from '../../src/notifications/bot/secrets.ts'
import { createPlainApplication } from '../support/applications.ts'
import { askApi } from '../support/dashboard.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { addTestMember, change, forgetSubscriptions, saveReport, subscribe } from '../support/notifying.ts'

const { path: PATH, secret: SECRET } = botWebhookOf(env.BOT_TOKEN ?? '')

beforeEach(forgetSubscriptions)

interface Written {
  readonly from?: number
  readonly type?: string
  readonly path?: string
  readonly secret?: string | null
  /** `channel_post` in channels, which has no sender. */
  readonly kind?: string
  readonly chat?: number
  readonly forwarded?: object
}

async function post(
  text: unknown,
  {
    from = 77,
    type = 'private',
    path = PATH,
    secret = SECRET,
    kind = 'message',
    chat = from,
    forwarded = {},
  }: Written = {},
  bindings = {},
) {
  const request = new Request(`https://mauve.test${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret !== null && { 'x-telegram-bot-api-secret-token': secret }),
    },
    body: JSON.stringify({
      update_id: 1,
      [kind]: { from: { id: from }, chat: { id: chat, type }, text, ...forwarded },
    }),
  })
  return worker.fetch(request, { ...env, ...bindings }, createExecutionContext())
}

/** What the bot answers; null for nothing. */
async function say(text: unknown, written: Written = {}): Promise<string | null> {
  const response = await post(text, written)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { method?: string; chat_id?: number; text?: string }
  if (body.method === undefined) return null
  expect(body).toMatchObject({ method: 'sendMessage', chat_id: written.chat ?? written.from ?? 77 })
  return body.text ?? ''
}

let nextMember = 1_000_000

async function memberOfShop() {
  const application = await createPlainApplication()
  const now = Date.now()
  const events = [1, 2, 3].map((user) => ({ event_type: 'Order', telegram_id: user, datetime: now - user }))
  const paid = [{ event_type: 'Paid', telegram_id: 1, datetime: now }]
  await deliver(messagesOf(application.applicationId, [...events, ...paid], now))
  return { application, from: await addTestMember(application, nextMember++) }
}

describe('the bot', () => {
  it('says to a stranger who starts it their id, and nothing else to anybody', async () => {
    expect(await say('/start', { from: 4242 })).toBe('Your id is 4242.')
    expect(await say('/start something', { from: 4242 })).toBe('Your id is 4242.')
    for (const text of ['/today', '/week', '/funnel Pays', '/alerts', 'hello', '']) {
      expect(await say(text, { from: 4242 })).toBeNull()
    }
  })

  it('answers members with the figures of the API', async () => {
    const { application, from } = await memberOfShop()
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    const { yValues } = await askApi(application, '/users/activity', { start: today, end: today })
    const text = await say('/today', { from })
    expect(text).toContain(`Active users: ${yValues[0].key_value}, none on the whole `)
    expect(text).toContain(' so far\n')
    expect(await say('/today@our_bot', { from })).toBe(text)
    expect(await say('/week', { from })).toContain('No events.')
    expect(await say('/start', { from })).toContain(`Your id is ${from}.`)
    expect(await say('/constructor', { from })).toContain('/today')
  })

  it('shows a saved funnel by its name', async () => {
    const { application, from } = await memberOfShop()
    await saveReport(application, 'Pays', 'funnels?events=Order&events=Paid')
    await saveReport(application, 'Orders', 'events?event=Order')
    const { steps } = await askApi(application, '/funnels', { events: '["Order","Paid"]' })
    expect(steps.map(({ users }: { users: number }) => users)).toEqual([3, 1])
    const text = await say('/funnel pays', { from })
    expect(text).toBe('Lemon Shop: Pays, last 30 days\n1. Order: 3 users, 100%\n2. Paid: 1 user, 33.33%')
    expect(await say('/funnel', { from })).toBe('Saved funnels:\n/funnel Pays')
    expect(await say('/funnel Orders', { from })).toBe('Saved funnels:\n/funnel Pays')
  })

  it('lists alerts and how they are', async () => {
    const { application, from } = await memberOfShop()
    expect(await say('/alerts', { from })).toBe('Lemon Shop\nNo alerts.')
    const target = { type: 'member', telegram_id: from }
    const { id } = await subscribe(application, { name: 'Silence', rule: { type: 'silent', minutes: 30 }, target })
    expect(await say('/alerts', { from })).toBe('Lemon Shop\nSilence: quiet')
    await change(application, id, { is_on: false })
    expect(await say('/alerts', { from })).toBe('Lemon Shop\nSilence: off')
  })

  it('stops messages to groups and channels, and connects none for a channel that does not say who asks', async () => {
    const { application, from } = await memberOfShop()
    const chat = -1001234567890
    for (const written of [
      { chat, type: 'supergroup' },
      { chat, type: 'channel', kind: 'channel_post' },
    ]) {
      expect(await say('/stop', written)).toBeNull()
      const consent = 'insert into consents values (?, ?, ?, 0)'
      await env.DB.prepare(consent).bind(chat, application.accountId, from).run()
      expect(await say('/stop@our_bot', written)).toContain('no more messages')
    }
    const posted = { from, chat, type: 'channel', kind: 'channel_post' }
    expect(await say(`/connect ${application.handle}`, posted)).toBeNull()
    expect(await say('/today', posted)).toBeNull()
  })

  it("does not answer in groups, or messages that are not text or not the sender's own", async () => {
    const { from } = await memberOfShop()
    const forwarded = { forward_origin: { type: 'user', date: 1, sender_user: { id: from } } }
    for (const text of ['/alerts', '/stop', '/connect @lemon_shop_bot -100123'])
      expect(await say(text, { from, forwarded })).toBeNull()
    expect(await say('/today', { from, type: 'supergroup' })).toBeNull()
    expect(await say(undefined, { from })).toBeNull()
    expect(await say({ hostile: true }, { from })).toBeNull()
  })

  it('answers nobody but the messenger', async () => {
    const wrong = [
      { secret: null },
      { secret: '' },
      { secret: `${SECRET.slice(1)}0` },
      { path: `${PATH.slice(0, -1)}0` },
      { path: '/telegram/4711' },
    ]
    for (const written of wrong) expect((await post('/start', written)).status).toBe(404)
    expect((await post('/start', {}, { BOT_TOKEN: undefined })).status).toBe(404)
  })

  it('forgets a member who was removed, and writes neither token nor secret into the log', async () => {
    const { application, from } = await memberOfShop()
    await env.DB.prepare('delete from members where account_id = ?').bind(application.accountId).run()
    const lines: string[] = []
    const spies = (['log', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line))),
    )
    expect(await say('/today', { from })).toBeNull()
    for (const spy of spies) spy.mockRestore()
    expect(lines.length).toBeGreaterThan(0)
    for (const secret of [PATH, SECRET, 'of-a-bot-that-is-not-there']) expect(lines.join('\n')).not.toContain(secret)
  })
})
