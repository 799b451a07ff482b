export { createBotClient } from './client.ts'
export type { BotClient, BotClientOptions, BotMiddleware, BotUser, Outcome, Update } from './options.ts'
