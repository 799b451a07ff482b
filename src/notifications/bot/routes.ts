import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Failure } from '../../base/errors.ts'
import { logError } from '../../base/log.ts'
import type { AppEnv } from '../../http/context.ts'
import { answerTo, type BotMessage } from './commands.ts'
import { botWebhookOf, isSame } from './secrets.ts'

const MAX_UPDATE_BYTES = 1_048_576
const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** What people write to the bot. The answer to the messenger's request is the message to them, so nothing is sent twice. */
export function mountBot(app: Hono<AppEnv>): void {
  app.post('/telegram/:path', bodyLimit({ maxSize: MAX_UPDATE_BYTES, onError: nothingHere }), receive)
}

async function receive(c: Context<AppEnv>): Promise<Response> {
  c.set('operation', { operationId: 'bot', path: '/telegram/{path}' })
  const { BOT_TOKEN: token } = c.env
  if (!token) return nothingHere()
  const { path, secret } = botWebhookOf(token)
  const isOurs = isSame(c.req.path, path) && isSame(c.req.header(SECRET_HEADER) ?? '', secret)
  if (!isOurs) return nothingHere()
  const message = messageIn(await c.req.json().catch(() => null))
  const text = message && (await answer(message, c))
  if (!message || !text) return c.json({})
  return c.json({ method: 'sendMessage', chat_id: message.chatId, text, link_preview_options: { is_disabled: true } })
}

/** The messenger would send the same again for a day if it got a 500. */
async function answer(message: BotMessage, c: Context<AppEnv>): Promise<string | null> {
  try {
    return await answerTo(message, { env: c.env, now: c.get('now'), fetch })
  } catch (error) {
    logError('bot did not answer', error)
    return 'This cannot be answered right now. Try again in a minute.'
  }
}

function nothingHere(): never {
  throw new Failure('not-found', 'There is nothing here.')
}

interface Message {
  readonly from?: { readonly id?: unknown }
  readonly chat?: { readonly id?: unknown; readonly type?: unknown }
  readonly text?: unknown
  /** Where a forwarded text comes from. */
  readonly forward_origin?: unknown
}

/** A text that a person wrote in a chat where the bot is; null for everything else. A forwarded one may be somebody else's command. */
function messageIn(update: unknown): BotMessage | null {
  const { message, channel_post: post } = (update ?? {}) as { message?: Message; channel_post?: Message }
  const { from, chat, text, forward_origin: origin } = message ?? post ?? {}
  if (origin !== undefined) return null
  if (typeof text !== 'string' || typeof chat?.id !== 'number') return null
  const telegramId = message && typeof from?.id === 'number' ? from.id : null
  return { telegramId, chatId: chat.id, isPrivate: chat.type === 'private', text }
}
