import { Api, GrammyError } from 'grammy/web'
import type { MessageContent, MessageTarget } from '../../storage/subscription.ts'
import { type SendingResult, shortened } from './sending.ts'

const TIMEOUT_SECONDS = 20
const MAX_TEXT_CHARACTERS = 4_000
const HOW_TO_STOP = '\n\nTo stop these messages, send /stop here.'

interface MessengerOptions {
  readonly token: string
  readonly origin: string
  readonly fetch: typeof fetch
}

/**
 * Sends a message as the bot of the service. One that got no answer may have arrived, so it is not sent again. Errors of the client
 * library are not logged: they may hold the address, which has the token.
 */
export async function sendToChat(
  target: Exclude<MessageTarget, { type: 'webhook' }>,
  { text, path }: MessageContent,
  { token, origin, fetch }: MessengerOptions,
): Promise<SendingResult> {
  let status: number | null = null
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    status = response.status
    return response
  }
  const api = new Api(token, { fetch: noticing, timeoutSeconds: TIMEOUT_SECONDS })
  const chat = target.type === 'member' ? target.telegram_id : target.chat_id
  try {
    await api.sendMessage(chat, text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed() + HOW_TO_STOP, {
      ...(target.type === 'chat' && target.topic_id !== undefined && { message_thread_id: target.topic_id }),
      ...buttonTo(`${origin}${path}`, target),
      link_preview_options: { is_disabled: true },
    })
    return { kind: 'sent', httpStatus: 200, answer: null }
  } catch (error) {
    return outcomeOf(error, status)
  }
}

interface Chat {
  readonly id: number
  /** The people who administrate it. */
  readonly administrators: readonly number[]
}

/** A group or channel by its id or @name; null if the messenger shows none, as for a chat without the bot. */
export async function findChat(chat: string, { token, fetch }: Omit<MessengerOptions, 'origin'>): Promise<Chat | null> {
  const api = new Api(token, { fetch, timeoutSeconds: TIMEOUT_SECONDS })
  try {
    const { id } = await api.getChat(chat)
    const members = await api.getChatAdministrators(id)
    return { id, administrators: members.map(({ user }) => user.id) }
  } catch {
    return null
  }
}

/** Only chats with a person open pages inside the messenger, and only pages served over HTTPS. */
function buttonTo(url: string, target: MessageTarget) {
  if (!url.startsWith('https://')) return {}
  const text = 'Open'
  const button = target.type === 'member' ? { text, web_app: { url } } : { text, url }
  return { reply_markup: { inline_keyboard: [[button]] } }
}

function outcomeOf(error: unknown, status: number | null): SendingResult {
  if (!(error instanceof GrammyError)) {
    if (status !== null && status >= 500) return { kind: 'later', httpStatus: status, answer: NO_JSON }
    return { kind: 'refused', httpStatus: status, answer: NO_ANSWER, isOff: false }
  }
  const { error_code: httpStatus, parameters } = error
  const answer = shortened(error.description)
  // The bot was blocked or never started, or there is no such chat or topic.
  if (httpStatus === 400 || httpStatus === 403) return { kind: 'refused', httpStatus, answer, isOff: true }
  const afterMs = parameters.retry_after === undefined ? undefined : parameters.retry_after * 1_000
  return { kind: 'later', httpStatus, answer, afterMs }
}

const NO_ANSWER = 'The messenger did not answer. The message may have arrived, so it is not sent again.'
const NO_JSON = 'The messenger returned an error page.'
