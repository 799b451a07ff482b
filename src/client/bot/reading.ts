import { sha256 } from './digest.ts'
import type { BotUser, Update } from './options.ts'
import type { Chat, Contents, InviteLink, Message, UnknownContent, UpdateType } from './update.ts'

/** An update that names a person. */
export interface Reading {
  /** Equal for an update that is delivered twice. */
  readonly eventId: string
  /** A type of update, `bot_blocked` or `bot_unblocked`. */
  readonly type: string
  /** Whether this client knows the type. */
  readonly isKnown: boolean
  readonly user: BotUser
  /** Milliseconds since 1970 UTC. */
  readonly time: number
  readonly chatType: string | undefined
  /** Whether it happened in the person's chat with the bot. An inline query of type `private` did not. */
  readonly isWithBot: boolean
  readonly params: Readonly<Record<string, unknown>>
  /** Null for other updates. */
  readonly message: Message | null
}

/** Reads an update; null if it names no person. Updates without a time get `now`, in milliseconds. */
export function readUpdate(update: Update, now: number): Reading | null {
  const type = typeOf(update)
  if (type === null) return null
  const isKnown = isKnownType(type)
  const content = (update as unknown as Record<string, unknown>)[type]
  const facts = (isKnown ? (FACTS[type as UpdateType] as typeof ofUnknown) : ofUnknown)(content as UnknownContent)
  const { user, chat, date } = facts
  if (!isPerson(user)) return null
  const chatType = chat?.type ?? facts.chatType
  const isPrivate = chat?.type === 'private'
  const isWithBot = isPrivate && !OF_OTHER_CHATS.has(type)
  return {
    // With the user, since two bots of an application may share update ids.
    eventId: facts.eventId ?? `update-${update.update_id}-${user.id}`,
    type: isWithBot && type === 'my_chat_member' ? typeOfBlocking(facts) : type,
    isKnown,
    user,
    time: date === undefined ? now : date * 1000,
    chatType,
    isWithBot,
    params: { ...facts.params, chat_type: chatType, chat_id: isPrivate ? undefined : chat?.id },
    message: MESSAGES.has(type) ? (content as Message) : null,
  }
}

const MESSAGES: ReadonlySet<string> = new Set(['message', 'edited_message', 'channel_post', 'edited_channel_post'])

/** Messages that people do not write to the bot, though maybe in private chats. */
const OF_OTHER_CHATS: ReadonlySet<string> = new Set(['business_message', 'edited_business_message', 'guest_message'])

/** An update has one field besides its id. */
function typeOf(update: Update): string | null {
  const isContent = ([type, content]: [string, unknown]) =>
    content !== null && typeof content === 'object' && UPDATE_TYPE.test(type)
  const types = Object.entries(update).filter(isContent)
  return (types.find(([type]) => isKnownType(type)) ?? types[0])?.[0] ?? null
}

function isKnownType(type: string): boolean {
  return Object.keys(FACTS).includes(type)
}

const UPDATE_TYPE = /^[a-z_]{1,64}$/

export function isPerson(user: BotUser | undefined): user is BotUser {
  return !!user && !user.is_bot && Number.isSafeInteger(user.id) && user.id > 0
}

const TYPES_OF_BLOCKING: ReadonlyMap<unknown, 'bot_blocked' | 'bot_unblocked'> = new Map([
  ['kicked', 'bot_blocked'],
  ['member', 'bot_unblocked'],
])

/** In a private chat, the bot's membership changes only when the person blocks or unblocks it. */
function typeOfBlocking({ params }: Facts): Reading['type'] {
  return TYPES_OF_BLOCKING.get(params?.new_status) ?? 'my_chat_member'
}

/** What an update says, without anything that a person wrote. */
interface Facts {
  /** The person it is about; missing if it was a chat or names nobody. */
  readonly user?: BotUser | undefined
  readonly chat?: Chat | undefined
  /** If the chat itself is not given. */
  readonly chatType?: string | undefined
  /** Unix seconds. */
  readonly date?: number | undefined
  /** If something else than the update identifies it. */
  readonly eventId?: string | undefined
  readonly params?: Record<string, unknown>
}

/** How to read each type of update. */
const FACTS: { readonly [T in UpdateType]: (content: Contents[T]) => Facts } = {
  message: ofMessage,
  edited_message: ofMessage,
  channel_post: ofMessage,
  edited_channel_post: ofMessage,
  inline_query: ({ from, chat_type }) => ({ user: from, chatType: chat_type }),
  chosen_inline_result: ({ from, result_id }) => ({ user: from, params: { result_id } }),
  callback_query: ({ from, message, data, game_short_name }) => ({
    user: from,
    chat: message?.chat,
    params: { data: data === undefined ? data : cutToBytes(data, CALLBACK_DATA_BYTES), game: game_short_name },
  }),
  shipping_query: ({ from }) => ({ user: from }),
  pre_checkout_query: ({ from, currency, total_amount }) => ({ user: from, params: { currency, total_amount } }),
  message_reaction: ofReaction,
  message_reaction_count: ({ chat, date }) => ({ chat, date }),
  poll: () => ({}),
  poll_answer: ({ poll_id, user, option_ids }) => ({ user, params: { poll_id, options: option_ids.join(',') } }),
  my_chat_member: ({ from, ...change }) => ({ user: from, ...ofMember(change) }),
  // `from` may be an administrator who lets people in. The event belongs to the member.
  chat_member: ({ from, ...change }) => ({ user: change.new_chat_member.user, ...ofMember(change) }),
  chat_join_request: ({ chat, from, date, invite_link }) => ({
    user: from,
    chat,
    date,
    params: { invite_link: nameOfLink(invite_link) },
  }),
  chat_boost: ({ chat, boost: { add_date, source } }) => ({ ...ofBoost(source), chat, date: add_date }),
  removed_chat_boost: ({ chat, remove_date, source }) => ({ ...ofBoost(source), chat, date: remove_date }),
  subscription: ({ user, state }) => ({ user, params: { state } }),
  purchased_paid_media: ({ from }) => ({ user: from }),
  business_connection: ({ user, date, is_enabled }) => ({ user, date, params: { is_enabled } }),
  business_message: ofMessage,
  edited_business_message: ofMessage,
  guest_message: ofMessage,
  managed_bot: ({ user }) => ({ user }),
  // The person of a private chat has its id.
  stopped_message_generation: ({ chat }) => ({ user: chat, chat }),
}

/** What types of later releases have in common with those of today, if they name a person. */
function ofUnknown(content: UnknownContent): Facts {
  const { from, user, chat, date } = content
  return {
    user: from ?? user,
    chat: typeof chat?.type === 'string' ? chat : undefined,
    date: typeof date === 'number' ? date : undefined,
  }
}

/** The name of a link or, without one, its end, which tells it from others but lets nobody in. */
function nameOfLink(link: InviteLink | undefined): string | undefined {
  return link && (link.name || link.invite_link.slice(-LINK_CHARACTERS))
}

const LINK_CHARACTERS = 8

/** The messenger's own limit. */
const CALLBACK_DATA_BYTES = 64

/** Kinds of content, rarer ones first: a game has a photo, and a photo may have text. */
const CONTENT =
  `successful_payment refunded_payment web_app_data users_shared chat_shared contact location venue poll dice
  game invoice story sticker voice video_note audio animation document video photo new_chat_members left_chat_member
  pinned_message text`.split(/\s+/)

function ofMessage(message: Message): Facts {
  const { from, sender_chat, is_automatic_forward, chat, date, edit_date } = message
  const { params, eventId } = ofPayment(message)
  return {
    user: sender_chat || is_automatic_forward ? undefined : from,
    chat,
    date: edit_date ?? date,
    eventId,
    params: { content: CONTENT.find((name) => name in message), ...params },
  }
}

/** A payment is identified by its charge, whichever update reports it. The charge's id itself is not sent. */
function ofPayment({
  successful_payment: paid,
  refunded_payment: refunded,
}: Message): Pick<Facts, 'params' | 'eventId'> {
  const payment = paid ?? refunded
  if (!payment) return {}
  const { currency, total_amount, telegram_payment_charge_id: charge } = payment
  const { is_recurring, is_first_recurring, subscription_expiration_date } = paid ?? {}
  // A renewal differs from the payment it renews, even if both have one id.
  const hash = charge && sha256(`${charge} ${subscription_expiration_date ?? ''}`).slice(0, 32)
  return {
    params: { currency, total_amount, is_recurring, is_first_recurring, subscription_expiration_date },
    eventId: hash && `${paid ? 'payment' : 'refund'}-${hash}`,
  }
}

function ofReaction({ chat, user, date, old_reaction, new_reaction }: Contents['message_reaction']): Facts {
  const [before, after] = [old_reaction, new_reaction].map((reactions) =>
    reactions.map(({ type, emoji }) => emoji ?? type),
  ) as [string[], string[]]
  const emoji = after.filter((each) => !before.includes(each)).join(' ')
  const removed_emoji = before.filter((each) => !after.includes(each)).join(' ')
  return { user, chat, date, params: { emoji: emoji || undefined, removed_emoji: removed_emoji || undefined } }
}

function ofMember({ chat, date, ...change }: Omit<Contents['chat_member'], 'from'>): Facts {
  const [old_status, new_status] = [change.old_chat_member.status, change.new_chat_member.status]
  return { chat, date, params: { old_status, new_status, invite_link: nameOfLink(change.invite_link) } }
}

function ofBoost({ source, user }: Contents['removed_chat_boost']['source']): Facts {
  return { user, params: { source } }
}

function cutToBytes(text: string, bytes: number): string {
  // With `stream`, the decoder drops a character that was cut in two.
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes), { stream: true })
}
