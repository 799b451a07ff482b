import type { Message } from './update.ts'

/** A command that a message begins with. */
export interface Command {
  /** Like `start`. */
  readonly name: string
  /** What follows `/start `, where it is what the messenger allows in a link to the bot; everything else is private text. */
  readonly startParameter: string | undefined
}

const START_PARAMETER = /^ ([A-Za-z0-9_-]{1,64})$/

/** The command that a message, or the caption of a photo, begins with; null if there is none, or it is another bot's. */
export function commandOf(message: Message, username: string | undefined): Command | null {
  const { text = message.caption ?? '', entities = message.caption_entities ?? [] } = message
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0)
  if (!entity) return null
  const [name = '', bot] = text.slice(1, entity.length).split('@')
  if (bot && username && bot.toLowerCase() !== username.toLowerCase()) return null
  const argument = name === 'start' ? START_PARAMETER.exec(text.slice(entity.length)) : null
  return { name, startParameter: argument?.[1] }
}
