import { expect, it, vi } from 'vitest'
import { createBotClient } from '../../src/client/bot/client.ts'
import { apiKey, baseUrl, call, newUser } from '../conformance/client.ts'
import { registerServed } from '../support/served-application.ts'
import { ODD_UPDATES, UPDATES } from '../support/updates.ts'

async function latestEvents(project: string): Promise<unknown[]> {
  const answer = await call('/events/latest', { headers: { 'x-api-key': apiKey, 'x-project-id': project } })
  return ((await answer.json()) as { data: unknown[] }).data
}

it('what a bot receives shows in the service as its settings say, once', async () => {
  const capture = {
    auto_capture_telegram: true,
    auto_capture_telegram_events: ['message', 'bot_blocked'],
    auto_capture_commands: ['/start'],
  }
  const { project } = await registerServed({ capture })
  const from = { ...UPDATES.message.message.from, id: newUser() }
  const date = Math.floor(Date.now() / 1000)
  const by = <T extends object>(update: T) => ({ ...update, from, date })
  const updates = [
    { update_id: 41, message: by(ODD_UPDATES.start.message) },
    { update_id: 42, message: { ...by(UPDATES.message.message), date: date + 1 } },
    { update_id: 43, callback_query: { ...UPDATES.callback_query.callback_query, from } },
    { update_id: 44, my_chat_member: { ...by(UPDATES.bot_blocked.my_chat_member), date: date + 2 } },
  ]
  // As a webhook whose answer got lost: it is delivered again, perhaps to another process.
  for (const own of ['Order paid', 'Order packed']) {
    const mauve = createBotClient({ host: baseUrl, key: apiKey, project })
    for (const update of updates) mauve.trackUpdate(update)
    mauve.track(from, own, { total: 250 })
    await mauve.flush()
    expect(mauve.dropped).toBe(0)
  }

  const isThere = async () => expect(await latestEvents(project)).toContainEqual(named('Order packed'))
  await vi.waitFor(isThere, { timeout: 60_000, interval: 100 })
  const events = await latestEvents(project)
  expect(events).toHaveLength(5)
  expect(events).toEqual(
    expect.arrayContaining([
      named('telegram_command /start', {
        telegram_id: from.id,
        context: expect.objectContaining({
          language: 'de',
          is_premium: true,
          referrer_type: 'private',
          start_parameter: 'promo_42',
          write_access: true,
        }),
        params: { content: 'text', chat_type: 'private', command: '/start' },
      }),
      named('telegram_message'),
      named('telegram_bot_blocked', { context: expect.objectContaining({ write_access: false }) }),
      named('Order paid', { params: { total: 250 } }),
    ]),
  )
})

function named(name: string, others: object = {}): unknown {
  return expect.objectContaining({ name, ...others })
}
