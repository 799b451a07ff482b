import type { Reading } from './reading.ts'
import type { Message } from './update.ts'

/** The fields of the client configuration (`GET /v1/client/config`) that apply to bots. */
export interface BotSettings {
  /** Whether anything of the following is captured. */
  readonly auto_capture_telegram: boolean
  /** Types of update, `bot_blocked` and `bot_unblocked`, and `other` for types that this client does not know. */
  readonly auto_capture_telegram_events: readonly string[]
  /** Like `/start`. */
  readonly auto_capture_commands: readonly string[]
  /** Texts; a message that contains one is captured. */
  readonly auto_capture_messages: readonly string[]
  /** Like `post_comments_analytics`. */
  readonly advanced_tracking_features: readonly string[]
}

/** What is known about an update besides its content. */
export interface Surroundings {
  /** The bot's. */
  readonly username: string | undefined
  /** Whether it is a comment under a channel's post. */
  readonly isComment: boolean
}

/** An event of an update. */
export interface Captured {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly startParameter: string | undefined
}

/** The event that an update becomes, named as specifically as possible; null if the settings do not ask for it. */
export function capture(
  reading: Reading,
  settings: BotSettings,
  { username, isComment }: Surroundings,
): Captured | null {
  if (!settings.auto_capture_telegram) return null
  // An edited message does not repeat its command.
  const isNew = reading.type === 'message'
  const said = isNew && reading.message ? commandOf(reading.message, username) : null
  const command = configuredCommand(said, settings)
  const found = {
    command,
    matched: isNew ? configuredText(reading, settings) : undefined,
    scheduled: has('post_schedule_analytics', settings) && isScheduled(reading) ? true : undefined,
    comment: has('post_comments_analytics', settings) && isNew && isComment ? true : undefined,
  }
  const isFound = Object.values(found).some((value) => value !== undefined)
  if (!isFound && !isListed(reading, settings) && !isOfChannel(reading, settings)) return null
  return {
    name: command ? `telegram_command ${command}` : nameOf(reading, settings),
    params: { ...reading.params, ...found },
    startParameter: said?.startParameter,
  }
}

function has(feature: string, { advanced_tracking_features: features }: BotSettings): boolean {
  return features.includes(feature)
}

/** A command at the start of a message. */
interface Command {
  /** Like `start`. */
  readonly name: string
  /** What follows `/start `, if a link to the bot may contain it; anything else is private text. */
  readonly startParameter: string | undefined
}

const START_PARAMETER = /^ ([A-Za-z0-9_-]{1,64})$/

/** The command at the start of a message or caption; null if there is none, or if it is another bot's. */
function commandOf(message: Message, username: string | undefined): Command | null {
  const { text = message.caption ?? '', entities = message.caption_entities ?? [] } = message
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0)
  if (!entity) return null
  const [name = '', bot] = text.slice(1, entity.length).split('@')
  if (bot && username && bot.toLowerCase() !== username.toLowerCase()) return null
  const argument = name === 'start' ? START_PARAMETER.exec(text.slice(entity.length)) : null
  return { name, startParameter: argument?.[1] }
}

/** The command as written in the settings, with a slash even if they omit it. */
function configuredCommand(
  command: Command | null,
  { auto_capture_commands: commands }: BotSettings,
): string | undefined {
  const isSame = (text: string) => text.toLowerCase().replace(/^\//, '') === command?.name.toLowerCase()
  const configured = commands.find(isSame)
  return configured?.replace(/^\/?/, '/')
}

/** The first configured text that the message contains, in any case. */
function configuredText({ message }: Reading, { auto_capture_messages: texts }: BotSettings): string | undefined {
  const written = (message?.text ?? message?.caption ?? '').toLowerCase()
  return texts.find((text) => written.includes(text.toLowerCase()))
}

/** Whether the message was scheduled. In private chats, such messages are automatic away replies. */
function isScheduled({ message, isWithBot, type }: Reading): boolean {
  return message?.is_from_offline === true && !isWithBot && !type.startsWith('edited')
}

function isOfChannel({ chatType }: Reading, settings: BotSettings): boolean {
  return chatType === 'channel' && has('channel_events_tracking', settings)
}

/** Blocking is a change of the bot's membership, so a setting for those includes it. */
function isListed(reading: Reading, { auto_capture_telegram_events: types }: BotSettings): boolean {
  if (!reading.isKnown) return types.includes('other')
  return types.includes(reading.type) || types.includes(typeOfUpdate(reading))
}

/** Blocking has its own name if the settings ask for it. */
function nameOf(reading: Reading, { auto_capture_telegram_events: types }: BotSettings): string {
  return `telegram_${types.includes(reading.type) ? reading.type : typeOfUpdate(reading)}`
}

function typeOfUpdate({ type }: Reading): string {
  return type === 'bot_blocked' || type === 'bot_unblocked' ? 'my_chat_member' : type
}
