import { Bot } from 'grammy'
import { expect, it, vi } from 'vitest'
import { createBotClient } from '../../src/client/bot/client.ts'
import { type CollectedEvent, createCollectingService } from '../support/collecting-service.ts'
import { ODD_UPDATES, UPDATES } from '../support/updates.ts'

type BotUpdate = Parameters<Bot['handleUpdate']>[0]
type BotInfo = Bot['botInfo']

const ME = { id: 6000000001, is_bot: true, first_name: 'Lemon Shop', username: 'lemon_shop_bot' } as BotInfo

/** A bot that calls nobody: whatever it asks of the messenger succeeds. */
function createGrammyBot() {
  const bot = new Bot('4711:of-a-bot-that-is-not-there', { botInfo: ME })
  const calls: string[] = []
  bot.api.config.use(async (_previous, method) => {
    calls.push(method)
    return { ok: true, result: true } as never
  })
  return { bot, calls }
}

function createMauve() {
  const service = createCollectingService({
    auto_capture_telegram_events: ['message', 'callback_query'],
    auto_capture_commands: ['/start'],
  })
  const mauve = createBotClient({ host: 'https://mauve.example', key: 'k', project: 'p', fetch: service.fetch })
  const names = async () => {
    await mauve.flush()
    return service.taken.map(({ event_type }: CollectedEvent) => event_type)
  }
  return { service, mauve, names }
}

async function handle(bot: Bot, ...updates: unknown[]) {
  for (const update of updates) await bot.handleUpdate(update as BotUpdate)
}

it('tracks updates and continues to the handlers', async () => {
  const { bot, calls } = createGrammyBot()
  const { mauve, names } = createMauve()
  bot.use(mauve.grammy())
  bot.command('start', (ctx) => ctx.reply('Welcome!'))
  await handle(bot, ODD_UPDATES.start, UPDATES.callback_query, UPDATES.channel_post)
  expect(calls).toEqual(['sendMessage'])
  expect(await names()).toEqual(['telegram_command /start', 'telegram_callback_query'])
})

it('knows the name of the bot', async () => {
  const { bot } = createGrammyBot()
  const { mauve, names } = createMauve()
  bot.use(mauve.grammy())
  await handle(bot, ODD_UPDATES.startOfAnotherBot, ODD_UPDATES.startOfBotInGroup)
  expect(await names()).toEqual(['telegram_message', 'telegram_command /start'])
})

it("tracks and continues with Telegraf, whose context has only the bot's name", async () => {
  const { mauve, names } = createMauve()
  const next = vi.fn(async () => {})
  for (const update of [ODD_UPDATES.startOfAnotherBot, ODD_UPDATES.startOfBotInGroup])
    await mauve.telegraf()({ update, me: ME.username }, next)
  expect(next).toHaveBeenCalledTimes(2)
  expect(await names()).toEqual(['telegram_message', 'telegram_command /start'])
})

it('tracks an update once, even if the middleware is used several times', async () => {
  const { bot } = createGrammyBot()
  const { mauve, names } = createMauve()
  bot.use(mauve.grammy(), mauve.grammy())
  await handle(bot, UPDATES.message)
  expect(await names()).toEqual(['telegram_message'])
})

it('leaves the errors of handlers to the bot, and counts what they failed to handle', async () => {
  const { bot } = createGrammyBot()
  const { mauve, names } = createMauve()
  bot.use(mauve.grammy())
  bot.on('message', () => {
    throw new Error('of a handler')
  })
  await expect(handle(bot, UPDATES.message)).rejects.toThrow('of a handler')
  expect(await names()).toEqual(['telegram_message'])
})

it('lets the bot continue if the service is unavailable', async () => {
  const { bot, calls } = createGrammyBot()
  const { mauve, service, names } = createMauve()
  service.configure = () => null
  service.collect = () => null
  bot.use(mauve.grammy())
  bot.on('message', (ctx) => ctx.reply('Welcome!'))
  await handle(bot, UPDATES.message)
  expect(calls).toEqual(['sendMessage'])
  expect(await names()).toEqual([])
})
