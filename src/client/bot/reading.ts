import { FACTS, type Facts } from './facts.ts'
import type { BotUser, Update } from './options.ts'
import type { Contents, Message, UpdateType } from './update.ts'

/** An update that names a person. */
export interface Reading {
  readonly updateId: number
  readonly type: UpdateType | 'bot_blocked' | 'bot_unblocked'
  readonly user: BotUser
  /** Milliseconds since 1970 UTC. */
  readonly time: number
  readonly chatType: string | undefined
  /** Whether it happened in the person's chat with the bot; an inline query of type `private` did not. */
  readonly isWithBot: boolean
  readonly params: Readonly<Record<string, unknown>>
  /** Null of what is no message. */
  readonly message: Message | null
}

/** Reads an update; null if it names no person. `now` is the time of those that have none of their own, in milliseconds. */
export function readUpdate(update: Update, now: number): Reading | null {
  const type = typeOf(update)
  if (type === null) return null
  const content = (update as Update & Contents)[type]
  const facts = (FACTS[type] as (content: unknown) => Facts)(content)
  const { user, chat, date } = facts
  if (!isPerson(user)) return null
  const chatType = chat?.type ?? facts.chatType
  const isWithBot = chat?.type === 'private'
  return {
    updateId: update.update_id,
    type: isWithBot && type === 'my_chat_member' ? typeOfBlocking(facts) : type,
    user,
    time: date === undefined ? now : date * 1000,
    chatType,
    isWithBot,
    params: { ...facts.params, chat_type: chatType, chat_id: isWithBot ? undefined : chat?.id },
    message: type.endsWith('message') || type.endsWith('post') ? (content as Message) : null,
  }
}

/** An update has one field beside its id. */
function typeOf(update: Update): UpdateType | null {
  return (Object.keys(FACTS) as UpdateType[]).find((type) => (update as Partial<Contents>)[type]) ?? null
}

export function isPerson(user: BotUser | undefined): user is BotUser {
  return !!user && !user.is_bot && Number.isSafeInteger(user.id) && user.id > 0
}

const TYPES_OF_BLOCKING: ReadonlyMap<unknown, 'bot_blocked' | 'bot_unblocked'> = new Map([
  ['kicked', 'bot_blocked'],
  ['member', 'bot_unblocked'],
])

/** In a private chat the bot's membership changes only when the person blocks it, or takes that back. */
function typeOfBlocking({ params }: Facts): Reading['type'] {
  return TYPES_OF_BLOCKING.get(params?.new_status) ?? 'my_chat_member'
}
