import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Api, GrammyError } from 'grammy/web'
import { BOT_COMMANDS } from '../notifications/bot/commands.ts'
import { botWebhookOf } from '../notifications/bot/secrets.ts'
import { CommandFailure } from './failure.ts'
import { ROOT } from './wrangler.ts'

/** The token of the service's own bot, from the environment or from .dev.vars; null if there is none. */
export function readBotToken(): string | null {
  const file = join(ROOT, '.dev.vars')
  const local = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')).BOT_TOKEN : undefined
  return process.env.BOT_TOKEN || local || null
}

/** Has the messenger send what people write to the bot to this service. Errors never show the token. Throws `CommandFailure`. */
export async function connectBot(token: string, address: string): Promise<string> {
  const { origin, protocol } = new URL(address)
  if (protocol !== 'https:') throw new CommandFailure(`The messenger needs an https address, and ${origin} is none.`)
  const { path, secret } = botWebhookOf(token)
  const api = new Api(token, { fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init) })
  try {
    await api.setWebhook(`${origin}${path}`, { secret_token: secret, allowed_updates: ['message', 'channel_post'] })
    await api.setMyCommands(BOT_COMMANDS)
    const { username } = await api.getMe()
    return `@${username}`
  } catch (error) {
    const reason = error instanceof GrammyError ? error.description : 'it does not answer'
    throw new CommandFailure(`The messenger did not connect the bot: ${reason}.`)
  }
}
