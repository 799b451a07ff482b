export { createBotClient } from './client.ts'
export type { BotClient, BotClientOptions, BotUser, GrammyMiddleware, Outcome, Update } from './options.ts'
